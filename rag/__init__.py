"""问渠 Wenqu: conversations over Chinese documents, with sources."""

import os

# libgomp reads this once, when the first library that uses it is loaded. Its default busy-waits at every
# barrier, so one busy thread beside the model slows it 40 times on two cores.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
