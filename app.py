"""问渠 Wenqu: `python app.py` reads config.yaml and serves the page and its API on one port."""

import logging
import sys
from pathlib import Path

from rag.errors import WenquError
from rag.settings import Settings, read_settings


def main() -> int:
    """Serve until interrupted. Returns the process's exit status."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s", datefmt="%H:%M:%S")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    try:
        serve(read_settings(Path(__file__).parent / "config.yaml"))
    except WenquError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def serve(settings: Settings) -> None:
    """Build everything and serve it. Raises WenquError."""
    import uvicorn

    from rag.build import build_services
    from rag.web.application import create_app

    services = build_services(settings)
    app = create_app(services, settings)
    services.start()
    try:
        uvicorn.run(app, host=settings.server.host, port=settings.server.port, log_level="warning")
    finally:
        services.close()


if __name__ == "__main__":
    sys.exit(main())
