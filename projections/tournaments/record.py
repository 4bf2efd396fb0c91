"""The record of a tournament: its fold, and the results of its games today."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import msgspec

from events.errors import BadEventError
from events.tournaments import (
    ByeAsked,
    OrganiserNamed,
    PlayerEntered,
    PlayerLeft,
    ResultEntered,
    RoundPaired,
    TeamEntered,
    TournamentChanged,
    TournamentFounded,
    TournamentRules,
    TournamentWithdrawn,
)
from projections.founded import read_entries
from projections.tournaments.model import Bye, Entrant, PairingError, Result, Round, Rules, Table
from projections.tournaments.pairing import next_round, takes_entries
from projections.tournaments.standings import groups_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from events.event import Event
    from events.types import EventData
    from projections.catalogue.rows import Listed


class Team(msgspec.Struct, frozen=True):
    """A team of a tournament: its name, and who plays in it."""

    name: str
    players: tuple[str, ...]


class Tournament(msgspec.Struct, kw_only=True):
    """A tournament by its entries. `games` are those of its tables, by round and table, from 1.

    Where `teams` play, these are the entrants, by their ids. Otherwise persons are.
    `paired_by` are results that were entered otherwise after the next round was paired by them.
    `paired_at` are the milliseconds since 1970 when the rounds were paired.
    """

    id: str
    name: str
    description: str
    public: bool
    ruleset: str | None
    club: str | None
    rules: TournamentRules
    founded_at: int
    version: int = 1
    organisers: list[str] = []
    entrants: dict[str, Entrant] = {}
    teams: dict[str, Team] = {}
    rounds: list[Round] = []
    paired_at: list[int] = []
    games: dict[tuple[int, int], str] = {}
    paired_by: dict[tuple[int, int], Result] = {}
    withdrawn: frozenset[int] = frozenset()
    named: dict[str, int] = {}

    @property
    def played_by(self) -> Rules:
        """The rules, as pairing and standings take them."""
        given = msgspec.structs.asdict(self.rules)
        given["points"] = {len(points): tuple(points) for points in self.rules.points}
        return Rules(**given | {"tie_breaks": tuple(self.rules.tie_breaks)})

    @property
    def people(self) -> frozenset[str]:
        """Everybody who organises it or plays in it."""
        return frozenset((*self.organisers, *self.players))

    @property
    def players(self) -> frozenset[str]:
        """Everybody who plays in it, by himself or herself or in a team."""
        return frozenset(player for entrant in self.entrants for player in self.members(entrant))

    def members(self, entrant: str) -> tuple[str, ...]:
        """Who plays as an entrant: the members of a team, or the person."""
        return self.teams[entrant].players if entrant in self.teams else (entrant,)

    def played_as(self, people: Collection[str]) -> frozenset[str]:
        """The entrants that include one of these people."""
        return frozenset(entrant for entrant in self.entrants if not set(people).isdisjoint(self.members(entrant)))


class Correction(msgspec.Struct, frozen=True):
    """A table that ended otherwise before: the `result` that paired the next round, or when its game ended."""

    round: int
    table: int
    result: Result

    @property
    def earlier_places(self) -> tuple[int, ...]:
        """The earlier places."""
        return _final_places(self.result)


def fold_tournament(events: Sequence[Event]) -> Tournament:
    """The tournament of these entries. Raises `BadEventError` for the first one that does not fit, with its place."""
    first, (opened, withdrawn, named, counting) = events[0], read_entries(events, TournamentWithdrawn)
    if not isinstance(opened, TournamentFounded):
        raise BadEventError(0, "type", "it is not the record of a tournament")
    check_rules(opened.rules)
    tournament = Tournament(
        id=first.game,
        name=opened.name,
        description=opened.description,
        public=opened.public,
        ruleset=opened.ruleset,
        club=opened.club,
        rules=opened.rules,
        founded_at=first.recorded_at,
        version=len(events),
        organisers=[opened.founder],
        withdrawn=withdrawn,
        named=named,
    )
    for index, data in counting:
        try:
            _apply(tournament, data, events[index].recorded_at)
        except BadEventError as error:
            raise BadEventError(index, error.path, error.why) from None
    return tournament


def check_rules(rules: TournamentRules) -> None:
    """Check that the rules of a tournament fit each other. Raises `BadEventError`."""
    sizes = [len(points) for points in rules.points]
    if rules.fewest > rules.at_table or rules.fewest == 1:
        raise BadEventError(0, "data.rules.fewest", f"0, or 2 to {rules.at_table}")
    if rules.advance >= rules.at_table:
        raise BadEventError(0, "data.rules.advance", "it must be fewer than sit at a table")
    if len(set(sizes)) < len(sizes) or max(sizes, default=0) > rules.at_table:
        raise BadEventError(0, "data.rules.points", "give at most one list for each possible size of table")
    if any(points != sorted(points, reverse=True) for points in rules.points):
        raise BadEventError(0, "data.rules.points", "a better place cannot give fewer points")
    if len(set(rules.tie_breaks)) < len(rules.tie_breaks):
        raise BadEventError(0, "data.rules.tie_breaks", "give each at most once")


def _apply(tournament: Tournament, data: EventData, recorded_at: int) -> None:
    """Apply an entry. Raises `BadEventError`, as of the first entry."""
    match data:
        case TournamentChanged():
            _change(tournament, data)
        case OrganiserNamed():
            _name_organiser(tournament, data)
        case PlayerEntered():
            _enter(tournament, data)
        case TeamEntered():
            _enter_team(tournament, data)
        case PlayerLeft():
            _leave(tournament, data)
        case ByeAsked():
            _ask_bye(tournament, data)
        case RoundPaired():
            _add_round(tournament, data)
            tournament.paired_at.append(recorded_at)
        case ResultEntered():
            _enter_result(tournament, data)


def _leave(tournament: Tournament, data: PlayerLeft) -> None:
    """Let a player leave after the rounds that are paired. Before the first one, nothing of the player stays."""
    entrant = _entrant(tournament, data.player)
    if tournament.rounds:
        tournament.entrants[data.player] = msgspec.structs.replace(entrant, last=len(tournament.rounds))
    else:
        del tournament.entrants[data.player]
        tournament.teams.pop(data.player, None)


def _change(tournament: Tournament, data: TournamentChanged) -> None:
    for name in ("name", "description", "public"):
        if (value := getattr(data, name)) is not None:
            setattr(tournament, name, value)
    if data.rounds is not None:
        if data.rounds and data.rounds < len(tournament.rounds):
            raise BadEventError(0, "data.rounds", "more rounds than that are paired already")
        tournament.rules = msgspec.structs.replace(tournament.rules, rounds=data.rounds)
    if data.minutes is not None:
        tournament.rules = msgspec.structs.replace(tournament.rules, minutes=data.minutes)
    if data.tie_breaks is not None:
        if len(set(data.tie_breaks)) < len(data.tie_breaks):
            raise BadEventError(0, "data.tie_breaks", "give each at most once")
        tournament.rules = msgspec.structs.replace(tournament.rules, tie_breaks=data.tie_breaks)


def _name_organiser(tournament: Tournament, data: OrganiserNamed) -> None:
    if (data.player in tournament.organisers) == data.organises:
        why = "this person is an organiser already" if data.organises else "this person is not an organiser"
        raise BadEventError(0, "data.player", why)
    if data.organises:
        tournament.organisers.append(data.player)
    elif len(tournament.organisers) == 1:
        raise BadEventError(0, "data.player", "a tournament must keep at least one organiser")
    else:
        tournament.organisers.remove(data.player)


def _entrant(tournament: Tournament, player: str) -> Entrant:
    entrant = tournament.entrants.get(player)
    if entrant is None or entrant.last is not None:
        raise BadEventError(0, "data.player", "this person does not play in the tournament")
    return entrant


def _enter(tournament: Tournament, data: PlayerEntered) -> None:
    known = tournament.entrants.get(data.player)
    if known:
        gone = "this person left; withdraw that entry to let them play on"
        raise BadEventError(0, "data.player", "this person plays already" if known.last is None else gone)
    if tournament.teams:
        raise BadEventError(0, "data.player", "teams play in this tournament; enter a team")
    _add_entrant(tournament, data.player, "data.player", data.seed)


def _add_entrant(tournament: Tournament, entrant: str, field: str, seed: int | None) -> None:
    if not takes_entries(tournament.played_by, tournament.rounds):
        raise BadEventError(0, field, "nobody can enter a knock-out or groups after the draw")
    seeds = {each.seed for each in tournament.entrants.values()}
    if seed in seeds:
        raise BadEventError(0, "data.seed", "another player has this seed")
    tournament.entrants[entrant] = Entrant(
        player=entrant, seed=seed or max(seeds, default=0) + 1, first=len(tournament.rounds) + 1
    )


def _enter_team(tournament: Tournament, data: TeamEntered) -> None:
    if tournament.entrants.keys() - tournament.teams.keys():
        raise BadEventError(0, "data.team", "persons play in this tournament, and no teams")
    others = {player for team, each in tournament.teams.items() if team != data.team for player in each.players}
    if len(set(data.players)) < len(data.players) or not others.isdisjoint(data.players):
        raise BadEventError(0, "data.players", "each person plays once, and in one team")
    if data.team in {*others, *data.players, *tournament.organisers}:
        raise BadEventError(0, "data.team", "this id is that of a person")
    if data.team not in tournament.entrants:
        _add_entrant(tournament, data.team, "data.team", data.seed)
    elif data.seed not in {None, tournament.entrants[data.team].seed}:
        raise BadEventError(0, "data.seed", "the seed of a team does not change")
    tournament.teams[data.team] = Team(data.name, tuple(data.players))


def _ask_bye(tournament: Tournament, data: ByeAsked) -> None:
    entrant = _entrant(tournament, data.player)
    if tournament.rules.format != "swiss":
        raise BadEventError(0, "data.round", "players can ask for byes only in a Swiss tournament")
    if data.round <= len(tournament.rounds):
        raise BadEventError(0, "data.round", "this round is paired already")
    byes = entrant.byes | {data.round: data.kind}
    tournament.entrants[data.player] = msgspec.structs.replace(entrant, byes=byes)


def pending_table(tournament: Tournament) -> tuple[int, int] | None:
    """The first table with neither a result nor a game, by round and table; None if there is none."""
    for number, each in enumerate(tournament.rounds, 1):
        for table, seats in enumerate(each.tables, 1):
            if seats.result is None and (number, table) not in tournament.games:
                return number, table
    return None


def _add_round(tournament: Tournament, data: RoundPaired) -> None:
    number = len(tournament.rounds) + 1
    if data.round != number:
        raise BadEventError(0, "data.round", f"the next round is {number}")
    if pending := pending_table(tournament):
        raise BadEventError(0, "data.round", f"table {pending[1]} of round {pending[0]} has no result")
    people = [player for table in data.tables for player in table.players] + [bye.player for bye in data.byes]
    for player in people:
        entrant = tournament.entrants.get(player)
        if entrant is None or not entrant.plays(number):
            raise BadEventError(0, "data.tables", f"{player} does not play in this round")
    if len(set(people)) < len(people):
        raise BadEventError(0, "data.tables", "somebody is in this round twice")
    if any(len(table.players) > tournament.rules.at_table for table in data.tables):
        raise BadEventError(0, "data.tables", f"at most {tournament.rules.at_table} sit at a table")
    tournament.rounds.append(
        Round(
            tables=tuple(Table(players=tuple(table.players), group=table.group) for table in data.tables),
            byes=tuple(Bye(player=bye.player, kind=bye.kind, group=bye.group) for bye in data.byes),
            stage=data.stage,
        )
    )


def _enter_result(tournament: Tournament, data: ResultEntered) -> None:
    if data.round > len(tournament.rounds):
        raise BadEventError(0, "data.round", "this round is not paired yet")
    each = tournament.rounds[data.round - 1]
    if data.table > len(each.tables):
        raise BadEventError(0, "data.table", f"round {data.round} has {len(each.tables)} tables")
    table = each.tables[data.table - 1]
    result = _result(tournament, each, table, data)
    if table.result and data.round < len(tournament.rounds):
        tournament.paired_by.setdefault((data.round, data.table), table.result)
    tables = [*each.tables]
    tables[data.table - 1] = msgspec.structs.replace(table, result=result)
    tournament.rounds[data.round - 1] = msgspec.structs.replace(each, tables=tuple(tables))
    tournament.games.pop((data.round, data.table), None)
    if data.game:
        if data.game in tournament.games.values():
            raise BadEventError(0, "data.game", "this game belongs to another table")
        tournament.games[data.round, data.table] = data.game


def _result(tournament: Tournament, each: Round, table: Table, data: ResultEntered) -> Result | None:
    size, scores, places = len(table.players), data.scores, data.places
    for name, of_seats in (("places", places), ("scores", scores)):
        if of_seats is not None and len(of_seats) != size:
            raise BadEventError(0, f"data.{name}", f"one for each of the {size} seats")
    if any(seat >= size for seat in data.forfeits):
        raise BadEventError(0, "data.forfeits", f"seats are 0 to {size - 1}")
    if places is None and scores is not None:
        places = [1 + sum(other > own for other in scores) for own in scores]
    if places is None and data.forfeits:
        places = [1] * size
    if places is None:
        if data.game is None:
            raise BadEventError(0, "data.places", "places, scores, forfeits or a game are needed")
        return None
    forfeits = frozenset(data.forfeits)
    if each.stage == "knock_out" and not is_decisive(tournament.played_by, places, forfeits):
        raise BadEventError(0, "data.places", "a knock-out needs a decision")
    return Result(places=tuple(_in_order(places)), scores=tuple(scores) if scores else None, forfeits=forfeits)


def _in_order(places: Iterable[int]) -> list[int]:
    """Places from 1 on, with those that equal ones take left out, such as 1, 1 and 3."""
    given = list(places)
    return [1 + sum(other < own for other in given) for own in given]


def is_decisive(rules: Rules, places: Sequence[int], forfeits: frozenset[int]) -> bool:
    """Whether it is clear who goes on from a table of a knock-out."""
    first = sorted(place for seat, place in enumerate(places) if seat not in forfeits)
    most = min(rules.advance, len(places) - 1) if rules.at_table > 2 else 1
    return len(first) <= most or first[most - 1] < first[most]


def as_one(tournament: Tournament, final_id: Callable[[str], str]) -> Tournament:
    """The tournament with a merged person as one entrant: by the id that still plays, or by the best seed.

    Two entrants who were in one round stay two: one person cannot have played at both tables.
    """
    entrants, kept = dict(tournament.entrants), dict[str, str]()
    for same in _same_people(tournament, final_id):
        one = next((each for each in same if each.last is None), same[0])
        for each in same:
            kept[each.player] = one.player
            del entrants[each.player]
        entrants[one.player] = Entrant(
            player=one.player,
            seed=same[0].seed,
            first=min(each.first for each in same),
            last=None if one.last is None else max(each.last or 0 for each in same),
            byes={number: kind for each in same for number, kind in each.byes.items()},
        )
    if not kept:
        return tournament
    return msgspec.structs.replace(
        tournament, entrants=entrants, rounds=[_renamed(each, kept) for each in tournament.rounds]
    )


def _same_people(tournament: Tournament, final_id: Callable[[str], str]) -> list[list[Entrant]]:
    """The entrants of each person who entered by several ids, and never by two of them in one round."""
    by_person = defaultdict[str, list[Entrant]](list)
    for entrant in sorted(tournament.entrants.values(), key=lambda each: each.seed):
        by_person[final_id(entrant.player)].append(entrant)
    there = [Counter(map(final_id, _players(each))) for each in tournament.rounds]
    return [
        same
        for person, same in by_person.items()
        if len(same) > 1 and not tournament.teams and all(each[person] < 2 for each in there)
    ]


def _players(each: Round) -> list[str]:
    return [player for table in each.tables for player in table.players] + [bye.player for bye in each.byes]


def _renamed(each: Round, kept: Mapping[str, str]) -> Round:
    """A round with other ids of its players."""
    tables = (
        msgspec.structs.replace(table, players=tuple(kept.get(player, player) for player in table.players))
        for table in each.tables
    )
    byes = (msgspec.structs.replace(bye, player=kept.get(bye.player, bye.player)) for bye in each.byes)
    return msgspec.structs.replace(each, tables=tuple(tables), byes=tuple(byes))


def sides_of(
    tournament: Tournament, players: Sequence[str], listed: Listed, final_id: Callable[[str], str]
) -> list[list[int]] | None:
    """The seats of each entrant at a table, by the people in a game. None if others sat in it, or somebody is missing.

    All members of a team need not sit there.
    """
    seats = [final_id(player) if player else "" for player in listed.seats]
    members = [{final_id(player) for player in tournament.members(entrant)} for entrant in players]
    sides = [[seat for seat, person in enumerate(seats) if person in people] for people in members]
    there = sum(map(len, sides)) == len(seats) == len(set(seats))
    return sides if there and all(sides) else None


def of_game(
    tournament: Tournament, players: Sequence[str], listed: Listed, final_id: Callable[[str], str]
) -> Result | None:
    """What a game says of a table: by the people in its seats. None for a fork, if it is not over, or others sat in it.

    A team has the best rank of its members. It has their score if they share one, and else the sum.
    """
    sides = sides_of(tournament, players, listed, final_id)
    if listed.origin or not listed.ranks or sides is None:
        return None
    places = tuple(_in_order(min(listed.ranks[seat] for seat in side) for side in sides))
    if not listed.scores:
        return Result(places=places)
    scores = [[listed.scores[seat] for seat in side] for side in sides]
    return Result(places=places, scores=tuple(float(each[0] if len(set(each)) == 1 else sum(each)) for each in scores))


def as_played(
    tournament: Tournament,
    look: Callable[[str], Listed | None],
    first: Mapping[str, Listed],
    final_id: Callable[[str], str],
) -> tuple[list[Round], list[Correction]]:
    """The rounds with what the games say today, and the results that were others before.

    `first` has corrected games as they first ended. This counts where no result was entered, but the game was opened.
    """
    rounds, corrections = list[Round](), list[Correction]()
    for number, each in enumerate(tournament.rounds, 1):
        tables = list[Table]()
        for place, entered in enumerate(each.tables, 1):
            game, table = tournament.games.get((number, place)), entered
            then = tournament.paired_by.get((number, place), entered.result)
            if game:
                now, before = (
                    of_game(tournament, entered.players, each, final_id) if each else None
                    for each in (look(game), first.get(game))
                )
                table, then = msgspec.structs.replace(entered, result=now), then or before
            if then and (table.result is None or _final_places(table.result) != _final_places(then)):
                corrections.append(Correction(number, place, then))
            tables.append(table)
        rounds.append(msgspec.structs.replace(each, tables=tuple(tables)))
    return rounds, corrections


def _final_places(result: Result) -> tuple[int, ...]:
    """The places by seat; a seat that did not play is last."""
    size = len(result.places)
    return tuple(size if seat in result.forfeits else place for seat, place in enumerate(result.places))


def _as_paired(rounds: Sequence[Round], corrections: Sequence[Correction]) -> list[Round]:
    """The rounds with their results as they were when the next ones were paired."""
    found = [*rounds]
    for each in corrections:
        tables = [*found[each.round - 1].tables]
        tables[each.table - 1] = msgspec.structs.replace(tables[each.table - 1], result=each.result)
        found[each.round - 1] = msgspec.structs.replace(found[each.round - 1], tables=tuple(tables))
    return found


def outdated_from(tournament: Tournament, rounds: Sequence[Round], corrections: Sequence[Correction]) -> int | None:
    """The first round of a knock-out that others would play by the results of today; None if there is none.

    Such a round was paired by results that were corrected since. The rounds after it follow from it.
    """
    entrants, as_paired = list(tournament.entrants.values()), _as_paired(rounds, corrections)
    first = min((correction.round for correction in corrections), default=len(rounds))
    for number in range(first + 1, len(rounds) + 1):
        each = rounds[number - 1]
        if each.stage == "knock_out":
            paired = _meetings(each)
            now, then = (_paired_after(tournament, entrants, of[: number - 1]) for of in (rounds, as_paired))
            if paired == then and paired != now:
                return number
    return None


def _paired_after(
    tournament: Tournament, entrants: Sequence[Entrant], rounds: Sequence[Round]
) -> set[frozenset[str]] | None:
    try:
        found = next_round(tournament.played_by, entrants, rounds)
    except PairingError:
        return None
    return _meetings(found) if found else None


def _meetings(each: Round) -> set[frozenset[str]]:
    """Who meets whom, and who has no table."""
    return {frozenset(table.players) for table in each.tables} | {frozenset({bye.player}) for bye in each.byes}


def pair_next(tournament: Tournament, rounds: Sequence[Round]) -> RoundPaired:
    """The entry for the next round. Raises `BadEventError` if there is none, or not yet."""
    try:
        found = next_round(tournament.played_by, list(tournament.entrants.values()), rounds)
    except PairingError as error:
        raise BadEventError(0, "data.round", str(error)) from None
    if found is None:
        raise BadEventError(0, "data.round", "all rounds are paired")
    plain = {"tables": [_plain(table) for table in found.tables], "byes": [_plain(bye) for bye in found.byes]}
    return msgspec.convert(plain | {"round": len(rounds) + 1, "stage": found.stage}, RoundPaired)


def own_round(tournament: Tournament, rounds: Sequence[Round], data: RoundPaired) -> RoundPaired:
    """A round that organisers paired themselves, with its stage and its groups.

    Raises `BadEventError`, also if somebody is in a knock-out round who is out, or is not who is still in.
    """
    if tournament.rules.format not in {"knock_out", "groups"}:
        return data
    due = pair_next(tournament, rounds)
    if due.stage == "knock_out":
        if _everybody(data) != _everybody(due):
            raise BadEventError(
                0, "data.tables", "name everybody who is still in it, at a table or with a bye, and nobody else"
            )
        return msgspec.structs.replace(data, stage=due.stage)
    groups = groups_of(tournament.played_by, sorted(tournament.entrants.values(), key=lambda each: each.seed))
    group_of = {each.player: index for index, group in enumerate(groups) for each in group}
    tables = [
        msgspec.structs.replace(table, group=_one_group("data.tables", table.players, group_of))
        for table in data.tables
    ]
    byes = [msgspec.structs.replace(bye, group=_one_group("data.byes", [bye.player], group_of)) for bye in data.byes]
    return msgspec.structs.replace(data, stage=due.stage, tables=tables, byes=byes)


def _everybody(data: RoundPaired) -> set[str]:
    return {player for table in data.tables for player in table.players} | {bye.player for bye in data.byes}


def _one_group(field: str, players: Sequence[str], group_of: Mapping[str, int]) -> int | None:
    groups = {group_of.get(player) for player in players}
    if len(groups) > 1:
        raise BadEventError(0, field, "people of one group sit at a table")
    return groups.pop()


def _plain(each: Table | Bye) -> dict[str, object]:
    kept = {name: value for name, value in msgspec.structs.asdict(each).items() if name != "result"}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in kept.items() if value is not None
    }
