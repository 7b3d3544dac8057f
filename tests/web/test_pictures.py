"""Every view in every dress, and quietly: nothing fails to load, the console is silent, nobody else is asked, and
axe-core finds nothing serious.

What was seen is kept in test-artefacts/.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.axe import serious
from tests.web.conftest import PATIENCE, Served, answered, listen
from tests.web.pictures import DRESSES, FOLDER, Dress, undressed_page, views

pytestmark = pytest.mark.browser
# In the dark, whatever an answer, a file's name and a passage could do to the page.
_QUESTIONS = {"light": "思考：错误码的格式是怎样的？", "dark": "恶意：错误码的格式是怎样的？"}
_EMPTY = 10_000  # bytes: a picture with nothing on it is smaller


@pytest.mark.parametrize("dress", DRESSES, ids=str)
def test_every_view_loads_whole_fits_its_width_and_asks_nobody_else(
    served: Served, chromium: Browser, tmp_path: Path, dress: Dress
) -> None:
    file = tmp_path / "手册.pdf"
    file.write_bytes(b"content")
    FOLDER.mkdir(exist_ok=True)
    page = undressed_page(chromium, served.url, dress)
    page.set_default_timeout(PATIENCE)
    heard: list[str] = []
    found: dict[str, list[str]] = {}
    listen(page, served.url, heard)
    for name in views(page, served.url, file, _QUESTIONS[dress.scheme]):
        picture = FOLDER / f"{name}-{dress}.png"
        page.screenshot(path=picture, animations="disabled")
        assert picture.stat().st_size > _EMPTY
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        found[name] = serious(page)
    page.reload()
    answered(page)
    assert page.evaluate("window.stolen") is None
    page.context.close()
    assert heard == []
    assert {name: said for name, said in found.items() if said} == {}
