"""What the table wrote down, beside the audit."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.service("kept")


@pytest.fixture
def sheet(kifu) -> str:
    """A score sheet with two rounds: 15 to 11."""
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Anna", "--seat", "Ben").strip()
    kifu("record", game, "-", stdin="12 7\n3 4\n")
    return game


@pytest.mark.slow
def test_a_claim_that_agrees_says_so(kifu, sheet):
    assert "Claimed as entry 4." in kifu("claim", sheet, 15, 11)
    assert "Claim 4, of the moment after entry 4, agrees with the audit." in kifu("claims", sheet)


def test_a_difference_names_the_entries_that_it_comes_from(kifu, sheet):
    kifu("claim", sheet, 12, "?", "--text", "Anna forgot a round")
    output = kifu("claims", sheet)
    assert "differs from the audit" in output
    assert "Anna forgot a round" in output
    rows = [line.split() for line in output.splitlines()]
    assert ["Anna", "total", "12", "15", "-3", "3", "(+3", "round-2)"] in rows
    assert ["Ben", "total", "?", "11"] in rows


@pytest.mark.slow
def test_a_line_that_the_paper_counts_twice_is_named(kifu, sheet):
    kifu("claim", sheet, 18, 22)
    rows = [" ".join(line.split()) for line in kifu("claims", sheet).splitlines()]
    assert "Anna total 18 15 +3 counted twice: 3 (+3 round-2)" in rows
    assert "Ben total 22 11 +11 counted twice: 2 (+7 round-1), 3 (+4 round-2)" in rows


@pytest.mark.slow
def test_a_line_that_stands_on_the_paper_twice_is_named(kifu, sheet):
    kifu("claim", sheet, "--line", "1:round-2:3", "--line", "1:round-2:3")
    rows = [" ".join(line.split()) for line in kifu("claims", sheet).splitlines()]
    assert "Anna round-2 6 3 +3 3 (+3 round-2) or counted twice: 3 (+3 round-2)" in rows


def test_a_difference_that_no_line_makes_up_names_none(kifu, sheet):
    kifu("claim", sheet, 16, 11)
    (claim,) = json.loads(kifu("claims", sheet, "--json"))["claims"]
    assert [(seat["explained_by"], seat["twice"]) for seat in claim["seats"]] == [([], [])] * 2


@pytest.mark.slow
def test_single_lines_are_compared(kifu, sheet):
    kifu("claim", sheet, "--line", "Player1:round-1:11", "--line", "1:round-2:3", "--entry", 3)
    rows = [line.split()[:6] for line in kifu("claims", sheet).splitlines()]
    assert ["Anna", "round-1", "11", "12", "-1", "2"] in rows
    assert not any(row[:2] == ["Anna", "round-2"] for row in rows)
    assert "claims 2 lines" in kifu("replay", sheet)


def test_negative_points_can_be_claimed(kifu, sheet):
    kifu("claim", sheet, -3, "-4", "--line=1:late:-2")
    (claim,) = json.loads(kifu("claims", sheet, "--json"))["claims"]
    assert [seat["claimed"] for seat in claim["seats"]] == [-3, -4]
    assert any(line["claimed"] == -2 for line in claim["lines"])


@pytest.mark.slow
def test_a_game_without_claims_says_so(kifu, sheet):
    assert "The table claimed nothing." in kifu.run("claims", sheet).stderr
    assert "nothing is stored" in kifu("claim", sheet, 1, 2, "--dry-run")
    assert json.loads(kifu("claims", sheet, "--json"))["claims"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "a claim has scores, or lines, or both"),
        ((1,), "the game has 2 seats, and these are 1"),
        ((1, 2, "--entry", 9), "there is no entry 9"),
        ((1, 2, "--line", f"1:{'x' * 300}:3"), "data.lines"),
    ],
)
def test_the_service_says_why_a_claim_does_not_fit(kifu, sheet, arguments, message):
    assert message in kifu.fails("claim", sheet, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("many", 2), "'many': write a number of points up to 1,000,000,000,000, or ?"),
        ((10**13, 2), "write a number of points"),
        (("٣", 2), "write a number of points"),
        (("--faster", 2), "'--faster': write a number of points"),
        (("--line", "points 3"), "--line points 3: write it as SEAT:CATEGORY:POINTS."),
        (("--line", "1:3"), "write it as SEAT:CATEGORY:POINTS."),
        (("--line", "9:points:3"), "'9' is not a seat"),
        (("--line", "1:points:x"), "--line 1:points:x: 'x': write a number of points"),
    ],
)
def test_a_wrong_claim_is_a_usage_error(kifu, sheet, arguments, message):
    assert message in kifu.fails("claim", sheet, *arguments, code=2)
