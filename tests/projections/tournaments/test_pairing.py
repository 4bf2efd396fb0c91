"""Pairings: published tables, and properties of tournaments that are played to the end."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.tournaments.knock_out import bracket
from projections.tournaments.model import Bye, Entrant, PairingError, Round, Rules, Table, meetings, pairs
from projections.tournaments.pairing import next_round, takes_entries
from projections.tournaments.round_robin import berger
from projections.tournaments.seats import Seats, sizes
from projections.tournaments.standings import Standings, all_rounds
from tests.choosing import examples
from tests.projections.tournaments.playing import by_chance, by_seed, ended, field, play, played

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Pairing = list[tuple[str, ...]]

# The Berger tables as printed in the FIDE Handbook, C.05 annex 1 (also c.w.fox.tripod.com/chess/berger.html).
PRINTED = {
    4: "1-4 2-3/4-3 1-2/2-4 3-1",
    6: "1-6 2-5 3-4/6-4 5-3 1-2/2-6 3-1 4-5/6-5 1-4 2-3/3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5/8-5 6-4 7-3 1-2/2-8 3-1 4-7 5-6/8-6 7-5 1-4 2-3/3-8 4-2 5-1 6-7/"
    "8-7 1-6 2-5 3-4/4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6/10-6 7-5 8-4 9-3 1-2/2-10 3-1 4-9 5-8 6-7/10-7 8-6 9-5 1-4 2-3/3-10 4-2 5-1 6-9 7-8/"
    "10-8 9-7 1-6 2-5 3-4/4-10 5-3 6-2 7-1 8-9/10-9 1-8 2-7 3-6 4-5/5-10 6-4 7-3 8-2 9-1",
}

seeds = st.integers(0, 2**32)
MORE = examples(8)


@pytest.mark.parametrize("people", PRINTED)
def test_a_round_robin_follows_the_printed_berger_tables(people: int) -> None:
    printed = [sorted(round_.split()) for round_ in PRINTED[people].split("/")]
    assert [sorted(f"{a}-{b}" for a, b in berger(people, number + 1)) for number in range(people - 1)] == printed
    rounds = play(Rules(format="round_robin"), field(people), by_seed)
    made = [sorted("-".join(player[1:] for player in table.players) for table in each.tables) for each in rounds]
    assert made == printed


@MORE
@given(st.integers(2, 13), st.integers(1, 2), seeds)
def test_each_pair_meets_as_often_as_the_rules_say(people: int, times: int, seed: int) -> None:
    rules, entrants = Rules(format="round_robin", meetings=times), field(people)
    rounds = play(rules, entrants, by_chance(random.Random(seed)))
    assert meetings(rounds) == dict.fromkeys(pairs([each.player for each in entrants]), times)
    assert len(rounds) == all_rounds(rules, people)
    if times == 2:
        assert {Seats(rounds).balance(each.player) for each in entrants} == {0}


def test_a_round_robin_goes_on_from_pairs_that_were_made_by_hand() -> None:
    rules, entrants = Rules(format="round_robin"), field(6)
    tables = (Table(players=("p1", "p2")), Table(players=("p3", "p4")), Table(players=("p5", "p6")))
    rounds = [played(Round(tables=tables), by_seed)]
    while found := next_round(rules, entrants, rounds):
        rounds.append(played(found, by_seed))
    assert meetings(rounds) == dict.fromkeys(pairs([each.player for each in entrants]), 1)


@MORE
@given(st.integers(3, 9), st.integers(1, 4), st.integers(1, 6), seeds)
def test_late_entries_of_a_round_robin_meet_everybody_once(people: int, late: int, after: int, seed: int) -> None:
    rules, entrants, end = Rules(format="round_robin"), field(people), by_chance(random.Random(seed))
    rounds = play(rules, entrants, end, after)
    entrants += [
        Entrant(player=f"p{number}", seed=number, first=len(rounds) + 1)
        for number in range(people + 1, people + 1 + late)
    ]
    while found := next_round(rules, entrants, rounds):
        rounds.append(played(found, end))
    assert meetings(rounds) == dict.fromkeys(pairs([each.player for each in entrants]), 1)


@MORE
@given(st.integers(4, 9), st.integers(0, 4), st.booleans(), seeds)
def test_a_withdrawal_from_a_round_robin_is_a_walkover_for_those_not_met(
    people: int, after: int, late: bool, seed: int
) -> None:
    rules, entrants, end = Rules(format="round_robin"), field(people), by_chance(random.Random(seed))
    if late:
        entrants[-1] = msgspec.structs.replace(entrants[-1], first=2)
    rounds = play(rules, [each for each in entrants if each.first == 1], end, 1) if late else []
    while len(rounds) <= after and (found := next_round(rules, entrants, rounds)):
        rounds.append(played(found, end))
    gone = entrants[seed % people]
    entrants[seed % people] = msgspec.structs.replace(gone, last=len(rounds))
    while found := next_round(rules, entrants, rounds):
        rounds.append(played(found, end))
    walkovers = Counter(bye.player for each in rounds for bye in each.byes if bye.kind == "walkover")
    for each in entrants:
        if each.player != gone.player:
            met = meetings(rounds).get(frozenset((each.player, gone.player)), 0)
            assert met + walkovers[each.player] == 1


@MORE
@given(st.integers(2, 24), st.integers(1, 9), seeds)
@pytest.mark.slow
def test_a_swiss_pairs_nobody_twice_if_that_can_be_avoided(people: int, most: int, seed: int) -> None:
    _check_rematches(people, most, seed)


@pytest.mark.parametrize(("people", "most"), [(31, 7), (40, 9)])
@pytest.mark.slow
def test_larger_fields_meet_nobody_twice_have_one_bye_and_begin_about_as_often(people: int, most: int) -> None:
    rounds = _check_rematches(people, most, seed=7)
    assert len(rounds) == most
    assert set(meetings(rounds).values()) == {1}
    assert set(Counter(bye.player for each in rounds for bye in each.byes).values()) <= {1}
    assert max(abs(Seats(rounds).balance(each.player)) for each in field(people)) <= 2


def _check_rematches(people: int, most: int, seed: int) -> list[Round]:
    """The rounds of a tournament with chance results, each looked at for rematches and byes."""
    rules, entrants = Rules(rounds=most), field(people)
    rounds: list[Round] = []
    chance = random.Random(seed)
    while found := next_round(rules, entrants, rounds):
        before, shuffled = meetings(rounds), chance.sample(entrants, people)
        assert next_round(rules, shuffled, rounds) == found, "the order of entrants changes nothing"
        seated = [player for table in found.tables for player in table.players]
        assert sorted([*seated, *(bye.player for bye in found.byes)]) == sorted(each.player for each in entrants)
        assert len(found.byes) == people % 2
        again = sum(before.get(pair, 0) for table in found.tables for pair in pairs(table.players))
        free = {bye.player for each in rounds for bye in each.byes}
        again += sum(bye.player in free for bye in found.byes)
        assert not again or not _can_avoid(entrants, before, free)
        rounds.append(played(found, by_chance(chance)))
    return rounds


@MORE
@given(st.integers(3, 8), st.integers(2, 5), seeds)
@pytest.mark.slow
def test_a_small_field_is_paired_as_the_best_of_all_pairings(people: int, most: int, seed: int) -> None:
    """The fewest rematches and second byes, and of those pairings the least squares of the differences of points."""
    rules, entrants = Rules(rounds=most), field(people)
    rounds: list[Round] = []
    end = by_chance(random.Random(seed))
    while found := next_round(rules, entrants, rounds):
        made = [table.players for table in found.tables] + [(bye.player,) for bye in found.byes]
        points = Standings(rules, entrants, rounds).points
        best = min(_cost(each, rounds, points) for each in _all_pairings([each.player for each in entrants]))
        assert _cost(made, rounds, points) == best
        rounds.append(played(found, end))


def _cost(pairing: Pairing, rounds: list[Round], points: Mapping[str, Fraction]) -> tuple[int, Fraction]:
    """How many rematches and further byes there are, and the squares of the differences. A bye is against the last."""
    met, lowest = meetings(rounds), min(points.values())
    free = Counter(bye.player for each in rounds for bye in each.byes)
    again = sum(met.get(frozenset(pair), 0) if len(pair) == 2 else free[pair[0]] for pair in pairing)
    apart = [points[pair[0]] - (points[pair[1]] if len(pair) == 2 else lowest) for pair in pairing]
    return again, sum((each * each for each in apart), Fraction())


def _all_pairings(people: list[str]) -> Iterator[Pairing]:
    """Every way to pair people; with an odd number each of them may be the one left."""
    if len(people) % 2:
        for free in people:
            yield from ([(free,), *rest] for rest in _all_pairings([each for each in people if each != free]))
    elif people:
        for other in people[1:]:
            rest_of = [each for each in people[1:] if each != other]
            yield from ([(people[0], other), *rest] for rest in _all_pairings(rest_of))
    else:
        yield []


def _can_avoid(entrants: list[Entrant], before: dict[frozenset[str], int], free: set[str]) -> bool:
    graph: nx.Graph[str] = nx.Graph()
    people = [each.player for each in entrants]
    graph.add_nodes_from(people)
    graph.add_edges_from(tuple(pair) for pair in pairs(people) if not before.get(pair))
    if len(people) % 2:
        graph.add_edges_from(("", player) for player in people if player not in free)
    return len(nx.max_weight_matching(graph, maxcardinality=True)) * 2 == graph.number_of_nodes()


@MORE
@given(st.integers(6, 20), seeds)
@pytest.mark.slow
def test_a_swiss_gives_byes_and_first_places_fairly(people: int, seed: int) -> None:
    rules, entrants = Rules(rounds=5), field(people)
    rounds = play(rules, entrants, by_chance(random.Random(seed)))
    byes = Counter(bye.player for each in rounds for bye in each.byes)
    assert set(byes.values()) <= {1}, "nobody has a second bye"
    assert all(abs(Seats(rounds).balance(each.player)) <= 3 for each in entrants)
    points = [Standings(rules, entrants, rounds[:number]).points for number in range(5)]
    for number, each in enumerate(rounds):
        lowest = min(points[number].values())
        assert all(points[number][bye.player] <= lowest + number for bye in each.byes)


def test_a_swiss_pairs_equals_and_upper_half_against_lower_half() -> None:
    first = next_round(Rules(), field(8), [])
    assert first is not None
    assert {frozenset(table.players) for table in first.tables} == {
        frozenset((f"p{n}", f"p{n + 4}")) for n in range(1, 5)
    }
    rounds = play(Rules(), field(8), by_seed)
    assert len(rounds) == 3
    points = Standings(Rules(), field(8), rounds[:1]).points
    assert all(points[table.players[0]] == points[table.players[1]] for table in rounds[1].tables)


@pytest.mark.slow
def test_a_field_of_four_hundred_is_paired_without_a_rematch() -> None:
    rules, end = Rules(rounds=3), by_chance(random.Random(5))
    rounds = play(rules, field(401), end)
    assert set(meetings(rounds).values()) == {1}
    assert [len(each.tables) for each in rounds] == [200] * 3


def test_late_entries_withdrawals_and_byes_of_a_swiss() -> None:
    rules, entrants = Rules(rounds=3), field(6)
    entrants[0] = msgspec.structs.replace(entrants[0], byes={2: "half"})
    entrants[1] = msgspec.structs.replace(entrants[1], last=1)
    entrants[5] = msgspec.structs.replace(entrants[5], first=2)
    rounds = play(rules, entrants, by_seed)
    assert [sorted(bye.kind for bye in each.byes) for each in rounds] == [["bye"], ["half"], ["bye"]]
    games = Standings(rules, entrants, rounds).games
    assert [game.kind for game in games("p2")][1:] == ["missed", "missed"]
    assert games("p6")[0].kind == "missed"
    assert games("p1")[1].points * 2 == 1


@pytest.mark.parametrize(
    ("people", "smallest", "largest", "found"),
    [
        (13, 3, 4, (4, 3, 3, 3)),
        (5, 3, 4, (4,)),
        (7, 2, 2, (2, 2, 2)),
        (1, 2, 2, ()),
        (6, 4, 6, (6,)),
        (11, 5, 6, (6, 5)),
    ],
)
def test_sizes_of_tables(people: int, smallest: int, largest: int, found: tuple[int, ...]) -> None:
    assert sizes(people, smallest, largest) == found


@MORE
@given(st.integers(2, 40), st.integers(3, 6), st.sampled_from(["swiss", "round_robin"]), seeds)
@pytest.mark.slow
def test_tables_of_more_than_two_seat_everybody_once(people: int, size: int, kind: Any, seed: int) -> None:
    rules, entrants = Rules(format=kind, rounds=4, at_table=size), field(people)
    rounds = play(rules, entrants, by_chance(random.Random(seed)))
    assert rounds
    for each in rounds:
        everybody = [player for table in each.tables for player in table.players] + [bye.player for bye in each.byes]
        assert sorted(everybody) == sorted(entrant.player for entrant in entrants)
        smallest = min(rules.smallest_table, people)
        assert all(smallest <= len(table.players) <= size for table in each.tables)
    assert next_round(rules, entrants[::-1], rounds[:1]) == next_round(rules, entrants, rounds[:1])


def test_sixteen_at_four_tables_meet_nobody_twice_in_three_rounds() -> None:
    rules = Rules(format="round_robin", at_table=4, rounds=3)
    rounds = play(rules, field(16), by_seed)
    assert set(meetings(rounds).values()) == {1}


def test_first_places_at_tables_of_four_are_shared() -> None:
    rounds = play(Rules(rounds=4, at_table=4), field(16), by_chance(random.Random(1)))
    first = Counter(table.players[0] for each in rounds for table in each.tables)
    assert max(first.values()) <= 2


@MORE
@given(st.integers(2, 40), st.booleans())
def test_the_best_seeds_of_a_knock_out_meet_last(people: int, third: bool) -> None:
    rules = Rules(format="knock_out", third_place=third)
    entrants = field(people)
    rounds = play(rules, entrants, by_seed)
    assert len(rounds) == all_rounds(rules, people)
    assert sum(len(each.tables) for each in rounds) == people - 1 + (third and people > 3)
    assert set(rounds[-1].tables[0].players) == {"p1", "p2"}
    rows = Standings(rules, entrants, rounds).rows()
    assert [row.player for row in rows[:2]] == ["p1", "p2"]
    if third and people > 3:
        assert [(row.rank, row.player) for row in rows[2:4]] == [(3, "p3"), (4, "p4")]
    elif people > 3:
        assert [row.rank for row in rows[2:4]] == [3, 3]


def test_a_bracket_of_sixteen() -> None:
    assert bracket(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


@MORE
@given(st.integers(2, 60), st.integers(3, 6), st.integers(1, 3), st.sampled_from([0, 2]), seeds)
def test_a_knock_out_of_larger_tables_ends_with_one_winner(
    people: int, size: int, advance: int, fewest: int, seed: int
) -> None:
    rules, entrants = Rules(format="knock_out", at_table=size, advance=advance, fewest=fewest), field(people)
    rounds = play(rules, entrants, by_chance(random.Random(seed), ties=False))
    assert len(rounds[-1].tables) == 1
    rows = Standings(rules, entrants, rounds).rows()
    best = min(zip(rounds[-1].tables[0].result.places, rounds[-1].tables[0].players, strict=True))[1]  # type: ignore[union-attr]
    assert [row.player for row in rows if row.rank == 1] == [best]


@pytest.mark.parametrize("kind", ["round_robin", "knock_out", "groups", "swiss"])
@pytest.mark.parametrize(("people", "size"), [(2, 6), (3, 5), (5, 4), (7, 4), (8, 4), (13, 5), (9, 6)])
def test_each_format_ends_and_seats_two_or_more_in_every_round(people: int, size: int, kind: Any) -> None:
    rounds = play(Rules(format=kind, at_table=size), field(people), by_chance(random.Random(people), ties=False))
    assert 1 <= len(rounds) <= 10
    assert all(each.tables for each in rounds)


def test_a_knock_out_needs_a_decision() -> None:
    rules = Rules(format="knock_out")
    first = next_round(rules, field(4), [])
    assert first is not None
    with pytest.raises(PairingError, match="a knock-out needs a decision: table 1 of round 1 has none"):
        next_round(rules, field(4), [played(first, lambda table: ended(table, 1, 1))])


def test_who_withdraws_from_a_knock_out_leaves_a_walkover() -> None:
    rules, entrants = Rules(format="knock_out"), field(4)
    rounds = play(rules, entrants, by_seed, 1)
    entrants[1] = msgspec.structs.replace(entrants[1], last=1)
    found = next_round(rules, entrants, rounds)
    assert found is not None
    assert [(bye.player, bye.kind) for bye in found.byes] == [("p1", "walkover")]
    assert next_round(rules, entrants, [*rounds, found]) is None


def test_a_double_forfeit_empties_the_place() -> None:
    rules, entrants = Rules(format="knock_out"), field(8)
    first = next_round(rules, entrants, [])
    assert first is not None
    tables = [*map(by_seed, first.tables[:3]), ended(first.tables[3], 1, 1, forfeits=frozenset({0, 1}))]
    second = next_round(rules, entrants, [msgspec.structs.replace(first, tables=tuple(tables))])
    assert second is not None
    assert (len(second.tables), [bye.kind for bye in second.byes]) == (1, ["walkover"])


@MORE
@given(st.integers(6, 24), st.integers(2, 4), st.integers(1, 2), seeds)
@pytest.mark.slow
def test_groups_play_a_round_robin_and_the_best_go_on(people: int, groups: int, qualify: int, seed: int) -> None:
    rules, entrants = Rules(format="groups", groups=groups, qualify=qualify), field(people)
    chance = by_chance(random.Random(seed), ties=False)
    rounds = play(rules, entrants, chance)
    grouped = [each for each in rounds if each.stage == "group"]
    for group in range(groups):
        members = {
            player for each in grouped for table in each.tables if table.group == group for player in table.players
        }
        met = meetings([Round(tables=tuple(t for t in each.tables if t.group == group)) for each in grouped])
        assert met == dict.fromkeys(pairs(sorted(members)), 1) or len(members) < 2
    knocked = rounds[len(grouped) :]
    rows = Standings(rules, entrants, rounds).rows()
    through = {player for each in knocked for table in each.tables for player in table.players}
    through |= {bye.player for each in knocked for bye in each.byes}
    assert {row.player for row in rows[: len(through)]} == through
    assert len(through) in {0, min(people, groups * qualify)}
    if groups % 2 == 0:
        of = {row.player: row.group for row in rows}
        assert all(of[table.players[0]] != of[table.players[1]] for table in knocked[0].tables)


def test_a_round_of_a_group_in_which_all_opponents_are_gone_is_one_of_walkovers() -> None:
    rules, entrants = Rules(format="groups", groups=1, qualify=2), field(4)
    rounds = play(rules, entrants, by_seed, 1)
    entrants = [msgspec.structs.replace(each, last=1) if each.seed in {1, 3} else each for each in entrants]
    while found := next_round(rules, entrants, rounds):
        rounds.append(played(found, by_seed))
    assert [[bye.kind for bye in each.byes] for each in rounds[1:]] == [["walkover"] * 2, [], []]
    assert [each.stage for each in rounds] == ["group"] * 3 + ["knock_out"]
    points = Standings(rules, entrants, rounds[:3]).points
    assert points == {"p1": 0, "p2": 1, "p3": 0, "p4": 0}, "both left before half of their games"


@pytest.mark.parametrize("gone", range(5), ids=str)
@pytest.mark.parametrize(("groups", "qualify"), [(1, 1), (2, 1), (2, 2)], ids=str)
def test_groups_end_with_one_winner_or_with_nobody_if_players_leave_them(groups: int, qualify: int, gone: int) -> None:
    rules, entrants = Rules(format="groups", groups=groups, qualify=qualify), field(4)
    rounds = play(rules, entrants, by_seed, 1)
    entrants = [msgspec.structs.replace(each, last=1) if each.seed <= gone else each for each in entrants]
    while found := next_round(rules, entrants, rounds):
        rounds.append(played(found, by_seed))
        assert len(rounds) < 9
    rows = Standings(rules, entrants, rounds).rows()
    assert gone == 4 or rows[0].player == f"p{gone + 1}"


@pytest.mark.parametrize(
    ("gone", "ranks"),
    [
        ((), (1, 2, 3, 4)),
        ((1,), (2, 1, 3, 4)),
        ((2,), (1, 2, 3, 4)),
        ((1, 2), (1, 1, 3, 4)),
        ((3,), (1, 2, 4, 3)),
        ((3, 4), (1, 2, 3, 3)),
        ((1, 3), (2, 1, 4, 3)),
    ],
    ids=str,
)
def test_the_first_four_of_a_knock_out_when_some_leave_before_its_last_round(
    gone: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    rules, entrants = Rules(format="knock_out", third_place=True), field(4)
    rounds = play(rules, entrants, by_seed, 1)
    entrants = [msgspec.structs.replace(each, last=1) if each.seed in gone else each for each in entrants]
    last = next_round(rules, entrants, rounds)
    assert last is not None
    rounds.append(played(last, by_seed))
    assert next_round(rules, entrants, rounds) is None
    rows = {row.player: row.rank for row in Standings(rules, entrants, rounds).rows()}
    assert tuple(rows[each.player] for each in entrants) == ranks


def test_who_leaves_a_knock_out_stands_beside_those_who_lose_in_that_round() -> None:
    rules, entrants = Rules(format="knock_out"), field(16)
    rounds = play(rules, entrants, by_seed, 1)
    entrants[0] = msgspec.structs.replace(entrants[0], last=1)
    rounds.append(played(next_round(rules, entrants, rounds) or Round(tables=()), by_seed))
    rows = {row.player: row.rank for row in Standings(rules, entrants, rounds).rows()}
    assert [player for player, rank in rows.items() if rank == 5] == ["p1", "p5", "p6", "p7"]


def test_a_bye_and_a_win_lead_equally_far_in_a_knock_out() -> None:
    rules, entrants = Rules(format="knock_out"), field(5)
    rows = Standings(rules, entrants, play(rules, entrants, by_seed, 1)).rows()
    assert [row.rank for row in rows] == [1, 1, 1, 1, 5]


@MORE
@given(st.integers(2, 17), st.booleans(), seeds)
def test_pairs_that_organisers_make_in_a_knock_out_count_as_those_of_the_bracket(
    people: int, third: bool, seed: int
) -> None:
    chance, rules, entrants = random.Random(seed), Rules(format="knock_out", third_place=third), field(people)
    rounds, inside = list[Round](), {each.player for each in entrants}
    while found := next_round(rules, entrants, rounds):
        due = [player for table in found.tables for player in table.players] + [bye.player for bye in found.byes]
        assert inside <= set(due), "all who won go on"
        order = chance.sample(sorted(inside), len(inside))
        free = len(found.byes)
        tables = [Table(players=(a, b)) for a, b in zip(order[free::2], order[free + 1 :: 2], strict=True)]
        tables += [Table(players=tuple(set(due) - inside))] if set(due) - inside else []
        byes = tuple(Bye(player=player) for player in order[:free])
        rounds.append(played(Round(tables=tuple(tables), byes=byes, stage="knock_out"), by_seed))
        lost = {max(table.players, key=lambda player: int(player[1:])) for table in rounds[-1].tables}
        inside -= lost
    assert inside == {"p1"}
    rows = Standings(rules, entrants, rounds).rows()
    assert [row.player for row in rows if row.rank == 1] == ["p1"]


def test_a_win_by_forfeit_is_as_good_as_a_bye_where_the_next_bye_is_given() -> None:
    absent = ended(Table(players=("p1", "p2")), 1, 2, forfeits=frozenset({0}))
    rounds = [Round(tables=(absent, by_seed(Table(players=("p3", "p4")))), byes=(Bye(player="p5"),))]
    entrants = [msgspec.structs.replace(each, last=1) if each.seed in {1, 4} else each for each in field(5)]
    found = next_round(Rules(rounds=3), entrants, rounds)
    assert found is not None
    assert [bye.player for bye in found.byes] == ["p3"]


def test_bad_moments_have_sentences() -> None:
    with pytest.raises(PairingError, match="at least two entrants"):
        next_round(Rules(), field(1), [])
    with pytest.raises(PairingError, match="round 1 has tables without a result"):
        next_round(Rules(), field(2), [Round(tables=(Table(players=("p1", "p2")),))])
    with pytest.raises(PairingError, match="nobody is there"):
        next_round(Rules(), [Entrant(player=f"p{n}", seed=n, byes={1: "zero"}) for n in (1, 2)], [])
    assert takes_entries(Rules(format="knock_out"), [])
    assert not takes_entries(Rules(format="groups"), [Round(tables=())])
