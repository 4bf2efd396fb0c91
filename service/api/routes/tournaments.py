"""Tournaments: entrants, pairings, results, and a table with every tie-break explained."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import msgspec

from events.errors import BadEventError
from events.event import NewEvent, timestamp
from events.kinds import ERASURES
from events.schemas import is_uuid
from projections.catalogue.lookups import find_game
from projections.clubs import clubs_in
from projections.tournaments.pairing import is_over
from projections.tournaments.record import as_one, as_played, outdated_from
from projections.tournaments.standings import Standings, annulled_players
from service.access.founded import changes, sees
from service.access.gate import current_principal, current_recorder, gate, require_principal
from service.access.needs import KNOWN, SEEN
from service.access.principals import NONE
from service.api import founded
from service.api.answers.clubs import ClubHistory
from service.api.answers.entries import RecordedEntries
from service.api.answers.tournaments import (
    TieBreakLine,
    TieBreakValue,
    TournamentBye,
    TournamentInfo,
    TournamentList,
    TournamentListed,
    TournamentPlayer,
    TournamentRound,
    TournamentRow,
    TournamentTable,
)
from service.api.endpoints import NDJSON, Endpoints, archive, context, reply
from service.api.routes import clubs
from service.api.routes.clubs import (
    check_game,
    clubs_among,
    find_club,
    for_other_ids,
    is_one_of,
    name_as_known,
    name_as_recorded,
    person_of_name,
)
from service.api.routes.games import read_lists, record_opening
from service.api.schemas.clubs import NewClubEntrySchema, TournamentGameSchema, TournamentQuery, TournamentSchema
from service.api.sums import DIGESTING
from service.api.tablenames import table_names
from service.languages import gettext
from service.problems.kinds import ProblemError
from service.recording.founded import new_person
from service.recording.tournaments import (
    found_tournament,
    is_repeated,
    next_pairing,
    own_pairing,
    record_in_tournament,
    result_of,
    table_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from fractions import Fraction

    from flask import Response

    from projections.catalogue.rows import Listed
    from projections.tournaments.model import Entrant, Round
    from projections.tournaments.record import Correction, Tournament
    from projections.tournaments.standings import Row
    from service.access.principals import Principal

endpoints = Endpoints("tournaments")

WRITING = (*founded.WRITING, "rebuilding")


@endpoints.route(
    "POST",
    "/v1/tournaments",
    scope="games:open",
    body=TournamentSchema(),
    status=201,
    answer=TournamentInfo,
    problems=("club-unknown", *WRITING),
)
def create_tournament(body: dict[str, Any]) -> Response:
    """Create a tournament.

    Its founder is its first organiser. Safe to repeat.
    """
    response = reply(make_tournament(body), 201)
    response.headers["Location"] = f"/v1/tournaments/{body['id']}"
    return response


def make_tournament(body: dict[str, Any]) -> TournamentInfo:
    """Found the tournament that a loaded `TournamentSchema` describes."""
    data = {"name": body["name"], "founder": require_principal().person}
    data |= {name: body[name] for name in ("description", "public", "ruleset", "club", "rules") if body[name]}
    if body["club"] and not clubs.can_organise(clubs.visible_club(body["club"])):
        raise ProblemError(
            "scope-needed", gettext("only organisers of a club can create its tournaments"), scope="games:open"
        )
    found_tournament(archive(), body["id"], data, recorder=current_recorder())
    return tournament_info(tournament_seen(body["id"]))


@endpoints.route(
    "GET", "/v1/tournaments", scope=SEEN, answer=TournamentList, conditional=True, problems=("rebuilding",)
)
def list_tournaments() -> Response:
    """List the tournaments that you may see.

    Public ones, and those that you play in or organise.
    """
    return reply(TournamentList(tournaments_seen()))


def tournaments_seen(club: str | None = None) -> list[TournamentListed]:
    """The tournaments that the caller may see, of a club or of all, the newest first. Raises `RebuildingError`."""
    who, known = current_principal(), archive().tournaments
    seen = [*known.readable(read_lists(clubs_in), lambda each: club in {None, each.club} and _sees(who, each))]
    clubs = clubs_among({each.club for each in seen if each.club})
    return [
        TournamentListed(
            tournament=each.id,
            name=each.name,
            public=each.public,
            format=each.rules.format,
            club=each.club if each.club in clubs else None,
            players=len(by_people(each).entrants),
            rounds=len(each.rounds),
            founded_at=timestamp(each.founded_at),
            version=each.version,
        )
        for each in sorted(seen, key=lambda each: (-each.founded_at, each.id))
    ]


@endpoints.route(
    "GET",
    "/v1/tournaments/<tournament>",
    scope=SEEN,
    query=TournamentQuery(),
    answer=TournamentInfo,
    conditional=True,
    problems=("tournament-unknown", "bad-request", "rebuilding"),
)
def show_tournament(tournament: str, query: dict[str, Any]) -> Response:
    """Show a tournament: its players, its rounds, and its table, now or as it stood after a round.

    Results of games are those of today: `corrected` says where they were otherwise.
    """
    return reply(tournament_info(tournament_seen(tournament), query["after"]))


def tournament_seen(tournament: str) -> Tournament:
    """A tournament, if the caller may see it. Raises `tournament-unknown`."""
    found = archive().tournaments.find(tournament) if is_uuid(tournament) else None
    if found is None or not _sees(current_principal(), found):
        raise ProblemError("tournament-unknown", gettext("no tournament %(tournament)s", tournament=tournament[:80]))
    return found


def _sees(who: Principal | None, tournament: Tournament) -> bool:
    return sees(who, tournament, archive().clubs.find)


def organises(tournament: Tournament) -> bool:
    """Whether the caller may change a tournament."""
    return changes(current_principal(), tournament.organisers)


def by_people(tournament: Tournament) -> Tournament:
    """A tournament with each merged person as one entrant, where that can be."""
    return as_one(tournament, archive().log.people.merges().final_id)


def played_rounds(tournament: Tournament) -> tuple[list[Round], list[Correction]]:
    """The rounds with the games' results of today, and earlier results that differ. Raises `RebuildingError`."""
    final_id, games = archive().log.people.merges().final_id, {*tournament.games.values()}
    found = read_lists(lambda db: {game: find_game(db, game) for game in games}) if games else {}
    return as_played(tournament, found.get, _as_first_ended(filter(None, found.values())), final_id)


def _as_first_ended(games: Iterable[Listed]) -> dict[str, Listed]:
    """The games that first ended with other ranks than today, with those ranks."""
    ended = {each.game: each for each in games if each.ranks}
    digests = context().digests.find({game: each.version for game, each in ended.items()}, DIGESTING)
    return {
        game: msgspec.structs.replace(ended[game], ranks=[*digest.first_ranks])
        for game, digest in digests.items()
        if digest.first_ranks and len(digest.first_ranks) == len(ended[game].seats)
    }


def tournament_info(tournament: Tournament, after: int | None = None) -> TournamentInfo:
    """A tournament as the caller may see it, with its table after a round."""
    tournament = by_people(tournament)
    rounds, corrections = played_rounds(tournament)
    after = len(rounds) if after is None else min(after, len(rounds))
    field = [entrant for entrant in tournament.entrants.values() if entrant.first <= max(after, 1)]
    standings = Standings(tournament.played_by, field, rounds[:after])
    names = table_names(tournament.people)
    out = annulled_players(tournament.played_by, list(tournament.entrants.values()), rounds)
    club, outdated = find_club(tournament.club or ""), outdated_from(tournament, rounds, corrections)
    return TournamentInfo(
        tournament=tournament.id,
        name=tournament.name,
        description=tournament.description,
        public=tournament.public,
        ruleset=tournament.ruleset,
        club=club.id if club else None,
        club_name=club.name if club else None,
        rules=msgspec.to_builtins(tournament.rules),
        founded_at=timestamp(tournament.founded_at),
        version=tournament.version,
        organisers=list(dict.fromkeys(map(archive().log.people.merges().final_id, tournament.organisers))),
        organises=organises(tournament),
        players=[
            _player(tournament, each, names, is_out=each.player in out)
            for each in sorted(tournament.entrants.values(), key=lambda each: each.seed)
        ],
        rounds=[
            _round(tournament, number, each, corrections, outdated=bool(outdated and number >= outdated))
            for number, each in enumerate(rounds, 1)
        ],
        after=after,
        table=[_row(tournament, row) for row in standings.rows()],
    )


def _player(tournament: Tournament, entrant: Entrant, names: Mapping[str, str], *, is_out: bool) -> TournamentPlayer:
    team = tournament.teams.get(entrant.player)
    return TournamentPlayer(
        player=entrant.player,
        name=team.name if team else names.get(entrant.player),
        seed=entrant.seed,
        first=entrant.first,
        last=entrant.last,
        annulled=is_out,
        members={player: names.get(player) for player in team.players} if team else {},
    )


def _round(
    tournament: Tournament, number: int, each: Round, corrections: Sequence[Correction], *, outdated: bool
) -> TournamentRound:
    entered = {entry.table: list(entry.earlier_places) for entry in corrections if entry.round == number}
    who, doors = current_principal(), gate()
    tables = []
    for place, table in enumerate(each.tables, 1):
        game, result = tournament.games.get((number, place)), table.result
        tables.append(
            TournamentTable(
                players=list(table.players),
                group=table.group,
                places=list(result.places) if result else None,
                scores=list(result.scores) if result and result.scores else None,
                forfeits=sorted(result.forfeits) if result else [],
                game=game if game and doors.permissions(who, game) is not NONE else None,
                corrected=entered.get(place),
            )
        )
    byes = [TournamentBye(bye.player, bye.kind) for bye in each.byes]
    return TournamentRound(
        stage=each.stage,
        paired_at=timestamp(tournament.paired_at[number - 1]),
        outdated=outdated,
        over=each.is_over,
        tables=tables,
        byes=byes,
    )


def _number(value: Fraction) -> float:
    return round(float(value), 4)


def _row(tournament: Tournament, row: Row) -> TournamentRow:
    values = [
        TieBreakValue(
            name,
            _number(value.value),
            [
                TieBreakLine(
                    round=line.round,
                    kind=line.kind,
                    value=_number(line.value),
                    opponents=list(line.opponents),
                    of=None if line.of is None else _number(line.of),
                    factor=None if line.factor is None else _number(line.factor),
                    adjusted=line.adjusted,
                    cut=line.cut,
                )
                for line in value.lines
            ],
        )
        for name, value in zip(tournament.rules.tie_breaks, row.values, strict=True)
    ]
    return TournamentRow(
        rank=row.rank,
        player=row.player,
        points=_number(row.points),
        played=row.played,
        group=row.group,
        tie_breaks=values,
    )


@endpoints.route(
    "POST",
    "/v1/tournaments/<tournament>/entries",
    scope=KNOWN,
    body=NewClubEntrySchema(),
    status=201,
    answer=TournamentInfo,
    problems=("tournament-unknown", "erasing", *WRITING),
)
def record_tournament_entry(tournament: str, body: dict[str, Any]) -> Response:
    """Record something in a tournament: a player, a round, a result, or a withdrawal of an entry.

    Organisers may. Players may leave, and enter results of their tables. `tournament.round_paired` without data
    pairs the next round. A result has `places`, `scores`, `forfeits`, or a `game` of the same people. Safe to repeat
    with the same `id`.
    """
    return reply(record(tournament, body), 201)


def record(tournament: str, body: dict[str, Any]) -> TournamentInfo:
    """Record an entry that a loaded `NewClubEntrySchema` describes."""
    seen, kind, data = tournament_seen(tournament), body["type"], dict(body["data"])
    if kind == ERASURES["tournament"]:
        founded.erase(tournament, seen.organisers, body)
        return tournament_info(tournament_seen(tournament))
    known = _known(seen, kind)
    name_as_known(data, known)
    if not organises(seen) and not _may_as_player(seen, kind, data):
        raise ProblemError("scope-needed", gettext("only organisers can change a tournament"), scope="games:open")
    new = _with_people(body["id"], kind, data, seen.players)
    if not name_as_recorded(tournament, body["id"], data):
        name_as_known(data, known)
    if not is_repeated(archive(), tournament, body["id"], kind, data):
        _complete(seen, kind, data)
        entry = NewEvent(id=body["id"], type=kind, data=data)
        more = for_other_ids(entry, _ended(seen, kind, data))
        record_in_tournament(archive(), tournament, entry, recorder=current_recorder(), more=more)
    for player, name in new.items():
        archive().log.people.put(player, name)
    return tournament_info(tournament_seen(tournament))


def _known(tournament: Tournament, kind: str) -> Collection[str]:
    """Those whom an entry of this type can be about: after a merge it names the id that is there."""
    if kind in {"tournament.player_left", "tournament.bye_asked"}:
        return [each.player for each in tournament.entrants.values() if each.last is None]
    return tournament.organisers if kind == "tournament.organiser_named" else tournament.entrants


def _ended(tournament: Tournament, kind: str, data: dict[str, Any]) -> list[str]:
    """Those who play, or organise, and would not do so any more after an entry about them."""
    if kind == "tournament.player_left":
        return list(_known(tournament, kind))
    return tournament.organisers if kind == "tournament.organiser_named" and data.get("organises") is False else []


def _with_people(entry: str, kind: str, data: dict[str, Any], players: Collection[str]) -> dict[str, str]:
    """Put ids in the place of people's names; those who are new here, with their names.

    Members of teams are named as the players of the tournament are.
    """
    if kind in {"tournament.player_entered", "tournament.organiser_named"}:
        name = person_of_name(entry, data)
        return {data["player"]: name} if name else {}
    new = dict[str, str]()
    if kind == "tournament.team_entered" and isinstance(data.get("players"), list):
        members = [
            {"name" if isinstance(each, str) and not is_uuid(each) else "player": each} for each in data["players"]
        ]
        for member in members:
            name = person_of_name(entry, member)
            new |= {member["player"]: name} if name else {}
            name_as_known(member, players)
        data["players"] = [member["player"] for member in members]
    return new


def _may_as_player(tournament: Tournament, kind: str, data: dict[str, Any]) -> bool:
    """Whether the caller may as a player: leave, or enter the result of a table where he, she or the team sits."""
    own = tournament.played_as(require_principal().people)
    if kind == "tournament.player_left":
        return is_one_of(data, own)
    number, table = data.get("round"), data.get("table")
    if kind != "tournament.result_entered" or not isinstance(number, int) or not isinstance(table, int):
        return False
    if not 1 <= number <= len(tournament.rounds) or not 1 <= table <= len(tournament.rounds[number - 1].tables):
        return False
    return not own.isdisjoint(tournament.rounds[number - 1].tables[table - 1].players)


@endpoints.route(
    "POST",
    "/v1/tournaments/<tournament>/games",
    scope="games:open",
    body=TournamentGameSchema(),
    status=201,
    answer=RecordedEntries,
    problems=("tournament-unknown", "ruleset-unknown", *WRITING),
)
def open_tournament_game(tournament: str, body: dict[str, Any]) -> Response:
    """Open the game of a table, with the people of the table in their seats. Members of teams sit in turns.

    Its result becomes that of the table. The tournament's club has it, too, and gives its options.
    """
    response = reply(record_table_game(tournament, body), 201, version=1)
    response.headers["Location"] = f"/v1/games/{body['id']}"
    return response


def record_table_game(tournament: str, body: dict[str, Any]) -> RecordedEntries:
    """Open the game that a loaded `TournamentGameSchema` describes, and attach it to its table."""
    seen, number, place = tournament_seen(tournament), body["round"], body["table"]
    data = {"round": number, "table": place}
    if not organises(seen) and not _may_as_player(seen, "tournament.result_entered", data):
        raise ProblemError("scope-needed", gettext("only organisers can change a tournament"), scope="games:open")
    teams = [seen.members(entrant) for entrant in table_of(seen, number, place).players]
    players = [player for row in zip_longest(*teams) for player in row if player]
    if body["seats"] is not None:
        raise BadEventError(0, "seats", "leave it out: the table decides who sits where")
    if seen.games.get((number, place), body["id"]) != body["id"]:
        raise BadEventError(0, "table", "this table has a game already")
    opening = {name: value for name, value in body.items() if name not in data}
    opening |= {"ruleset": body["ruleset"] or seen.ruleset, "seats": [{"player": player} for player in players]}
    if not opening["ruleset"]:
        raise BadEventError(0, "ruleset", "say what is played: the tournament does not")
    club = find_club(seen.club or "")
    if club and not require_principal().people.isdisjoint(club.members):
        answer = clubs.record_club_game(club.id, opening)
    else:
        answer = record_opening(opening)
    entry = NewEvent(
        id=new_person(body["id"], tournament), type="tournament.result_entered", data=data | {"game": body["id"]}
    )
    record_in_tournament(archive(), tournament, entry, recorder=current_recorder())
    return answer


def propose_round(tournament: Tournament) -> dict[str, Any]:
    """The data of the entry for the next round, as the service pairs it. Raises `BadEventError`, `RebuildingError`."""
    tournament = by_people(tournament)
    return next_pairing(tournament, played_rounds(tournament)[0])


def has_ended(tournament: Tournament) -> bool:
    """Whether a tournament has no round left, as far as that is told quickly. Raises `RebuildingError`."""
    tournament = by_people(tournament)
    return is_over(tournament.played_by, list(tournament.entrants.values()), played_rounds(tournament)[0])


def _complete(tournament: Tournament, kind: str, data: dict[str, Any]) -> None:
    """Add what the service knows: the pairs of the next round, and what a game says. Raises `BadEventError`."""
    if kind == "tournament.round_paired":
        context().need_newest_lists()
        number = len(tournament.rounds) + 1
        if "tables" in data:
            tournament = by_people(tournament)
            data |= own_pairing(tournament, played_rounds(tournament)[0], data)
        elif data.get("round", number) != number:
            raise BadEventError(0, "data.round", f"the next round is {number}")
        else:
            data |= propose_round(tournament)
    if kind == "tournament.result_entered" and data.get("game") is not None:
        for name in ("places", "scores", "forfeits"):
            if name in data:
                raise BadEventError(0, f"data.{name}", "leave it out: the game has the result")
        check_game(data)
        for name in ("round", "table"):
            founded.named(data, name)
        context().need_newest_lists()
        data |= result_of(archive(), tournament, data, _listed(data["game"]))


def _listed(game: str) -> Listed | None:
    return read_lists(lambda db: find_game(db, game))


@endpoints.route(
    "GET",
    "/v1/tournaments/<tournament>/entries",
    scope=SEEN,
    answer=ClubHistory,
    conditional=True,
    problems=("tournament-unknown",),
)
def list_tournament_entries(tournament: str) -> Response:
    """List the entries of a tournament, the oldest first.

    Games that you may not see are left out.
    """
    return reply(history(tournament_seen(tournament)))


def history(seen: Tournament) -> ClubHistory:
    """The history of a tournament, as the caller may know it."""
    return founded.history_of(seen.id, seen.version, seen.withdrawn, seen.people)


@endpoints.route(
    "GET",
    "/v1/tournaments/<tournament>/export",
    scope=SEEN,
    answer_types=(NDJSON,),
    problems=("tournament-unknown", "scope-needed"),
)
def export_tournament(tournament: str) -> Response:
    """Export a tournament as NDJSON.

    One entry per line, as games are. For organisers.
    """
    seen = tournament_seen(tournament)
    if not organises(seen):
        raise ProblemError("scope-needed", gettext("only organisers can export a tournament"), scope="games:open")
    return founded.export_of(tournament, seen.people)
