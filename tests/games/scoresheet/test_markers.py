"""MARK-1: who deals, who begins, who has had the solo."""

from __future__ import annotations

import pytest

from games.errors import NotationError
from games.scoresheet import SCORESHEET
from tests.cases import cases

POINTS = {"id": "points", "per": "round"}


def marker(moves, **fields):
    return {"id": "deal", "name": "the deal", "ja": "親", "moves": moves} | fields


def who(t):
    """The seats that have the only marker now."""
    (only,) = t.state.markers()
    return [t.name(seat) for seat in only.seats]


@pytest.fixture
def going(table):
    def lay(moves, seats=3, **fields):
        return table("", seats, [POINTS], markers=[marker(moves)], **fields)

    return lay


def test_mark_1_it_goes_to_the_next_seat_with_each_round(going):
    t = going("next")
    seen = [who(t)]
    for number in range(1, 5):
        t.do(f"r{number} 1 2 3")
        seen.append(who(t))
    assert seen == [["p1"], ["p2"], ["p3"], ["p1"], ["p2"]]


def test_mark_1_the_round_is_played_until_it_is_filled_in(going):
    t = going("next")
    t.do("r1 1 2 3", "r2 p1 5")
    assert who(t) == ["p2"]
    t.do("r2 p2 5", "r2 p3 5")
    assert who(t) == ["p3"]


def test_mark_1_a_gap_in_an_earlier_round_holds_nothing_up(going):
    t = going("next")
    t.do("r1 1 2 ?", "r2 1 2 3")
    assert who(t) == ["p3"]


@pytest.mark.parametrize(
    ("moves", "wins", "after"),
    [("winner", "highest", "p3"), ("loser", "highest", "p2"), ("winner", "lowest", "p2"), ("loser", "lowest", "p3")],
)
def test_mark_1_it_goes_to_who_won_or_lost_the_round_and_stays_on_a_tie(going, moves, wins, after):
    t = going(moves, wins=wins)
    assert who(t) == ["p1"]
    t.do("r1 5 2 9")
    assert who(t) == [after]
    t.do("r2 7 7 7")
    assert who(t) == [after]


def test_mark_1_within_a_team_that_wins_again_it_stays_where_it_is(table):
    t = table("", 4, [POINTS], markers=[marker("winner")], teams=[{"name": "A"}, {"name": "B"}])
    t.do("r1 deal p3", "r1 3 0")
    assert who(t) == ["p3"]
    t.do("r2 0 3")
    assert who(t) == ["p4"], "the first of the other team after p3"


def test_mark_1_given_by_hand_it_goes_on_from_there(going):
    t = going("next")
    assert t.do("deal p3") == ["p3 marker.given deal"]
    assert who(t) == ["p3"]
    t.do("r1 1 1 1", "r2 1 1 1")
    assert who(t) == ["p2"]
    t.do("r2 deal p1")
    assert who(t) == ["p2"], "from round 2 on: p1, and p2 in round 3"
    t.do("r3 deal p3", "r1 deal p2")
    assert who(t) == ["p3"], "an earlier round changes nothing after a later one that was set"
    assert t.do("r3 deal p3") == []


def test_mark_1_what_is_taken_is_nobodys(going):
    t = going("next")
    t.do("deal p1 off")
    assert who(t) == []
    t.do("r1 1 1 1")
    assert who(t) == []
    t.do("deal p2", "r2 1 1 1")
    assert who(t) == ["p3"]
    assert t.broken("deal p1 off") == {"MARK-1": "p1 does not have deal"}


def test_mark_1_by_hand_it_stays_until_another_one_gets_it(going):
    t = going("hand")
    assert who(t) == []
    t.do("deal p2", "r1 1 1 1", "r2 1 1 1")
    assert who(t) == ["p2"]
    t.do("deal p3")
    assert who(t) == ["p3"]
    t.do("p3 out")
    assert who(t) == []


def test_mark_1_each_can_have_it_and_keeps_it(table):
    t = table("doppelkopf", 4)
    t.do("solo p3", "solo p1", "r1 3 -1 -1 -1")
    dealer, solo = t.state.markers()
    assert (dealer.seats, solo.seats) == ((1,), (0, 2))
    t.do("so p1 off")
    assert t.state.markers()[1].seats == (2,)


def test_mark_1_who_drops_out_is_passed_over_and_earlier_rounds_do_not_move(going):
    t = going("next", seats=4)
    t.do("r1 1 1 1 1", "r2 1 1 1 1")
    assert who(t) == ["p3"]
    t.do("p2 out")
    assert who(t) == ["p3"]
    t.do("p3 out")
    assert who(t) == ["p4"]
    t.do("r3 1 ? ? 1")
    assert who(t) == ["p1"]
    t.do("r4 1 ? ? 1", "p2 in")
    assert who(t) == ["p4"]
    t.do("r5 1 1 ? 1", "r6 1 1 ? 1")
    assert who(t) == ["p2"]


def test_mark_1_nothing_is_kept_of_it_unless_it_was_given(going):
    t = going("next")
    t.do("r1 1 1 1", "r2 1 1 1")
    assert "marks" not in t.state.dump()
    t.do("deal p1")
    assert t.state.dump()["marks"] == [{"marker": "deal", "round": 3, "seat": 0, "has": True}]
    assert SCORESHEET.state.load(t.state.dump()) == t.state


def test_mark_1_without_rounds_it_goes_by_hand(table):
    t = table("", 3, [{"id": "wood"}], markers=[marker("hand")])
    t.do("deal p2")
    assert who(t) == ["p2"]
    assert "is not in rounds" in t.cannot_make(type="mark", seat=0, marker="deal", round=2)


def test_mark_1_it_is_shown_in_words_and_rows_and_nowhere_after_the_end(going):
    t = going("next")
    t.do("r1 1 2 3")
    assert t.state.describe()["markers"] == {"the deal": ["p2"]}
    assert [table.rows for table in t.state.tables() if table.caption == "Markers"] == [(("the deal", "p2"),)]
    assert "".join(span.text for span in t.state.sketch()[1]) == "the deal: p2"
    assert t.state.translated("ja", {"x": "x"}).describe()["markers"] == {"親": ["p2"]}
    t.do("end")
    assert t.state.markers() == ()
    assert "markers" not in t.state.describe()


def test_mark_1_it_brings_no_points(going):
    t = going("next")
    before = t.audit()
    t.do("deal p3")
    assert t.audit() == before


def test_mark_1_what_cannot_be_is_named(going):
    t = going("next")
    assert "no marker gong; it has deal" in t.cannot_make(type="mark", seat=0, marker="gong", round=1)
    assert "goes by rounds: say which one; round 1 is played now" in t.cannot_make(type="mark", seat=0, marker="deal")
    assert "3 seats" in t.cannot_make(type="mark", seat=3, marker="deal", round=1)
    assert t.broken("r2 deal p1") == {"ROUND-1": "round 1 comes first"}
    t.do("p2 out")
    assert t.broken("deal p2") == {"SEAT-2": "p2 has dropped out"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("deal", "expected a player here, from p1 to p3"),
        ("deal p4", "players from p1 to p3"),
        ("deal p1 3", "ends here"),
    ],
)
def test_mark_1_a_slip_is_named(going, text, why):
    with pytest.raises(NotationError, match=why):
        going("next").state.parse(text)


@cases(
    ("fields", "place", "why"),
    [
        ({"id": "points"}, "markers[0].id", "a meaning of its own"),
        ({"id": "first"}, "markers[0].id", "a meaning of its own"),
        ({"id": "end"}, "markers[0].id", "a meaning of its own"),
        ({"id": "a b"}, "markers[0].id", "letters, digits and _"),
        ({"when": "night"}, "markers[0].when", "no option night"),
    ],
)
def test_mark_1_a_marker_that_could_not_be_typed_is_refused(refused, fields, place, why):
    found, said = refused(markers=[marker("next") | fields], round_names=["first", "second"])
    assert found == place
    assert why in said


def test_mark_1_what_goes_by_rounds_needs_rounds(refused):
    found, said = refused(columns=[{"id": "wood"}], markers=[marker("next")])
    assert (found, "by hand" in said) == ("markers[0].moves", True)


def test_mark_1_two_of_a_name_are_refused(refused):
    assert refused(markers=[marker("next"), marker("hand", id="DEAL")]) == ("markers[1].id", "deal stands here twice")


def test_mark_1_a_marker_can_be_taken_from_who_dropped_out(table):
    t = table("doppelkopf", 4)
    t.do("solo p1", "p1 out")
    assert "SEAT-2" in t.broken("dealer p1")
    t.do("solo p1 off")
    assert [marker.seats for marker in t.state.markers()][1] == ()
