"""The process that a model works in: `python -m rag.llm.llama_worker`, what to load on standard input, where it is
served on standard output. It ends with its input."""

import json
from typing import Any

from loaders import wire
from loaders.process import private_output, received

# llama.cpp reports progress and can be stopped once per batch: 128 tokens take 0.7 to 4 s on two cores. Twice as many
# are read no faster, half as many 5% slower.
_BATCH = 128


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
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = job["threads"]
    parameters.slot_prompt_similarity = 0  # `rag.llm.states` counts on it
    parameters.api_keys = [job["key"]]
    return xllamacpp.Server(parameters)


if __name__ == "__main__":
    main()
