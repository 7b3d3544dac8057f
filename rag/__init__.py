"""问渠 Wenqu: conversations over Chinese documents, with sources."""

import os
import sys

# OpenMP's runtimes read these once, when the first library that uses them is loaded. By default threads busy-wait at
# every barrier, so one busy thread beside the model slows it 40 times on two cores. Not to wait at all costs as well:
# with libgomp, Linux's, the 1.5B wrote 18 tokens a second instead of 26, and a question's vector took 20 ms instead of
# 10. Its 1,000 spins are some 10 µs; "active" has it spin them where there are more threads than cores, too.
if "OMP_WAIT_POLICY" not in os.environ and sys.platform == "linux":
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    os.environ["OMP_WAIT_POLICY"] = "active"
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
