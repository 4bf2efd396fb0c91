"""The modules of the tests are compiled once, and each worker imports what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.compiling import cached_version, compile_once

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.programs

TEST = "def test_some():\n    assert 1 + 1 == {}\n"


def test_what_is_kept_is_what_pytest_reads_and_follows_its_source(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from _pytest.assertion.rewrite import _read_pyc

    sources = [tmp_path / "test_some.py", tmp_path / "below" / "conftest.py", tmp_path / "test_broken.py"]
    sources[1].parent.mkdir()
    for source in sources[:2]:
        source.write_text(TEST.format(2))
    sources[2].write_text("def test_broken(:\n")
    compile_once(request.config, tmp_path)
    first = [cached_version(source).stat().st_mtime_ns for source in sources[:2]]
    sources[0].write_text(TEST.format(3))
    compile_once(request.config, tmp_path)
    second = [cached_version(source).stat().st_mtime_ns for source in sources[:2]]
    assert second[0] > first[0], "a changed module is rewritten"
    assert second[1] == first[1], "another one is not"
    assert not cached_version(sources[2]).exists()
    code = _read_pyc(sources[0], cached_version(sources[0]))
    assert code is not None
    assert "@pytest_ar" in code.co_names, "its assertions are rewritten"
