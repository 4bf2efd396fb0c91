"""The examples of properties: the same in each run, with all tests or with some of them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import tiers

if TYPE_CHECKING:
    from pathlib import Path

CONSTANTS = "".join(f"WORD_{n} = 'word {n}'; NUMBER_{n} = {10**6 + n}\n" for n in range(200))


def drawn() -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []

    @settings(max_examples=150, database=None, derandomize=True)
    @given(st.integers(), st.text())
    def draw(number: int, text: str) -> None:
        found.append((number, text))

    draw()
    return found


@pytest.mark.skipif(tiers.RANDOM, reason="this run looks for new examples")
def test_examples_are_the_same_after_any_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn()
    (tmp_path / "spoken.py").write_text(CONSTANTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("spoken")
    assert drawn() == before
