"""Analyses: requested, followed while workers make them, listed, cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from events.errors import GameUnknownError
from projections.analyses.kinds import KINDS
from projections.analyses.pace import GameTimeline
from projections.analyses.review import Review
from projections.errors import ProjectionError
from service.access.gate import current_permissions, current_recorder
from service.access.needs import SEEN
from service.access.principals import visible_viewpoints
from service.api.answers.games import Analyses
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.happened import option_text
from service.api.reviewing import review_sentences
from service.api.routes.games import seats_in
from service.api.schemas.games import AnalysesQuery, AnalysisSchema
from service.api.sitting import names_then, seats_then
from service.api.storytelling import course_sentences
from service.api.viewpoints import check_seat, viewpoint_of
from service.languages import gettext, locale, localized
from service.languages.sentences import with_translated_terms
from service.live.analysis_info import AnalysisInfo, analysis_info
from service.problems.kinds import ProblemError
from workers.analysing import subject_of

if TYPE_CHECKING:
    from flask import Response

    from projections.analyses.turning import Option
    from projections.fold import Fold
    from workers.analyses import Analysis

endpoints = Endpoints("analyses")

WAITING = 10
"""How many analyses of one person can wait to be made."""

STEP = 0.5
"""Seconds of work that a look at an analysis does where there are no workers."""

BUDGET_RETRY = 3600
"""Seconds after which somebody who has used up a budget may ask again: part of the day is over."""


@endpoints.route(
    "POST",
    "/v1/games/<game>/analyses",
    scope="analyses:run",
    body=AnalysisSchema(),
    status=202,
    answer=AnalysisInfo,
    problems=("bad-json", "bad-request", "game-unknown", "version-unknown", "unreplayable", "ruleset-missing"),
)
def ask_for_analysis(game: str, body: dict[str, Any]) -> Response:
    """Request an analysis of a game.

    `Location` is where to follow it. Asked for again it is the same one; one that failed or was cancelled goes on. It
    uses nothing that is hidden from its viewpoint.
    """
    kind, viewpoint = KINDS[body["kind"]], viewpoint_of(body["seat"])
    folds, at = archive().folds, body["at"]
    fold = folds.current(game) if at is None else folds.at(game, at)
    check_seat(viewpoint, fold)
    subject, by = subject_of(fold, kind, body["parameters"], viewpoint), current_recorder()
    if _begins_work(context().analyses.find_by_subject(subject)):
        _check_budgets(game, by, plays_on=kind.policy)
    analysis = context().analyses.ask(subject, "asked", by)
    if analysis.active and (monitor := context().monitor):
        monitor.begin(context().settings.data.absolute(), analysis.id)
    response = reply(_analysis_info(analysis), 202)
    response.headers["Location"] = f"/v1/games/{game}/analyses/{analysis.id}"
    return response


@endpoints.route(
    "GET",
    "/v1/games/<game>/analyses",
    scope=SEEN,
    query=AnalysesQuery(),
    answer=Analyses,
    problems=("bad-request", "game-unknown"),
)
def list_analyses(game: str, query: dict[str, Any]) -> Response:
    """List the analyses of a game, the last requested first.

    From viewpoints that the caller may have, without their results.
    """
    if archive().log.head(game) is None:
        raise GameUnknownError(game)
    found = context().analyses.of_game(
        game, _place(query["cursor"]), query["limit"], visible_viewpoints(current_permissions())
    )
    following = f"{found[-1].asked_at}-{found[-1].id}" if len(found) == query["limit"] else None
    response = reply(Analyses(game, [_analysis_info(each) for each in found], following))
    if following:
        address = f"/v1/games/{game}/analyses?cursor={following}&limit={query['limit']}"
        response.headers["Link"] = f'<{address}>; rel="next"'
    return response


@endpoints.route(
    "GET",
    "/v1/games/<game>/analyses/<analysis>",
    scope=SEEN,
    answer=AnalysisInfo,
    conditional=True,
    problems=("game-unknown", "analysis-unknown"),
)
def show_analysis(game: str, analysis: str) -> Response:
    """Show an analysis: its progress and its result.

    While it is made, the result is what is known so far.
    """
    found = find(game, analysis)
    if found.active and context().monitor is None:  # there are no workers: the request that follows it works on it
        context().analyst.run_for(found.id, STEP)
        found = find(game, analysis)
    info = _analysis_info(found, with_result=True)
    return reply(msgspec.structs.replace(info, words=_in_words(found)))


@endpoints.route(
    "DELETE",
    "/v1/games/<game>/analyses/<analysis>",
    scope="analyses:run",
    answer=AnalysisInfo,
    problems=("game-unknown", "analysis-unknown"),
)
def cancel_analysis(game: str, analysis: str) -> Response:
    """Cancel an analysis.

    The finished parts are kept. A finished analysis stays as it is.
    """
    found = find(game, analysis)
    context().analyses.cancel(found.id)
    return reply(_analysis_info(find(game, analysis)))


def _in_words(found: Analysis) -> list[str]:
    """How a game went, or was played, in sentences of the reader's language, if that was analysed."""
    subject = found.subject
    tell = _TOLD.get(subject.kind)
    if tell is None or not found.data or found.status != "done":
        return []
    try:
        return tell(archive().folds.at(subject.game, subject.version), found.data)
    except (ProjectionError, msgspec.ValidationError):  # its ruleset is gone, or an older release made it
        return []


def _course(fold: Fold, data: str) -> list[str]:
    course = msgspec.json.decode(data, type=GameTimeline)
    return [*course_sentences(course, names_then(fold, seats_in(fold)))]


def _review(fold: Fold, data: str) -> list[str]:
    seats, ruleset = seats_in(fold), fold.ruleset.name

    def name(seat: int) -> str:
        return seats[seat].name or localized(seats[seat].label)

    then = names_then(fold, seats)

    def option(option: Option, entry: int) -> str:
        return option_text(option, ruleset, seats_then(seats, then, entry))

    review = msgspec.json.decode(data, type=Review)
    return [*review_sentences(review, name, lambda text: with_translated_terms(text, locale(), ruleset), option)]


_TOLD = {"timeline": _course, "review": _review}
"""The kinds of analyses that are told in words."""


def _begins_work(known: Analysis | None) -> bool:
    """Whether a request for an analysis begins work: it is neither done nor being made."""
    return known is None or not (known.status == "done" or (known.active and known.queue == "asked"))


def _check_budgets(game: str, by: str, *, plays_on: bool) -> None:
    """Raises `quota-exceeded` if the caller or the game has used up its share of the workers.

    An analysis that plays no games on takes next to nothing of the seconds of a day, so they do not refuse it.
    """
    settings, analyses = context().settings, context().analyses
    if analyses.waiting(by) >= WAITING:
        raise _exceeded(f"{WAITING} analyses of yours are not done yet", 10)
    if not plays_on:
        return
    for spent, limit, whose in (
        (analyses.seconds_spent("game", game), settings.analysis_game, "this game"),
        (analyses.seconds_spent("asker", by), settings.analysis_person, "you"),
    ):
        if limit and spent >= limit:
            raise _exceeded(
                f"the {limit} seconds of analyses that {whose} can have within a day are used up", BUDGET_RETRY
            )


def _exceeded(why: str, seconds: int) -> ProblemError:
    found = ProblemError(
        "quota-exceeded", why, advice=gettext("Wait for `Retry-After` seconds, or cancel an analysis.")
    )
    found.headers["Retry-After"] = str(seconds)
    return found


def find(game: str, id_: str) -> Analysis:
    """An analysis of the game that the caller may see. Raises `analysis-unknown`, `GameUnknownError`."""
    if archive().log.head(game) is None:
        raise GameUnknownError(game)
    found, allowed = context().analyses.find(id_), visible_viewpoints(current_permissions())
    if found is None or found.subject.game != game or (allowed is not None and found.subject.viewpoint not in allowed):
        raise ProblemError("analysis-unknown", gettext("game %(game)s has no analysis %(id)s", game=game, id=id_))
    return found


def _analysis_info(analysis: Analysis, *, with_result: bool = False) -> AnalysisInfo:
    return analysis_info(analysis, whole=current_permissions().see_whole_record, with_result=with_result)


def _place(cursor: str | None) -> tuple[int, str] | None:
    """The place of a cursor. Raises `bad-request`."""
    if cursor is None:
        return None
    at, _, id_ = cursor.partition("-")
    if not (at.isascii() and at.isdigit() and len(at) < 17 and id_):
        message = gettext("not a cursor from an earlier page")
        raise ProblemError("bad-request", f"cursor: {message}", errors=[{"field": "cursor", "message": message}])
    return int(at), id_
