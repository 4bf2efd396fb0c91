"""Tables of random tournaments, counted once more: from the rounds, by the text of the FIDE Handbook alone.

C.07 (1 March 2026): 6 direct encounter, 7.1 wins, 8.1 Buchholz, 9.1 Sonneborn-Berger, 14 cuts, 15 and 16 unplayed
rounds. C.05: Berger tables. C.06: V.4. Nothing of the code that is tested is used here but its data.
"""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from projections.tournaments.model import Entrant, Result, Round, Rules, Table
from projections.tournaments.pairing import next_round
from projections.tournaments.standings import Standings
from projections.tournaments.tie_breaks import Record, tie_break
from tests.cases import cases
from tests.projections.tournaments.playing import field, played

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ZERO, HALF, ONE = Fraction(), Fraction(1, 2), Fraction(1)

TIE_BREAKS: Any = ("buchholz", "buchholz_cut_1", "buchholz_cut_2", "buchholz_median", "sonneborn_berger")
MORE: Any = ("direct_encounter", "wins", "opponents_win_rate", "score_difference", "score_total")

POINTS: list[dict[str, Any]] = [{}, {"points": {2: (3, 0)}, "draw": 1}, {"points": {2: (2, 0)}, "draw": 1}]


class Way(NamedTuple):
    """A round of a player: whether it was played, left out by choice or asked for, the points, who was met or due.

    `won` is 1 for each opponent beaten, ½ for a tie. `alone` is a table won alone.
    """

    round: int
    played: bool
    by_choice: bool
    asked: bool
    points: Fraction
    won: dict[str, Fraction]
    alone: bool = False
    taken_part: bool = True
    score: Fraction | None = None
    margin: Fraction | None = None


def tournament(rules: Rules, chance: random.Random, people: int) -> tuple[list[Entrant], list[Round]]:
    """A tournament played to its end, or to its seventh round, with all that can happen in its format."""
    entrants, rounds = field(people), list[Round]()
    if rules.format == "swiss":
        entrants[0] = msgspec.structs.replace(entrants[0], byes={chance.randint(1, 6): chance.choice(["half", "zero"])})
        late = chance.randrange(2, people)
        entrants[late] = msgspec.structs.replace(entrants[late], first=chance.randint(1, 3))
    while len(rounds) < 7 and (found := next_round(rules, entrants, rounds)):
        rounds.append(played(found, lambda table, stage=found.stage: result_by(chance, table, stage)))
        leaves = chance.randrange(people * 4)
        if leaves < people and sum(each.last is None for each in entrants) > 3 and entrants[leaves].last is None:
            entrants[leaves] = msgspec.structs.replace(entrants[leaves], last=len(rounds))
    return entrants, rounds


def result_by(chance: random.Random, table: Table, stage: str) -> Table:
    """A result by chance: scores, places alone, or with forfeits; a knock-out has a decision."""
    size = len(table.players)
    scores = chance.sample(range(9), size) if stage == "knock_out" else [chance.randint(0, 4) for _ in range(size)]
    places = tuple(1 + sum(other > own for other in scores) for own in scores)
    out = {seat for seat in range(size) if chance.random() < 0.08}
    if stage == "knock_out" and len(out) == size:
        out.pop()
    kept = tuple(map(float, scores)) if chance.random() < 0.7 and not out else None
    return msgspec.structs.replace(table, result=Result(places=places, scores=kept, forfeits=frozenset(out)))


def shared(points: Sequence[Fraction], places: Sequence[int]) -> list[Fraction]:
    """The points of places at a table: equal places have the mean of theirs."""
    ranked = sorted(range(len(places)), key=lambda seat: places[seat])
    by_place = defaultdict[int, list[Fraction]](list)
    for value, seat in zip(points, ranked, strict=True):
        by_place[places[seat]].append(value)
    return [sum(by_place[place], ZERO) / len(by_place[place]) for place in places]


class Count:
    """All that is counted of a tournament."""

    def __init__(self, rules: Rules, entrants: Sequence[Entrant], rounds: Sequence[Round]) -> None:
        self.rules, self.entrants, self.rounds = rules, entrants, rounds
        self.known_before = rules.format == "round_robin"
        win, self.draw = (map(Fraction, (rules.points[2][0], rules.draw))) if rules.points else (ONE, HALF)  # type: ignore[arg-type]
        self.win = win
        self.ways: dict[str, list[Way]] = {each.player: [] for each in entrants}
        self.out = self._annulled()
        for number, each in enumerate(rounds, 1):
            self._round(number, each)
        for player, ways in self.ways.items():
            self.ways[player] = [way for way in ways if player not in self.out and self.out.isdisjoint(way.won)]
        self.points = {player: sum((way.points for way in ways), ZERO) for player, ways in self.ways.items()}

    def _annulled(self) -> set[str]:
        """C.06, V.4: who left a round robin before half of the games."""
        if not self.known_before or self.rules.at_table != 2:
            return set()
        games = defaultdict[str, int](int)
        for each in self.rounds:
            for table in each.tables:
                assert table.result
                for player in table.players:
                    games[player] += not table.result.forfeits
        left = [e.player for e in self.entrants if e.last is not None and e.last <= len(self.rounds)]
        return {player for player in left if Fraction(games[player], len(self.entrants) - 1) < HALF}

    def _round(self, number: int, each: Round) -> None:
        found: dict[str, Way] = {}
        for table in each.tables:
            found |= self._table(number, table)
        for bye in each.byes:
            points = {"bye": self.win, "walkover": self.win, "half": self.draw}.get(bye.kind, ZERO)
            due = self._due(number, bye.player) if self.known_before and bye.kind == "walkover" else None
            asked = bye.kind in {"half", "zero"}
            rest = bye.kind in {"zero", "rest"}
            won = {due: ONE} if due else {}
            found[bye.player] = Way(number, False, asked, asked, points, won, taken_part=not rest)
            if due:
                self.ways[due].append(Way(number, False, True, True, ZERO, {bye.player: ZERO}, taken_part=False))
        for player, ways in self.ways.items():
            if player in found:
                ways.append(found[player])
            elif not self.known_before:
                ways.append(Way(number, False, True, True, ZERO, {}, taken_part=False))

    def _due(self, number: int, player: str) -> str:
        """C.05, annex 1: in round r those meet whose numbers are r + 1 in sum, by n - 1; the last meets the rest."""
        even = len(self.entrants) + len(self.entrants) % 2
        own = next(each.seed for each in self.entrants if each.player == player)
        rest = next(a for a in range(1, even) if (2 * a - number - 1) % (even - 1) == 0)
        if own == even:
            other = rest
        elif own == rest:
            other = even
        else:
            other = next(a for a in range(1, even) if a != own and (own + a - number - 1) % (even - 1) == 0)
        return next(each.player for each in self.entrants if each.seed == other)

    def _table(self, number: int, table: Table) -> dict[str, Way]:
        result, players = table.result, table.players
        assert result
        there = [seat for seat in range(len(players)) if seat not in result.forfeits]
        behind = len(players) + 1
        places = [result.places[seat] if seat in there else behind for seat in range(len(players))]
        size = len(players)
        if size == 2 and self.rules.points:
            each = [self.win, ZERO]
        else:
            each = [Fraction(size - place, size - 1) for place in range(1, size + 1)]
        points = shared(each, places)
        if size == 2 and places[0] == places[1]:
            points = [self.draw] * 2
        found = {}
        for seat, player in enumerate(players):
            others = [other for other in range(size) if other != seat]
            beats = {
                players[o]: ONE if places[seat] < places[o] else HALF * (places[seat] == places[o]) for o in others
            }
            if seat not in there:
                lost = dict.fromkeys(beats, ZERO)
                found[player] = Way(number, False, True, False, ZERO, lost)
            elif len(there) == 1:
                found[player] = Way(number, False, False, False, points[seat], beats)
            else:
                met = [o for o in others if o in there]
                score = margin = None
                if result.scores:
                    score = Fraction(result.scores[seat])
                    margin = score - sum(Fraction(result.scores[o]) for o in met) / len(met)
                alone = all(places[seat] < places[o] for o in met)
                beaten = {players[o]: Fraction(beats[players[o]]) for o in met}
                found[player] = Way(number, True, False, False, points[seat], beaten, alone, True, score, margin)
        return found

    def worth(self, player: str) -> Fraction:
        """16.3: the points of an opponent. A round asked for, with none behind it but left out by choice, is a draw."""
        ways, total = self.ways[player], ZERO
        for at, way in enumerate(ways):
            draw = not self.known_before and way.asked and all(later.by_choice for later in ways[at:])
            total += self.draw if draw else way.points
        return total

    def against(self, player: str) -> list[tuple[Fraction, Fraction, bool]]:
        """Of each round that counts: what the opponents are worth, that by the result, and if it was left by choice."""
        found = []
        for way in self.ways[player]:
            regular = way.played or (self.known_before and way.won)
            if not regular and self.known_before:
                continue
            if regular:
                worths = {other: self.worth(other) for other in way.won}
                value = sum(worths.values(), ZERO) / len(worths)
                if self.rules.at_table > 2:
                    by_result = sum((way.won[o] * worth for o, worth in worths.items()), ZERO) / len(worths)
                else:
                    by_result = value * way.points / self.win
            else:  # 16.4: a dummy with the own points, up to those of who was due, or to a draw for each round
                cap = [self.worth(other) for other in way.won]
                most = sum(cap, ZERO) / len(cap) if cap else self.draw * len(self.rounds)
                value = min(self.points[player], most)
                by_result = value * way.points / self.win
            found.append((value, by_result, way.by_choice))
        return found

    def values(self, player: str) -> dict[str, Fraction]:
        """All tie-breaks of a player but the direct encounter."""
        rounds, ways = self.against(player), self.ways[player]
        all_of, cut_1, cut_2, median = (self._cut(rounds, low, high) for low, high in ((0, 0), (1, 0), (2, 0), (1, 1)))
        met = [way for way in ways if way.played]
        rates = [sum(max(Fraction(1, 3), self._rate(o)) for o in way.won) / len(way.won) for way in met]
        return {
            "buchholz": all_of,
            "buchholz_cut_1": cut_1,
            "buchholz_cut_2": cut_2,
            "buchholz_median": median,
            "sonneborn_berger": sum((by_result for _, by_result, _ in rounds), ZERO),
            "wins": Fraction(sum(way.alone for way in met)),
            "opponents_win_rate": sum(rates, ZERO) / len(rates) if rates else ZERO,
            "score_difference": sum((way.margin for way in met if way.margin is not None), ZERO),
            "score_total": sum((way.score for way in met if way.score is not None), ZERO),
        }

    @staticmethod
    def _cut(rounds: Sequence[tuple[Fraction, Fraction, bool]], low: int, high: int) -> Fraction:
        """14 and 16.5: the lowest are cut, those left out by choice before others, and then the highest."""
        left = sorted((not by_choice, value) for value, _, by_choice in rounds)[low:]
        left.sort(key=lambda each: each[1])
        return sum((value for _, value in left[: len(left) - high if high else None]), ZERO)

    def _rate(self, player: str) -> Fraction:
        parts = sum(way.taken_part for way in self.ways[player])
        return self.points[player] / (parts * self.win) if parts else ZERO

    def encounters(self, tied: Sequence[str]) -> tuple[dict[frozenset[str], dict[str, Fraction]], list[frozenset[str]]]:
        """The mean result of each two who met, and the pairs who did not."""
        games = defaultdict[frozenset[str], list[dict[str, Fraction]]](list)
        for player in tied:
            for way in self.ways[player]:
                for other in set(way.won) & set(tied):
                    if way.played or self.known_before:
                        got = way.points if self.rules.at_table == 2 else way.won[other]
                        games[frozenset((player, other))].append({player: got})
        found = {}
        for pair, each in games.items():
            of = {player: [game[player] for game in each if player in game] for player in pair}
            found[pair] = {player: sum(got, ZERO) / len(got) if got else ZERO for player, got in of.items()}
        missing = [frozenset(pair) for pair in combinations(tied, 2) if frozenset(pair) not in found]
        return found, missing

    def direct(self, tied: list[str]) -> list[list[str]]:
        """6: those who are tied in the order of the games between them. Every end of the missing games is tried."""
        found, missing = self.encounters(tied)
        win = self.win if self.rules.at_table == 2 else ONE
        ends = []
        for given in product((ZERO, win), repeat=len(missing)) if len(missing) <= 10 else ():
            table = {player: sum((of[player] for of in found.values() if player in of), ZERO) for player in tied}
            for pair, first in zip(missing, given, strict=True):
                one, other = sorted(pair)
                table[one] += first
                table[other] += win - first
            ends.append(table)
        groups, left = list[list[str]](), list(tied)
        if not missing:
            (table,) = ends
            for value in sorted(set(table.values()), reverse=True):
                groups.append([player for player in tied if table[player] == value])
        else:
            while (
                len(left) > 1
                and (first := [p for p in left if all(e[p] > max(e[o] for o in left if o != p) for e in ends)])
                and ends
            ):
                groups.append(first)
                left.remove(first[0])
            groups.append(left)
        if len(groups) == 1:
            return groups
        return [part for each in groups for part in (self.direct(each) if len(each) > 1 else [each])]


def told(rules: Rules, entrants: Sequence[Entrant], rounds: Sequence[Round]) -> Mapping[str, Any]:
    return {row.player: row for row in Standings(rules, entrants, rounds).rows()}


def check_values(rules: Rules, entrants: Sequence[Entrant], rounds: Sequence[Round]) -> None:
    counted, rows = Count(rules, entrants, rounds), told(rules, entrants, rounds)
    assert {player: row.points for player, row in rows.items()} == counted.points
    for player, row in rows.items():
        own = counted.values(player)
        for code, value in zip(rules.tie_breaks, row.values, strict=True):
            if code in own:
                assert value.value == own[code], (player, code, counted.ways[player])


@cases("seed", range(60))
def test_tie_breaks_of_a_swiss_are_those_of_the_text(seed: int) -> None:
    chance = random.Random(seed)
    rules = Rules(rounds=chance.randint(2, 7), tie_breaks=(*TIE_BREAKS, *MORE), **POINTS[seed % 3])
    entrants, rounds = tournament(rules, chance, chance.randint(4, 14))
    check_values(rules, entrants, rounds)


@cases("seed", range(60))
def test_tie_breaks_of_a_round_robin_are_those_of_the_text(seed: int) -> None:
    chance = random.Random(1000 + seed)
    rules = Rules(format="round_robin", tie_breaks=(*TIE_BREAKS, *MORE), **POINTS[seed % 3])
    entrants, rounds = tournament(rules, chance, chance.randint(4, 8))
    check_values(rules, entrants, rounds)


@cases("seed", range(40))
def test_tie_breaks_of_larger_tables_are_means_over_the_opponents(seed: int) -> None:
    chance = random.Random(2000 + seed)
    rules = Rules(rounds=chance.randint(2, 5), at_table=chance.randint(3, 5), tie_breaks=(*TIE_BREAKS, *MORE))
    entrants, rounds = tournament(rules, chance, chance.randint(6, 14))
    check_values(rules, entrants, rounds)


@cases("format_", ["swiss", "round_robin"])
@cases("seed", range(30))
def test_a_direct_encounter_is_that_of_every_end_of_the_missing_games(format_: Any, seed: int) -> None:
    chance = random.Random(3000 + seed)
    rules = Rules(format=format_, rounds=chance.randint(2, 4), tie_breaks=("direct_encounter",), **POINTS[seed % 3])
    entrants, rounds = tournament(rules, chance, chance.randint(4, 8))
    counted, standings = Count(rules, entrants, rounds), Standings(rules, entrants, rounds)
    games = {player: standings.games(player) for player in counted.points}
    record = Record(rules=rules, games=games, points=counted.points, scheduled=counted.known_before)
    inside = sorted(set(counted.points) - counted.out)
    for tied in [chance.sample(inside, chance.randint(2, min(5, len(inside)))) for _ in range(20)]:
        found, groups = tie_break("direct_encounter", record, tied), defaultdict[Fraction, set[str]](set)
        for player, value in found.items():
            groups[value.order].add(player)
        assert [groups[order] for order in sorted(groups, reverse=True)] == [set(each) for each in counted.direct(tied)]
