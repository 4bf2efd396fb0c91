"""What newer rules would change in recorded games is told, and changed by nothing but an entry that moves a game on."""

from __future__ import annotations

import json

import pytest

from games.rulesets import RULESETS
from tests.sticks import STICKS, before_the_newest

pytestmark = pytest.mark.service("kept")


@pytest.fixture(autouse=True)
def sticks(monkeypatch):
    monkeypatch.setitem(RULESETS, "sticks", STICKS)


def play(kifu, *moves: str) -> str:
    game = kifu("open", "sticks").strip()
    kifu("record", game, "-", stdin="".join(f"{move}\n" for move in moves))
    return game


@pytest.fixture
def game(kifu) -> str:
    """A game that was recorded by the older rules."""
    with before_the_newest():
        return play(kifu, "2", "2", "3", "1")


def test_what_newer_rules_would_change_is_told_entry_by_entry_and_changes_nothing(kifu, game):
    before = (kifu.data / "kifu.db").read_bytes()
    output = " ".join(kifu("revisions").split())
    assert f"{game} (sticks, revision 1; the newest is 2)" in output
    assert "Scores: 2:2, then 5:3" in output
    assert (
        "Entry 3, 2: Right took 2, +1 for seat 2 (sticks:END-1); "
        "then Right took 2, +2 for seat 2 (sticks:END-1), breaks sticks:TURN-3" in output
    )
    assert f"Changed: {STICKS.changes[1]}" in output
    assert "1 game uses older rules; newer ones change 1." in output
    assert (kifu.data / "kifu.db").read_bytes() == before
    (found,) = json.loads(kifu("revisions", "--json"))
    assert (found["game"], [entry["version"] for entry in found["entries"]]) == (game, [2, 3, 4])


def test_a_game_without_differences_under_newer_rules_is_only_counted(kifu):
    with before_the_newest():
        game = play(kifu, "1")
    output = kifu("revisions")
    assert "1 game uses older rules; newer ones change 0." in output
    assert game not in output


def test_games_of_the_newest_rules_are_left_out(kifu):
    kifu.play()
    play(kifu, "2")
    assert "0 games use older rules" in kifu("revisions")


@pytest.mark.slow
def test_a_game_is_moved_on_once_it_is_said_what_becomes_of_what_fits_no_more(kifu, game):
    refused = kifu.fails("revisions", "adopt", game)
    assert "entry 3, 2: 2 were taken right before (sticks:TURN-3)" in " ".join(refused.split())
    tried = " ".join(kifu("revisions", "adopt", game, "--keep", "all", "--dry-run").split())
    assert "Dry run, nothing is stored" in tried
    assert "Scores: 5:3, before: 2:2" in tried
    assert "1 game uses older rules" in kifu("revisions")
    assert "uses revision 2 of its rules now" in kifu("revisions", "adopt", game, "--keep", "all")
    assert "0 games use older rules" in kifu("revisions")
    assert "5:3" in kifu("show", game)
    assert "moves on to revision 2 of the rules" in kifu("replay", game)
    assert "Undone: entry 6" in kifu("undo", game)
    assert "2:2" in kifu("show", game)


def test_a_revision_that_there_is_not_is_named(kifu, game):
    assert "there is no revision 9 of sticks here" in kifu.fails("revisions", "adopt", game, "--revision", "9")
