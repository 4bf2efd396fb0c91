"""Standings and tie-breaks: official tables, published examples, and rules that are counted by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, takewhile
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.tournaments.model import Bye, Entrant, Result, Round, Rules, Table
from projections.tournaments.pairing import next_round
from projections.tournaments.standings import Standings, annulled_players
from projections.tournaments.tie_breaks import Game, Record, tie_break
from tests.choosing import examples
from tests.projections.tournaments.playing import by_chance, by_seed, ended, field, golden, play, played

HALF = Fraction(1, 2)


def test_buchholz_of_the_womens_world_rapid_championship_is_the_official_one() -> None:
    entrants, rounds, official = golden("womens-world-rapid-2024.txt")
    rules = Rules(rounds=11, tie_breaks=("buchholz_cut_1", "buchholz"))
    rows = Standings(rules, entrants, rounds).rows()
    assert len(rows) == 110
    for row in rows:
        assert [row.points, *(value.value for value in row.values)] == official[row.player]
        for value in row.values:
            assert sum(line.value for line in value.lines if not line.cut) == value.value
    order = [official[row.player] for row in rows]
    assert order == sorted(order, reverse=True)


def test_tie_breaks_of_the_uzchess_cup_are_the_official_ones() -> None:
    entrants, rounds, official = golden("uzchess-cup-2025.txt")
    rules = Rules(format="round_robin", tie_breaks=("direct_encounter", "sonneborn_berger", "wins"))
    rows = Standings(rules, entrants, rounds).rows()
    for row in rows:
        direct = [other.values[0].value for other in rows if other.points == row.points]
        place = 1 + sum(value > row.values[0].value for value in direct) if len(direct) > 1 else 0
        assert [row.points, place, *(value.value for value in row.values[1:])] == official[row.player]
    assert [row.rank for row in rows] == list(range(1, 11))


def test_the_table_of_a_real_team_event_is_the_official_one() -> None:
    """Six school teams at three boards (chess-results.com, tournament 769171): match points, boards, direct encounter.

    The crosstable has the boards that each team won against each other one.
    """
    boards = {"A": ".21333", "B": "1.2333", "C": "21.323", "D": "000.23", "E": "0011.3", "F": "00000."}
    rounds = [
        Round(tables=(ended(Table(players=(a, b)), *places, scores=(won, lost)),))
        for (one, a), (other, b) in combinations(enumerate(boards), 2)
        for won, lost in [(int(boards[a][other]), int(boards[b][one]))]
        for places in [(1, 2) if won > lost else (2, 1)]
    ]
    entrants = [Entrant(player=player, seed=seed) for seed, player in enumerate("FEDCBA", 1)]
    rules = Rules(format="round_robin", points={2: (2, 0)}, draw=1, tie_breaks=("score_total", "direct_encounter"))
    rows = Standings(rules, entrants, rounds).rows()
    assert [(row.rank, row.player, row.points, row.values[0].value) for row in rows] == [
        (1, "A", 8, 12),
        (2, "B", 8, 12),
        (3, "C", 8, 11),
        (4, "D", 4, 5),
        (5, "E", 2, 5),
        (6, "F", 0, 0),
    ]
    assert [row.values[1].value for row in rows[:2]] == [2, 0], "they met, and alone of these three have as many boards"


def test_sonneborn_berger_of_a_double_round_robin() -> None:
    """The example of Sensei's Library (senseis.xmp.net, "Sonneborn-Berger"): A 11, B 9, C 6, D 4."""
    won = ["AB", "AC", "AD", "BC", "BD", "CD", "BA", "AC", "DA", "CB", "BD", "CD"]
    rounds = [Round(tables=(ended(Table(players=(a, b)), 1, 2),)) for a, b in won]
    entrants = [Entrant(player=player, seed=seed) for seed, player in enumerate("ABCD", 1)]
    rules = Rules(format="round_robin", meetings=2, tie_breaks=("sonneborn_berger",))
    rows = Standings(rules, entrants, rounds).rows()
    assert [(row.player, row.points, row.values[0].value) for row in rows] == [
        ("A", 4, 11),
        ("B", 4, 9),
        ("C", 3, 6),
        ("D", 1, 4),
    ]


def test_opponents_win_rate_is_never_less_than_a_third_of_one() -> None:
    """The opponents of "Figuring out tiebreakers" (strategy.channelfireball.com): 0-3, 1-2 and 2-1 make 44.44 %."""
    rules = Rules()

    def lost_and_won(lost: int, won: int) -> list[Game]:
        games = [Game(round=n, kind="played", points=Fraction()) for n in range(lost)]
        return games + [Game(round=n + lost, kind="played", points=Fraction(1)) for n in range(won)]

    games = {"john": lost_and_won(3, 0), "bob": lost_and_won(2, 1), "billy": lost_and_won(1, 2)}
    games["me"] = [
        Game(round=n, kind="played", points=Fraction(1), shares={other: Fraction(1)}) for n, other in enumerate(games)
    ]
    points = {player: sum((game.points for game in of), Fraction()) for player, of in games.items()}
    record = Record(rules=rules, games=games, points=points, scheduled=False)
    assert tie_break("opponents_win_rate", record, ["me"])["me"].value == Fraction(4, 9)


def _swiss() -> tuple[Rules, list[Entrant], list[Round]]:
    """Three rounds of five: p5 has a bye, p4 leaves after the first round, p3 asks for a half, p2 forfeits."""
    rules = Rules(rounds=3, tie_breaks=("buchholz", "buchholz_cut_1", "sonneborn_berger", "buchholz_median"))
    entrants = field(5)
    rounds = [
        Round(
            tables=(ended(Table(players=("p1", "p2")), 1, 2), ended(Table(players=("p3", "p4")), 1, 1)),
            byes=(Bye(player="p5"),),
        ),
        Round(
            tables=(ended(Table(players=("p5", "p1")), 1, 2),), byes=(Bye(player="p3", kind="half"), Bye(player="p2"))
        ),
        Round(
            tables=(
                ended(Table(players=("p1", "p3")), 1, 2),
                ended(Table(players=("p5", "p2")), 1, 2, forfeits=frozenset({1})),
            )
        ),
    ]
    entrants[3] = msgspec.structs.replace(entrants[3], last=1)
    return rules, entrants, rounds


def test_unplayed_rounds_count_as_the_handbook_says() -> None:
    """FIDE Handbook C.07, article 16, by hand.

    Points: p1 2, p2 1 (a bye), p3 1, p4 ½, p5 3. For opponents, rounds after leaving are draws: p4 is worth
    ½+½+½ = 1½. A forfeit is none (16.2.4): p2 is worth 1. An own unplayed round is one against somebody with the own
    points (16.4). These are at most 1½, a draw in each of three rounds. For p5's win by forfeit it is 1, as p2 has.
    """
    rules, entrants, rounds = _swiss()
    standings = Standings(rules, entrants, rounds)
    assert standings.points == {"p1": 2, "p2": 1, "p3": 1, "p4": HALF, "p5": 3}
    rows = {row.player: [value.value for value in row.values] for row in standings.rows()}
    assert rows["p1"][0] == 1 + 3 + 1
    assert rows["p5"][0] == Fraction(3, 2) + 2 + 1
    assert rows["p3"][:2] == [Fraction(3, 2) + 1 + 2, Fraction(3, 2) + 2], "the half that was asked for is cut first"
    assert rows["p1"][2] == 1 + 0 + 1
    assert rows["p3"][2] == HALF * Fraction(3, 2) + HALF * 1 + 0
    assert rows["p1"][3] == 1, "the median is without the highest and the lowest"


def test_a_forfeit_against_somebody_who_then_leaves_and_byes_are_capped() -> None:
    """FIDE Handbook C.07 (1 March 2026), 16.2 to 16.4, by hand: a win is worth 2 points, a draw 1, a bye 2.

    p3 does not come to the first round, and leaves: 0 points, and for opponents 0+1+1 = 2. Points: p1 5, p2 3, p4 4.
    p1's win by forfeit counts min(5, 2); the byes of p2 and p4 count min(3, 3·1) and min(4, 3·1).
    """
    rules = Rules(rounds=3, points={2: (2, 0)}, draw=1, tie_breaks=("buchholz", "sonneborn_berger"))
    entrants = field(4)
    entrants[2] = msgspec.structs.replace(entrants[2], last=1)
    absent = ended(Table(players=("p1", "p3")), 1, 2, forfeits=frozenset({1}))
    rounds = [
        Round(tables=(absent, ended(Table(players=("p4", "p2")), 1, 1))),
        Round(tables=(ended(Table(players=("p1", "p2")), 1, 2),), byes=(Bye(player="p4"),)),
        Round(tables=(ended(Table(players=("p1", "p4")), 1, 1),), byes=(Bye(player="p2"),)),
    ]
    rows = {
        row.player: (row.points, *(value.value for value in row.values))
        for row in Standings(rules, entrants, rounds).rows()
    }
    assert rows == {
        "p1": (5, 2 + 3 + 4, 2 + 3 + 2),
        "p2": (3, 4 + 5 + 3, 2 + 0 + 3),
        "p3": (0, 0, 0),
        "p4": (4, 3 + 3 + 5, Fraction(3, 2) + 3 + Fraction(5, 2)),
    }


def test_a_line_says_what_it_stands_for() -> None:
    rules, entrants, rounds = _swiss()
    row = next(row for row in Standings(rules, entrants, rounds).rows() if row.player == "p3")
    lines = row.values[1].lines
    assert [(line.round, line.kind, line.opponents, line.of, line.cut, line.adjusted) for line in lines] == [
        (1, "played", ("p4",), Fraction(3, 2), False, True),
        (2, "half", (), 1, True, False),
        (3, "played", ("p1",), 2, False, False),
    ]


def test_direct_encounter_decides_only_what_no_missing_game_could_change() -> None:
    rules = Rules(tie_breaks=("direct_encounter",))
    entrants = field(6)
    win = lambda a, b: ended(Table(players=(a, b)), 1, 2)  # noqa: E731
    # p1, p2, p3 and p5 have one point each: p1 beat p2, and p5 beat p1; p3 met none of them.
    rounds = [Round(tables=(win("p1", "p2"), win("p3", "p4"))), Round(tables=(win("p5", "p1"), win("p2", "p6")))]
    rows = Standings(rules, entrants, rounds).rows()
    assert {row.player: row.rank for row in rows if row.points == 1} == dict.fromkeys(("p1", "p2", "p3", "p5"), 1)
    more = Standings(rules, entrants, [*rounds, Round(tables=(win("p3", "p6"), win("p5", "p4")))]).rows()
    assert {(row.rank, row.player) for row in more[:2]} == {(1, "p3"), (1, "p5")}, "they did not meet"
    assert [(row.rank, row.player) for row in more if row.points == 1] == [(3, "p1"), (4, "p2")]


def _among(rules: Rules, *results: str) -> dict[str, tuple[Fraction, int]]:
    """The direct encounter of all in these results, such as `a>b` and `a=c`: its value, and the rank by it."""
    players = sorted({player for result in results for player in (result[0], result[2])})
    entrants = [Entrant(player=player, seed=seed) for seed, player in enumerate(players, 1)]
    places = {">": (1, 2), "=": (1, 1)}
    rounds = [Round(tables=(ended(Table(players=(a, b)), *places[how]),)) for a, how, b in results]
    games = {player: Standings(rules, entrants, rounds).games(player) for player in players}
    points = dict.fromkeys(players, Fraction())
    record = Record(rules=rules, games=games, points=points, scheduled=rules.format == "round_robin")
    found = tie_break("direct_encounter", record, players)
    for value in found.values():
        assert sum(line.value for line in value.lines) == value.value
    return {
        player: (value.value, 1 + sum(other.order > value.order for other in found.values()))
        for player, value in found.items()
    }


def test_those_who_are_level_in_the_direct_encounter_are_compared_once_more() -> None:
    """FIDE Handbook C.07, 6.2: ties in the separate standings are resolved by the same article, until none is."""
    found = _among(Rules(format="round_robin"), "a>b", "a=c", "a=d", "b>c", "b=d", "c=d")
    assert found == {"a": (2, 1), "b": (HALF * 3, 2), "d": (HALF * 3, 2), "c": (1, 4)}
    found = _among(Rules(format="round_robin"), "a>b", "a>c", "d>a", "b>c", "b>d", "c>d")
    assert found == {"a": (2, 1), "b": (2, 2), "c": (1, 3), "d": (1, 4)}, "a beat b, and c beat d"


def test_who_is_ahead_in_a_swiss_in_any_case_is_taken_out_and_the_others_are_compared() -> None:
    """FIDE Handbook C.07, 6.3: a is ahead without the game against d. b has 2 then, and d could have had 2½ with it."""
    found = _among(Rules(), "a>b", "a>c", "b>c", "d=b", "d=c", "e=a")
    assert {player: rank for player, (_, rank) in found.items()} == dict.fromkeys("abcde", 1)
    found = _among(Rules(), "a>b", "a>c", "a>e", "b>c", "d=c", "d=b", "e=b", "e=c", "e=d")
    assert {player: rank for player, (_, rank) in found.items()} == {"a": 1, "b": 2, "d": 3, "e": 3, "c": 5}


def test_two_who_met_more_than_once_have_the_mean_of_these_games() -> None:
    """FIDE Handbook C.07, 6.1.2."""
    found = _among(Rules(format="round_robin", meetings=2), "a>b", "a=b", "b>c", "c>a")
    assert {player: value for player, (value, _) in found.items()} == {"a": 3 * HALF / 2, "b": 5 * HALF / 2, "c": 1}


def test_the_direct_encounter_and_sonneborn_berger_count_the_points_of_the_rules() -> None:
    football = Rules(format="round_robin", points={2: (3, 0)}, draw=1)
    found = _among(football, "a=b", "a=c", "a=d", "b>c", "c>d", "d>b")
    assert {player: value for player, (value, _) in found.items()} == {"a": 3, "b": 4, "c": 4, "d": 4}
    rules = Rules(points={2: (3, 0)}, draw=1, rounds=1, tie_breaks=("sonneborn_berger",))
    rows = Standings(rules, field(2), [Round(tables=(ended(Table(players=("p1", "p2")), 1, 1),))]).rows()
    assert [row.values[0].value for row in rows] == [Fraction(1, 3)] * 2, "a draw is a third of a win"


def test_points_of_places_are_shared_and_a_draw_may_be_worth_less() -> None:
    assert Rules().of_places([1, 2]) == [1, 0]
    assert Rules().of_places([1, 1]) == [HALF, HALF]
    assert Rules().of_places([1, 2, 2, 4]) == [1, HALF, HALF, 0]
    football = Rules(points={2: (3, 0)}, draw=1)
    assert (football.of_places([1, 1]), football.win, football.half) == ([1, 1], 3, 1)
    assert Rules(points={4: (5, 3, 2, 0)}).of_places([1, 3, 1, 3]) == [4, 1, 4, 1]


def test_a_table_of_more_counts_as_the_mean_of_its_pairs() -> None:
    rules = Rules(
        at_table=3, rounds=1, tie_breaks=("buchholz", "sonneborn_berger", "wins", "score_difference", "score_total")
    )
    table = Table(players=("p1", "p2", "p3"), result=Result(places=(1, 2, 3), scores=(10, 7, 1)))
    rows = Standings(rules, field(3), [Round(tables=(table,))]).rows()
    assert [row.points for row in rows] == [1, HALF, 0]
    assert [value.value for value in rows[0].values] == [Fraction(1, 4), Fraction(1, 4), 1, 6, 10]
    assert [value.value for value in rows[1].values] == [HALF, 0, 0, Fraction(3, 2), 7]


def test_scores_are_better_if_they_are_lower_where_few_points_win() -> None:
    rules = Rules(rounds=1, tie_breaks=("score_difference", "score_total"))
    lead = Table(players=("p1", "p2"), result=Result(places=(1, 2), scores=(70, 72)))
    more = Table(players=("p3", "p4"), result=Result(places=(1, 2), scores=(65, 75)))
    assert [row.player for row in Standings(rules, field(4), [Round(tables=(lead, more))]).rows()] == [
        *("p3", "p1", "p2", "p4")
    ]


def test_a_forfeit_at_a_larger_table_leaves_the_others_playing() -> None:
    rules = Rules(at_table=3, rounds=1, tie_breaks=("wins",))
    table = ended(Table(players=("p1", "p2", "p3")), 1, 2, 3, forfeits=frozenset({0}))
    rows = Standings(rules, field(3), [Round(tables=(table,))]).rows()
    assert rows[0].player == "p2"
    assert [row.points for row in rows] == [1, HALF, 0]
    assert rows[0].values[0].value == 1


@examples(16)
@given(st.integers(2, 16), st.integers(2, 5), st.integers(0, 2**32))
@pytest.mark.slow
def test_values_are_the_sums_of_their_lines_and_points_are_conserved(people: int, size: int, seed: int) -> None:
    rules = Rules(
        rounds=4,
        at_table=size,
        tie_breaks=("buchholz", "buchholz_cut_2", "sonneborn_berger", "direct_encounter", "wins"),
    )
    entrants = field(people)
    rounds = play(rules, entrants, by_chance(random.Random(seed)))
    rows = Standings(rules, entrants, rounds).rows()
    for row in rows:
        for value in row.values:
            assert sum(line.value for line in value.lines if not line.cut) == value.value
    given_out = sum((Fraction(len(table.players), 2) for each in rounds for table in each.tables), Fraction())
    byes = sum(1 for each in rounds for bye in each.byes if bye.kind == "bye")
    assert sum(row.points for row in rows) == given_out + byes
    ranks = [row.rank for row in rows]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
    for row in rows:
        assert ranks.count(row.rank) + row.rank - 1 <= people


@examples(12)
@given(st.integers(4, 15), st.integers(0, 2**32))
@pytest.mark.slow
def test_tie_breaks_are_those_of_a_plain_count_by_the_handbook(people: int, seed: int) -> None:
    """Chance results, with byes, halves that are asked for, late entries and withdrawals."""
    chance, entrants = random.Random(seed), field(people)
    for at, more in ((0, {"byes": {chance.randint(1, 5): "half"}}), (1, {"last": chance.randint(1, 4)})):
        entrants[at] = msgspec.structs.replace(entrants[at], **more)
    entrants[-1] = msgspec.structs.replace(entrants[-1], first=chance.randint(1, 3))
    rules = Rules(rounds=5, tie_breaks=("buchholz", "buchholz_cut_1", "sonneborn_berger"))
    rounds = play(rules, entrants, by_chance(chance))
    found = {row.player: [value.value for value in row.values] for row in Standings(rules, entrants, rounds).rows()}
    assert found == _counted({each.player for each in entrants}, rounds)


def _counted(people: set[str], rounds: list[Round]) -> dict[str, list[Fraction]]:
    """Buchholz, the same without its lowest, and Sonneborn–Berger, with unplayed rounds by article 16 of C.07."""
    way: dict[str, list[tuple[str | None, Fraction, bool]]] = {player: [] for player in people}
    for each in rounds:
        here = {bye.player: (None, Fraction(bye.kind == "bye") or HALF, bye.kind == "half") for bye in each.byes}
        for table in each.tables:
            assert table.result
            assert table.result.places
            (a, b), (first, second) = table.players, table.result.places
            got = HALF if first == second else Fraction(first < second)
            here |= {a: (b, got, False), b: (a, 1 - got, False)}
        for player in people:
            way[player].append(here.get(player, (None, Fraction(), True)))
    points = {player: sum((got for _, got, _ in of), Fraction()) for player, of in way.items()}

    def worth(player: str) -> Fraction:
        """The points that an opponent has from this player: rounds left out by choice at the end are draws."""
        at_end = takewhile(lambda each: each[2], reversed(way[player]))
        return points[player] + sum((HALF - got for _, got, _ in at_end), Fraction())

    result = {}
    for player, of in way.items():
        against = [worth(other) if other else min(points[player], HALF * len(rounds)) for other, _, _ in of]
        chosen = [value for value, (_, _, by_choice) in zip(against, of, strict=True) if by_choice]
        beaten = sum((value * got for value, (_, got, _) in zip(against, of, strict=True)), Fraction())
        result[player] = [sum(against, Fraction()), sum(against, Fraction()) - min(chosen or against), beaten]
    return result


def test_standings_are_those_after_any_round() -> None:
    entrants, rounds, official = golden("uzchess-cup-2025.txt")
    after = [max(Standings(Rules(), entrants, rounds[:number]).points.values()) for number in range(10)]
    assert after[0] == 0
    assert after[9] == max(points for points, *_ in official.values())
    pending = msgspec.structs.replace(
        rounds[1], tables=(*rounds[1].tables[:4], Table(players=rounds[1].tables[4].players))
    )
    games = Standings(Rules(), entrants, [rounds[0], pending]).games
    assert [len(games(player)) for player in pending.tables[4].players] == [1, 1]


@pytest.mark.parametrize("kind", ["bye", "half", "zero", "rest", "walkover"])
def test_what_a_round_without_a_table_is_worth(kind: str) -> None:
    worth = {"bye": 1, "walkover": 1, "half": HALF}.get(kind, 0)
    each = Round(tables=(), byes=(Bye(player="p1", kind=kind),))  # type: ignore[arg-type]
    assert Standings(Rules(), field(2), [each]).points["p1"] == worth


def _without(player: str, rules: Rules, after: int) -> tuple[list[Entrant], list[Round]]:
    """A tournament of eight before its knock-out, which a player leaves after a round."""
    entrants, end, rounds = field(8), by_chance(random.Random(after)), list[Round]()
    while (found := next_round(rules, entrants, rounds)) and found.stage != "knock_out":
        rounds.append(played(found, end))
        if len(rounds) == after:
            entrants = [
                msgspec.structs.replace(each, last=after) if each.player == player else each for each in entrants
            ]
    return entrants, rounds


def _with_forfeits(each: Round, absent: str) -> Round:
    """The same round with a table for each walkover, which the absent player forfeits."""
    forfeit = Result(places=(1, 1), forfeits=frozenset({1}))
    tables = [
        Table(players=(bye.player, absent), group=bye.group, result=forfeit)
        for bye in each.byes
        if bye.kind == "walkover"
    ]
    byes = tuple(bye for bye in each.byes if bye.kind != "walkover")
    return msgspec.structs.replace(each, tables=(*each.tables, *tables), byes=byes)


@pytest.mark.parametrize(("format_", "after"), [("round_robin", 4), ("round_robin", 5), ("groups", 2)])
def test_a_walkover_of_a_round_robin_counts_as_a_forfeit_of_the_player_who_left(format_: Any, after: int) -> None:
    """FIDE C.07, article 15.2: where the pairs are known before, forfeits are regular games."""
    rules = Rules(format=format_, tie_breaks=("sonneborn_berger", "direct_encounter", "buchholz", "wins"))
    entrants, rounds = _without("p2", rules, after)
    stayed = [msgspec.structs.replace(each, last=None) for each in entrants]
    forfeited = [_with_forfeits(each, "p2") for each in rounds]
    assert forfeited != rounds
    table, expected = (
        {row.player: (row.points, [each.value for each in row.values]) for row in Standings(rules, who, of).rows()}
        for who, of in ((entrants, rounds), (stayed, forfeited))
    )
    assert table == expected


def test_a_walkover_is_that_of_the_opponent_who_was_due() -> None:
    """The Berger table of six: p6 leaves before 6-5 and 3-6, and p2 before 4-2."""
    rules, entrants = Rules(format="round_robin", tie_breaks=("sonneborn_berger",)), field(6)
    rounds = play(rules, entrants, by_seed, 3)
    for number, gone in ((3, 5), (4, 1)):
        entrants[gone] = msgspec.structs.replace(entrants[gone], last=number)
        found = next_round(rules, entrants, rounds)
        assert found
        rounds.append(played(found, by_seed))
    rows = {row.player: row for row in Standings(rules, entrants, rounds).rows()}
    lines = {
        player: [(line.round, line.opponents, line.value) for line in row.values[0].lines]
        for player, row in rows.items()
    }
    assert lines["p3"] == [(1, ("p4",), 3), (2, ("p5",), 1), (3, ("p1",), 0), (4, ("p2",), 0), (5, ("p6",), 0)]
    assert [line.kind for line in rows["p3"].values[0].lines] == [*["played"] * 4, "walkover"]
    assert [(number, others) for number, others, _ in lines["p6"][3:]] == [(4, ("p5",)), (5, ("p3",))]
    assert rows["p2"].points == 3


def _never_there(each: Round, player: str) -> Round:
    """The same round without a player, and without walkovers."""
    tables = tuple(table for table in each.tables if player not in table.players)
    return msgspec.structs.replace(each, tables=tables, byes=tuple(b for b in each.byes if b.kind != "walkover"))


@pytest.mark.parametrize("format_", ["round_robin", "groups", "swiss"])
@pytest.mark.parametrize("after", [1, 2, 3, 4])
def test_no_result_of_somebody_counts_who_left_a_round_robin_before_half_of_the_games(format_: Any, after: int) -> None:
    """FIDE Tournament Rules, V.4: a round robin has seven games a player here, and a group three."""
    rules = Rules(format=format_, rounds=7, tie_breaks=("sonneborn_berger", "direct_encounter", "wins"))
    entrants, rounds = _without("p2", rules, after)
    left_out = after * 2 < {"round_robin": 7, "groups": 3, "swiss": 0}[format_]
    assert annulled_players(rules, entrants, rounds) == ({"p2"} if left_out else frozenset())
    if left_out:
        rows = Standings(rules, entrants, rounds).rows()
        others = [_never_there(each, "p2") for each in rounds]
        expected = {row.player: (row.points, row.values) for row in Standings(rules, field(8), others).rows()}
        assert {row.player: (row.points, row.values) for row in rows} == expected
        assert [row.player for row in rows if row.played == 0] == ["p2"]
        assert max(row.rank for row in rows) == next(row.rank for row in rows if row.player == "p2")


@pytest.mark.parametrize(
    "rules", [Rules(format="round_robin", at_table=3), Rules(format="swiss"), Rules(format="knock_out")]
)
def test_a_walkover_elsewhere_has_no_opponent(rules: Rules) -> None:
    entrants = [*field(3), Entrant(player="p4", seed=4, last=1)]
    rounds = [Round(tables=()), Round(tables=(), byes=(Bye(player="p1", kind="walkover"),))]
    games = Standings(rules, entrants, rounds).games("p1")
    assert [game.shares for game in games if game.kind == "walkover"] == [{}]
