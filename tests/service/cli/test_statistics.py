"""Statistics from the moves, and proposals of merges, at the command line."""

from __future__ import annotations

from .conftest import ROOT

GOLDENS = ROOT / "tests" / "golden" / "kahuna"


def test_statistics_of_the_moves_are_printed(kifu) -> None:
    for name in ("points", "adjudicated"):
        kifu("import", str(GOLDENS / f"{name}.txt"))
    told = kifu("stats", "--moves")
    assert "kahuna: 2 games" in told
    assert "points:round-1" in told
    assert "opening:" in told
    assert kifu("stats", "--game", "kahuna", "--players", "3") == "", "there is none"
    assert '"kinds"' in kifu("stats", "--place", "nowhere", "--json")


def test_people_who_seem_to_be_entered_twice_are_listed_and_merged(kifu) -> None:
    for first, second in (("Anna Lena", "Ben"), ("AnnaLena", "Cleo")):
        kifu("open", "kahuna", "--black", first, "--white", second)
    assert "names that are alike" in kifu("people", "alike")
    preview = kifu("people", "merge", "AnnaLena", "Anna Lena", "--dry-run")
    assert "both" in preview
    assert "names that are alike" in kifu("people", "alike"), "nothing was merged"
    kifu("people", "merge", "AnnaLena", "Anna Lena")
    assert kifu("people", "alike") == "", "nobody is left"
