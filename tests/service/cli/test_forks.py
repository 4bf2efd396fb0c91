"""What if: forks, their list, and how they compare with how it went."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.service("kept")


@pytest.fixture
def game(kifu) -> str:
    return kifu.play()


def test_a_fork_begins_as_its_origin_and_names_it(kifu, game):
    result = kifu.run("fork", game, "--at", 3, "--title", "What if Anna waits")
    fork = result.stdout.strip()
    assert f"kifu record {fork[-8:]}" in result.stderr
    shown = kifu("show", fork)
    assert f"What if, from version 3 of {game}" in shown
    assert "3 entries" in shown
    assert f"What if Anna waits (kahuna) (what if of {game[-8:]})" in kifu("games")
    assert "What if" not in kifu("games", "--no-forks")


def test_a_fork_can_go_off_right_behind_an_entry_as_it_counts_today(kifu, game):
    kifu("insert", game, 3, "c-k")
    fork = kifu("fork", game, "--after", 7).strip()
    entries = json.loads(kifu("replay", fork, "--json"))["entries"]
    assert [entry.get("notation") for entry in entries[1:]] == ["deal black BARI COCO DUDA", "BARI-DUDA", "COCO-KAHU"]


@pytest.mark.slow
def test_the_forks_of_a_game_are_listed(kifu, game):
    assert "It has no forks." in kifu.run("forks", game).stderr
    made = [kifu("fork", game, "--title", f"Fork {number}").strip() for number in range(2)]
    listed = kifu("forks", game)
    assert all(fork[-8:] in listed for fork in made)
    assert [found["game"] for found in json.loads(kifu("forks", game, "--json"))["games"]] == made[::-1]
    assert "There are more. Use --limit 2." in kifu.run("forks", game, "--limit", 1).stderr


@pytest.mark.slow
def test_a_fork_is_compared_with_its_origin(kifu, game):
    fork = kifu("fork", game, "--at", 3).strip()
    kifu("record", fork, stdin="-\n")
    output = kifu("compare", fork)
    assert "The first 2 moves and rulings are the same in both." in output
    assert f"{fork[-8:]}  " in output
    assert "4: Black -" in output
    assert "4: Black +COCO/ELAI" in output
    assert json.loads(kifu("compare", fork, game, "--json"))["common"] == 2
    assert "nothing more" in kifu("compare", game, kifu("fork", game, "--at", 4).strip())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fork", "--at", 9), "versions 1 to 6, not 9"),
        (("fork", "--after", 9), "9"),
        (("fork", "--title", "x" * 300), "title"),
        (("compare",), "the game is not a fork: name the game to compare it with"),
        (("compare", "ffff"), "no game's id begins or ends with ffff"),
    ],
)
def test_what_cannot_be_forked_or_compared_says_why(kifu, game, arguments, message):
    command, *rest = arguments
    assert message in kifu.fails(command, game, *rest)


def test_games_of_different_rulesets_cannot_be_compared(kifu, game):
    other = kifu("open", "scoresheet").strip()
    assert "games of different rulesets cannot be compared" in kifu.fails("compare", game, other)
