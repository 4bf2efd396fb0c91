"""Tournaments: creating one, and recording in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from events.entries import check_event
from events.errors import BadEventError
from events.event import NewEvent
from events.schemas import SCHEMAS
from events.tournaments import TOURNAMENT_FOUNDED, RoundPaired, TournamentFounded
from games.rulesets import RULESETS
from projections.tournaments.record import check_rules, fold_tournament, of_game, own_round, pair_next, sides_of
from service.recording.founded import found_record, record_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.archive import Archive
    from projections.catalogue.rows import Listed
    from projections.tournaments.model import Round, Table
    from projections.tournaments.record import Tournament


def found_tournament(archive: Archive, tournament: str, data: dict[str, Any], *, recorder: str) -> None:
    """Create a tournament. Safe to repeat. Raises `BadEventError`, `IdReusedError`, `LogFullError`."""
    founded = check_event(0, NewEvent(id=tournament, type=TOURNAMENT_FOUNDED, data=data)).data
    assert isinstance(founded, TournamentFounded)  # noqa: S101 - by its type
    check_rules(founded.rules)
    if founded.ruleset and founded.ruleset not in RULESETS:
        raise BadEventError(0, "data.ruleset", f"unknown; choose one of {', '.join(RULESETS)}")
    found_record(archive, tournament, TOURNAMENT_FOUNDED, data, recorder=recorder)


def record_in_tournament(
    archive: Archive, tournament: str, event: NewEvent, *, recorder: str, more: Sequence[NewEvent] = ()
) -> int:
    """Record an entry in a tournament, with those that follow from it. Returns its version. Safe to repeat.

    Raises as `found_tournament`.
    """
    return record_in(archive, tournament, event, fold_tournament, recorder=recorder, more=more)


def is_repeated(archive: Archive, tournament: str, entry: str, kind: str, data: dict[str, Any]) -> bool:
    """Whether an entry with this id exists with at least this data: the service may have added to it."""
    known = archive.log.find(entry, tournament)
    if known is None or known.game != tournament or known.type != kind:
        return False
    return _contains_data(msgspec.to_builtins(SCHEMAS.read(known)), data)


def _contains_data(stored: object, asked: object) -> bool:
    """Whether the stored data contains the given data, also inside of lists and objects."""
    if isinstance(stored, dict) and isinstance(asked, dict):
        return all(_contains_data(stored.get(name), value) for name, value in asked.items())
    if isinstance(stored, list) and isinstance(asked, list):
        return len(stored) == len(asked) and all(map(_contains_data, stored, asked))
    return stored == asked


def next_pairing(tournament: Tournament, rounds: Sequence[Round]) -> dict[str, Any]:
    """The data of the entry for the next round. Raises `BadEventError` if there is none, or not yet."""
    found: dict[str, Any] = msgspec.to_builtins(pair_next(tournament, rounds))
    return found


def own_pairing(tournament: Tournament, rounds: Sequence[Round], data: dict[str, Any]) -> dict[str, Any]:
    """The data of a round that organisers paired themselves, with its stage and groups. Raises `BadEventError`."""
    entry = check_event(0, NewEvent(id=tournament.id, type="tournament.round_paired", data=data)).data
    assert isinstance(entry, RoundPaired)  # noqa: S101 - by its type
    own = own_round(tournament, rounds, entry)
    if "stage" in data and entry.stage != own.stage:
        raise BadEventError(0, "data.stage", "the next round is of another stage")
    found: dict[str, Any] = msgspec.to_builtins(own)
    return found


def table_of(tournament: Tournament, number: object, table: object) -> Table:
    """The table with this number in a round with this number. Raises `BadEventError` if there is none."""
    rounds = tournament.rounds
    if not isinstance(number, int) or not 1 <= number <= len(rounds):
        raise BadEventError(0, "data.round", "this round is not paired yet")
    tables = rounds[number - 1].tables
    if not isinstance(table, int) or not 1 <= table <= len(tables):
        raise BadEventError(0, "data.table", f"round {number} has {len(tables)} tables")
    return tables[table - 1]


def result_of(archive: Archive, tournament: Tournament, data: dict[str, Any], listed: Listed | None) -> dict[str, Any]:
    """The current result of a table's game, to store beside it. Raises `BadEventError` if others sat in the game."""
    players = table_of(tournament, data.get("round"), data.get("table")).players
    if listed is None:
        raise BadEventError(0, "data.game", "there is no such game")
    if listed.origin:
        raise BadEventError(0, "data.game", "a fork did not happen at the table")
    final_id = archive.log.people.merges().final_id
    if sides_of(tournament, players, listed, final_id) is None:
        raise BadEventError(0, "data.game", "other people sit in this game than at the table")
    found = of_game(tournament, players, listed, final_id)
    if found is None:
        return {}
    return {"places": list(found.places)} | ({"scores": list(found.scores)} if found.scores else {})
