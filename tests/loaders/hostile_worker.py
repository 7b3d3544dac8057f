"""A worker that does wrong what it is told to: `python -m tests.loaders.hostile_worker`."""

import os
import sys
import time

_LONG_SECONDS = 600


def main() -> None:
    """Does for each line what that says."""
    for line in sys.stdin.buffer:
        match line.decode().split():
            case ["answer", number]:
                _say(b'{"answer": %s}\n' % number.encode())
            case ["garbage"]:
                _say(b'\xff\xfe no message\n{"answer": 0}\n')
            case ["other", text]:
                _say(text.encode() + b"\n")
            case ["half"]:
                _say(b'{"answer": ')
            case ["endless"]:
                while True:
                    _say(b"x" * 2**16)
            case ["deaf"]:
                time.sleep(_LONG_SECONDS)
            case ["mute"]:
                os.close(sys.stdout.fileno())
                time.sleep(_LONG_SECONDS)


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
