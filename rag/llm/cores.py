"""How many cores there are for a model on this machine."""

import math
import os
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def usable_cores(cgroup: Path = _CGROUP) -> int:
    """Cores that this process may use; a container is often given fewer than the machine has.

    A limit such as Docker's `--cpus` is a quota of time, which the affinity does not show: with a thread for each of
    the machine's cores, all of them would wait for the next period together.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, period = _quota(cgroup)
    return min(cores, math.ceil(quota / period)) if quota > 0 and period > 0 else cores


def _quota(cgroup: Path) -> tuple[int, int]:
    """The time that may be used in each period, in microseconds (cgroups v2, then v1); (0, 0) where it is not bound."""
    try:
        if (both := cgroup / "cpu.max").is_file():
            quota, period = both.read_text(encoding="ascii").split()
        else:
            names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
            quota, period = ((cgroup / "cpu" / name).read_text(encoding="ascii") for name in names)
        return int(quota), int(period)
    except (OSError, ValueError):  # "max" in place of a number, or no cgroups
        return 0, 0
