"""A run without a browser goes on, and says why the browser tests are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """A machine without any browser, for somebody who is not root."""
    monkeypatch.delenv(browser.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: 1000)


def test_without_a_browser_one_line_says_why_and_nothing_fails(bare, capsys) -> None:
    browser.main()
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert "The browser tests will be skipped: no Chromium was found" in output


def test_a_wrongly_named_browser_is_named_and_nothing_else_is_tried(bare, monkeypatch, capsys) -> None:
    monkeypatch.setenv(browser.VARIABLE, "/nowhere/chromium")
    browser.main()
    assert "KIFU_CHROMIUM names /nowhere/chromium" in capsys.readouterr().err


@pytest.mark.programs
def test_an_installation_that_fails_is_told_with_its_last_words(bare, monkeypatch, tmp_path, capsys) -> None:
    (tmp_path / "apt-get").write_text("#!/bin/sh\necho first >&2\necho no network >&2\nexit 100\n")
    (tmp_path / "apt-get").chmod(0o755)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    browser.main()
    assert "(apt-get update: no network)" in capsys.readouterr().err


APT = """#!/bin/sh
while [ "${{1#--option=}}" != "$1" ]; do shift; done
echo "$@" >> {folder}/asked
[ $1 = update ] || {{ : > {folder}/$4; /bin/chmod +x {folder}/$4; }}
exit {code}
"""


@pytest.mark.programs
@pytest.mark.parametrize(("code", "used"), [(0, browser.LIGHT), (100, "chromium")])
def test_where_there_is_a_browser_a_light_one_is_installed_if_that_can_be(
    bare, monkeypatch, tmp_path, capsys, code: int, used: str
) -> None:
    (tmp_path / "chromium").touch(mode=0o755)
    (tmp_path / "apt-get").write_text(APT.format(folder=tmp_path, code=code))
    (tmp_path / "apt-get").chmod(0o755)
    browser.main()
    assert not (tmp_path / "asked").exists(), "only root installs anything"
    monkeypatch.setattr("os.geteuid", lambda: 0)
    for _ in range(2):
        browser.main()
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked == (["update", f"install --yes --no-install-recommends {used}"] if code == 0 else ["update"] * 2)
    assert browser.find() == str(tmp_path / used)
    assert capsys.readouterr().err == ""


def test_the_browser_that_playwright_installed_is_found(bare, tmp_path) -> None:
    binary = tmp_path / "chromium-1200" / "chrome-linux" / "chrome"
    binary.parent.mkdir(parents=True)
    binary.touch(mode=0o755)
    assert browser.find() == str(binary)


@pytest.mark.browser
def test_what_is_not_there_yet_is_looked_for_and_nothing_else_of_the_page(visit: Callable[..., Page]) -> None:
    """`driver.cjs` still finds what it leaves out: without it, each look has all of the page read aloud."""
    page = visit("/none")
    with pytest.raises(AssertionError) as error:
        expect(page.locator("#nowhere")).to_be_visible(timeout=50)
    assert "not found" in str(error.value)
    assert "snapshot" not in str(error.value).lower()
