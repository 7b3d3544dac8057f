"""The process that a model works in: `python -m rag.llm.llama_worker`, what to load on standard input, where it is
served on standard output. It ends with its input."""

import json
import math
import os
from pathlib import Path
from typing import Any

from loaders import wire
from loaders.process import private_output, received

# llama.cpp reports progress and can be stopped once per batch: 128 tokens take 0.7 to 4 s on two cores. Twice as many
# are read no faster, half as many 5% slower.
_BATCH = 128
_CGROUP = Path("/sys/fs/cgroup")


def main() -> None:
    """Loads the model, and serves it."""
    lines = received()
    job = json.loads(next(lines))
    with private_output() as output:
        try:
            server = _server(job)
        except Exception as error:  # noqa: BLE001 - whatever a strange file brings to light
            output.write(wire.to_line({"failed": str(error)}))
            return
        output.write(wire.to_line({"address": server.listening_address}))
        output.flush()
        next(lines)


def _server(job: dict[str, Any]) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = job["path"]
    parameters.n_ctx, parameters.cache_ram_mib = job["n_ctx"], job["cache_ram_mib"]
    parameters.n_parallel, parameters.verbosity = 1, 0
    parameters.n_batch = parameters.n_ubatch = _BATCH
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = job["threads"] or usable_cores()
    parameters.slot_prompt_similarity = 0  # `rag.llm.states` counts on it
    parameters.api_keys = [job["key"]]
    return xllamacpp.Server(parameters)


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


if __name__ == "__main__":
    main()
