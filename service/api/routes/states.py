"""What follows from a game's entries: state, legal moves, score, timeline and picture, at any version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from flask import Response

from events.errors import GameUnknownError
from events.event import timestamp
from games.contract import RECORD
from games.irregular import irregular_moves
from games.sketch import as_text
from projections.audit import audit
from projections.claims import compare_claims
from projections.revising import RevisedGame, compare_revisions
from projections.timeline import timeline as timeline_of
from service.access.gate import gate
from service.access.names import names_in
from service.access.needs import SEEN
from service.api.answers.games import (
    Claims,
    LegalMove,
    LegalMoves,
    OffTurnMove,
    Score,
    SnapshotInfo,
    Snapshots,
    StateInfo,
    Timeline,
)
from service.api.endpoints import (
    CSV,
    JSON,
    Endpoints,
    archive,
    context,
    reply,
    require_acceptable,
    with_etag,
    with_next_link,
)
from service.api.recorded import csv_of, recorded_game
from service.api.routes.games import seats_in
from service.api.schemas.entries import BeforeQuery
from service.api.schemas.fields import ViewSchema
from service.api.schemas.games import MovesQuery, PictureQuery, SketchQuery, TimelineQuery, VersionQuery
from service.api.varying import vary
from service.api.viewpoints import check_seat, viewpoint_of
from service.drawing import pictures, sketches
from service.drawing.ansi import with_colours
from service.languages import locale
from service.languages.plain import translated
from service.languages.sentences import localized_state, translated_text
from service.recording.judging import CONSEQUENCES

if TYPE_CHECKING:
    from games.contract import Move, State, Viewpoint
    from projections.fold import Fold
    from projections.timeline import Entry
    from workers.results import Snapshot

endpoints = Endpoints("states")

PROBLEMS = ("bad-request", "token-needed", "game-unknown", "version-unknown")


@endpoints.route(
    "GET",
    "/v1/games/<game>/state",
    scope=SEEN,
    query=VersionQuery(),
    answer=StateInfo,
    conditional=True,
    problems=PROBLEMS,
)
def show_state(game: str, query: dict[str, Any]) -> Response:
    """Show the state of a game, from a point of view.

    Now, as the record stood `at` a version, or right `after` an entry as the record counts, now or `at` a version. The
    state of a past version stays as long as its rules are kept. `tables` say in rows and columns what the board shows,
    in the language that `Accept-Language` asks for.
    """
    look = _looked_at(game, query)
    fold, state = look.fold, look.state
    answer = StateInfo(
        game=game,
        version=fold.version,
        hash=fold.hash_from(look.viewpoint),
        ruleset=fold.ruleset.name,
        viewpoint=look.viewpoint.name,
        to_move=state.to_move(),
        scores=fold.totals(),
        deciding=state.deciding(),
        markers=state.markers(),
        outcome=fold.outcome(),
        state=state.describe(),
        tables=localized_state(state).tables(),
    )
    return reply(answer, version=look.version)


@endpoints.route(
    "GET",
    "/v1/games/<game>/moves",
    scope=SEEN,
    query=MovesQuery(),
    answer=LegalMoves,
    conditional=True,
    problems=(*PROBLEMS, "overloaded"),
)
def list_moves(game: str, query: dict[str, Any]) -> Response:
    """List the moves that the rules allow, and on request possible moves that break a rule.

    An unseen card can be any card that is not known to be elsewhere.
    """
    look = _looked_at(game, query)
    fold, state = look.fold, look.state
    moves = [_listed(state, move) for move in state.legal_moves()]
    asides = [
        OffTurnMove(str(move.__struct_config__.tag), move.seat, state.notation_template(move), state.blanks(move))
        for move in state.off_turn_moves()
    ]
    irregular: list[LegalMove] = []
    if query["irregular"]:
        with gate().limits.long_read():  # all that can be thought of is tried
            irregular = [_listed(state, move) for move in irregular_moves(state)]
    answer = LegalMoves(game, fold.version, state.to_move(), moves, asides, irregular)
    return reply(answer, version=look.version)


def _listed(state: State, move: Move) -> LegalMove:
    blanks = state.blanks(move)
    template = state.notation_template(move) if blanks else None
    return LegalMove(state.ruleset.move_data(move), state.notation(move), blanks, template)


@endpoints.route(
    "GET",
    "/v1/games/<game>/score",
    scope=SEEN,
    query=VersionQuery(),
    answer=Score,
    answer_types=(JSON, CSV),
    conditional=True,
    problems=PROBLEMS,
)
def show_score(game: str, query: dict[str, Any]) -> Response:
    """Audit the score.

    Every point comes with its entry and its rule, in the language of `Accept-Language` where it is translated, as
    `lang` says. With `Accept: text/csv` it is the table `score_lines` of the exports.
    """
    look = _looked_at(game, query)
    fold = look.fold
    if require_acceptable(JSON, CSV) == CSV:
        return csv_of("score_lines", recorded_game(archive(), fold, look.viewpoint))
    found = msgspec.structs.asdict(audit(fold, look.viewpoint))
    book = fold.ruleset.rulebook_in(locale())
    found["rules"] = [book[rule] for rule in found["rules"]]
    response = reply(Score(**found), version=look.version)
    vary(response.headers, "Accept")
    return response


@endpoints.route(
    "GET",
    "/v1/games/<game>/timeline",
    scope=SEEN,
    query=TimelineQuery(),
    answer=Timeline,
    conditional=True,
    problems=PROBLEMS,
)
def show_timeline(game: str, query: dict[str, Any]) -> Response:
    """List a game's entries with their effects.

    What each did as the record counts today, whether it still counts, and the scores after it. Who only recorded it is
    named to those who record here, or may see who the people are. With `brief` entries have no `id`, and the text of an
    effect is empty: the ruleset's `effects` have its sentence.
    """
    head = archive().log.head(game)
    if head is None:
        raise GameUnknownError(game)
    after, limit, viewpoint = query["after"], query["limit"], viewpoint_of(query["seat"])
    fold = archive().folds.fold_until_error(game)
    check_seat(viewpoint, fold)
    entries = [*map(_with_translated_reason, timeline_of(archive().folds, game, head.version, after, limit, viewpoint))]
    if query["brief"]:
        entries = [*map(_brief, entries)]
    following = entries[-1].version if entries and entries[-1].version < head.version else None
    people = names_in(context(), entries, fold)
    response = reply(Timeline(game, head.version, entries, people, following), version=head.version)
    return with_next_link(response, f"/v1/games/{game}/timeline", following, limit)


@endpoints.route(
    "GET",
    "/v1/games/<game>/board.svg",
    scope=SEEN,
    query=VersionQuery(),
    answer_types=("image/svg+xml",),
    conditional=True,
    problems=PROBLEMS,
)
def show_board(game: str, query: dict[str, Any]) -> Response:
    """Draw the table as an SVG picture.

    From a point of view, now, at a version or after an entry, as with the state.
    """
    look = _looked_at(game, query)
    drawn = pictures.translated_picture(look.state)
    return with_etag(Response(drawn, content_type="image/svg+xml; charset=utf-8"), look.version)


@endpoints.route(
    "GET",
    "/v1/games/<game>/board.png",
    scope=SEEN,
    query=PictureQuery(),
    answer_types=("image/png",),
    conditional=True,
    problems=PROBLEMS,
)
def picture_board(game: str, query: dict[str, Any]) -> Response:
    """Draw the table as a PNG picture, with the players' names.

    From a point of view, now, at a version or after an entry, as with the state; to be sent and kept.
    """
    look = _looked_at(game, query)
    drawn = pictures.picture_with_names(look.state, seats_in(look.fold))
    return with_etag(Response(pictures.png(drawn, query["width"]), content_type="image/png"), look.version)


@endpoints.route(
    "GET",
    "/v1/games/<game>/board.txt",
    scope=SEEN,
    query=SketchQuery(),
    answer_types=("text/plain",),
    conditional=True,
    problems=PROBLEMS,
)
def sketch_board(game: str, query: dict[str, Any]) -> Response:
    """Draw the table in characters, for a terminal.

    From a point of view, now, at a version or after an entry, as with the state.
    """
    look = _looked_at(game, query)
    sketch = sketches.translated_sketch(look.state)
    text = with_colours(sketch) if query["colour"] else as_text(sketch)
    return with_etag(Response(text, content_type="text/plain; charset=utf-8"), look.version)


@endpoints.route(
    "GET",
    "/v1/games/<game>/revisions",
    scope=SEEN,
    query=ViewSchema(),
    answer=RevisedGame,
    conditional=True,
    problems=("bad-request", "token-needed", "game-unknown"),
)
def show_revisions(game: str, query: dict[str, Any]) -> Response:
    """Show how the newest revision of the rules would judge a game.

    A game keeps the revision that it was opened with. The answer lists the entries that the newest revision would judge
    differently, with the scores and the outcome then. An entry `revision.adopted` moves the game on.
    """
    viewpoint = viewpoint_of(query["seat"])
    check_seat(viewpoint, archive().folds.fold_until_error(game))
    found = compare_revisions(archive().folds, game, viewpoint, CONSEQUENCES)
    changes = [translated_text(change, locale(), found.ruleset) for change in found.changes]
    return reply(msgspec.structs.replace(found, changes=changes), version=found.version)


@endpoints.route(
    "GET", "/v1/games/<game>/claims", scope=SEEN, answer=Claims, conditional=True, problems=("game-unknown",)
)
def show_claims(game: str) -> Response:
    """Compare the table's own score with the audit, claim by claim, line by line.

    Each difference comes with the lines of the audit, and so with the entries, that it comes from.
    """
    version = archive().folds.current(game).version
    return reply(Claims(game, version, compare_claims(archive().folds, game)), version=version)


@endpoints.route(
    "GET",
    "/v1/games/<game>/snapshots",
    scope=SEEN,
    query=BeforeQuery(),
    answer=Snapshots,
    conditional=True,
    problems=("bad-request", "game-unknown"),
)
def list_snapshots(game: str, query: dict[str, Any]) -> Response:
    """List the scoring snapshots of a game, the newest first.

    Workers store one when a game has been quiet for a moment, with the rules' revision.
    """
    if archive().log.head(game) is None:
        raise GameUnknownError(game)
    before = (query["before"], 0) if query["before"] else None
    found = context().results.find_snapshots(game, before, query["limit"])
    viewpoint = viewpoint_of(None)
    snapshots = [_snapshot(each, viewpoint) for each in found]
    following = found[-1].version if len(found) == query["limit"] else None
    response = reply(Snapshots(game, snapshots, following))
    if following is not None:
        address = f"/v1/games/{game}/snapshots?before={following}&limit={query['limit']}"
        response.headers["Link"] = f'<{address}>; rel="next"'
    return response


def _with_translated_reason(entry: Entry) -> Entry:
    """An entry with its reason, if it cannot be carried out, in the caller's language."""
    return msgspec.structs.replace(entry, unreplayable=translated(entry.unreplayable)) if entry.unreplayable else entry


def _brief(entry: Entry) -> Entry:
    """An entry without its id, and without texts that the ruleset's sentences give."""
    effects = [msgspec.structs.replace(effect, text="") for effect in entry.effects]
    return msgspec.structs.replace(entry, id=None, effects=effects)


def _snapshot(found: Snapshot, viewpoint: Viewpoint) -> SnapshotInfo:
    """A snapshot, seen from `viewpoint`. Points are public, irregular entries may not be."""
    kept, hash_ = found.audit, found.hash if viewpoint == RECORD else None
    if hash_ is None:
        seen = audit(archive().folds.at(found.game, found.version), viewpoint) if kept.irregular else kept
        kept = msgspec.structs.replace(kept, hash=None, irregular=seen.irregular, rules=seen.rules)
    return SnapshotInfo(found.version, found.revision, hash_, timestamp(found.created_at), kept)


class Look(NamedTuple):
    """A fold to show: its viewpoint, and the version of the record that it is made from."""

    fold: Fold
    viewpoint: Viewpoint
    version: int

    @property
    def state(self) -> State:
        """The fold's state, seen from the viewpoint."""
        return self.fold.state.view(self.viewpoint)


def _looked_at(game: str, query: dict[str, Any]) -> Look:
    viewpoint, at, after = viewpoint_of(query["seat"]), query["at"], query["after"]
    folds = archive().folds
    if after is not None:
        fold, version = folds.right_after(game, after, at)
    else:
        fold = folds.current(game) if at is None else folds.at(game, at)
        version = fold.version
    check_seat(viewpoint, fold)
    return Look(fold, viewpoint, version)
