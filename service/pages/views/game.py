"""A game: its page, its scoreboard, and the card for link previews."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import segno
from flask import Response, redirect, render_template, request, url_for
from markupsafe import Markup
from uuid_utils import uuid7

from events.errors import DamagedError, GameUnknownError
from games.scoresheet.spelling import EARLY, NOBODY
from games.scoresheet.state import ScoresheetState
from games.scoresheet.template import Stop
from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import KINDS
from projections.analyses.pace import GameTimeline
from projections.analyses.pace import timeline as course_of
from projections.errors import ProjectionError, RulesetMissingError
from projections.projector import RebuildingError
from projections.timeline import timeline
from service.access.gate import current_permissions, current_principal, gate, require_own_origin
from service.access.names import OWNER, knows_people, names_in
from service.access.needs import SEEN, Need
from service.access.principals import NONE
from service.api import addresses
from service.api.embedding import LONG, timeline_of, with_page
from service.api.endings import endings
from service.api.endpoints import archive, context
from service.api.gamefile import own_names
from service.api.routes.exports import tracker_link
from service.api.routes.games import find_games, game_info, open_again, seats_in
from service.api.routes.rulesets import ruleset_named
from service.api.rulebooks import examples_in
from service.api.schemas.fields import check_id
from service.api.schemas.games import GamesQuery
from service.api.sitting import names_then
from service.api.stored_analyses import stored_analysis
from service.api.storytelling import course_sentences
from service.api.viewpoints import viewpoint_of
from service.languages import gettext, locale, paragraph
from service.languages.sentences import localized_state, sentence_encoder
from service.pages import cards, drafts
from service.pages.blueprint import page, service_scopes
from service.pages.cards import Card
from service.pages.curves import curve_of
from workers.analysing import SPARE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from werkzeug.wrappers import Response as AnyResponse

    from games.contract import JSON, Ruleset, Viewpoint
    from projections.fold import Fold
    from service.api.answers.games import GameInfo, GameListed, SeatInfo

CODE = 2000
"""The most characters of a link in a QR code that phones can read."""

FORKS = 50
"""The most forks listed on a game's page."""

KEEP_HEADER = "Kifu-Keep"
"""The header of a device that asks for a page to store it for offline use."""

UNREAD = 1000
"""The most entries shown for a game with a missing ruleset."""


@page("GET", "/games/<uuid:game>", scope=SEEN)
def show_game(game: UUID) -> str:
    """A game with its board, its record, and the form for the next move."""
    return show(str(game))


@page("GET", "/games/<uuid:game>/scoreboard", scope=SEEN)
def show_scoreboard(game: UUID) -> str:
    """A game on a big screen, in the public view: everybody in the room can see it."""
    return show_big(str(game), viewpoint_of("public"), url_for("pages.show_game", game=game))


@page("POST", "/games/<uuid:before>/again", scope=Need("games:open"))
def play_again(before: UUID) -> AnyResponse:
    """Open another game of the same kind with the same people. The form has the new id, so it is safe to send twice."""
    require_own_origin()
    opened = open_again(str(before), check_id(request.form.get("id", ""), "id"))
    return redirect(url_for("pages.show_game", game=opened.game), 303)


@page("GET", "/games/<uuid:game>/bgstats", scope=SEEN)
def show_bgstats(game: UUID) -> str:
    """The link that sends a finished game to the app BG Stats, and its QR code for another phone."""
    url = tracker_link(str(game)).url
    code = segno.make(url, micro=False, error="l") if url and len(url) <= CODE else None
    qr = code.svg_inline(border=4, light="white", omitsize=True) if code else ""
    return render_template("bgstats.html", game=str(game), url=url, qr=qr)


@page("GET", "/games/<uuid:game>/card.png", scope=SEEN)
def draw_card(game: UUID) -> Response:
    """The picture of a game's card."""
    return draw(archive().folds.current(str(game)))


def draw(fold: Fold) -> Response:
    """Draw the card of a game."""
    curve = curve_of(archive().folds, fold)
    picture = cards.draw_card(fold, ruleset_named(fold.opened.ruleset), seats_in(fold), curve)
    return Response(picture, content_type="image/png", headers={"Cache-Control": "private, no-cache"})


def card_of(fold: Fold, share: str | None) -> Card | None:
    """The link preview of a game's page; None if strangers may not see the game."""
    if share is None and gate().level(fold.game) == "private":
        return None
    ruleset = ruleset_named(fold.opened.ruleset)
    shown = url_for("pages.show_shared", code=share) if share else url_for("pages.show_game", game=fold.game)
    title = fold.opened.title or cards.game_title(fold, ruleset)
    description = cards.described(fold, ruleset, seats_in(fold))
    return Card(title, description, f"{addresses.phone_url()}{shown}", f"{addresses.phone_url()}{shown}/card.png")


def show_big(game: str, viewpoint: Viewpoint, path: str, share: str | None = None) -> str:
    """The scoreboard of a game, with the address of the game at `path` as a QR code."""
    fold = archive().folds.current(game)
    info, address = game_info(fold, viewpoint), f"{addresses.phone_url()}{path}"
    return render_template(
        "scoreboard.html",
        game=info,
        name=fold.state.game_name() or ruleset_named(info.ruleset).title,
        seating=_seating(fold),
        names=own_names(fold.state),
        endings=endings(fold.ruleset, fewest=fold.state.wins == "lowest"),
        frame=_view_box(fold, viewpoint),
        share=share,
        address=address,
        qr=segno.make(address, micro=False).svg_inline(border=2, light="white", omitsize=True),
    )


def show(game: str, share: str | None = None) -> str:
    """The page of a game, by its own address or a share link."""
    viewpoint = viewpoint_of(None)
    try:
        fold = archive().folds.current(game)
    except RulesetMissingError:
        return _show_unread(game, viewpoint)
    info = game_info(fold, viewpoint)
    ruleset = ruleset_named(info.ruleset)
    acts = "games:record" in current_permissions().scopes
    looks = range(fold.seats) if current_permissions().see_whole_record else sorted(current_permissions().seen)
    seat = _first_viewpoint(looks) if acts and looks else None
    over = info.outcome is not None or info.closed is not None
    wins = fold.state.wins
    return render_template(
        "game.html",
        game=info,
        ruleset=ruleset,
        **_ended(fold, info, seat) if over else _NOT_ENDED,
        **_analyses_of(ruleset),
        examples=[] if over else examples_in(ruleset, locale()),
        seating=_seating(fold),
        names=own_names(fold.state),
        origin=_title(info.origin.game) if info.origin else None,
        frame=_view_box(fold, viewpoint),
        may=current_permissions().scopes,
        acts=acts,
        over=over,
        whole=current_permissions().see_whole_record,
        looks=looks,
        permit=_permit(),
        recorders=_owner(),
        base=addresses.phone_url(),
        share=share,
        card=card_of(fold, share),
        sheet=_sheet(fold),
        wins=wins,
        endings=endings(ruleset, fewest=wins == "lowest"),
        forks=_forks(info.game),
        name=fold.state.game_name() or ruleset.title,
        next_game=str(uuid7()) if _offers_rematch(info, share) else "",
        embedded=_embedded_answers(info, seat, moves=acts and not over),
        early=[timeline_of(info.game, 0, seat)] if info.version > LONG and not share else [],
    )


_NOT_ENDED: dict[str, Any] = {"standing": [], "story": "", "sentences": "[]"}
"""The value in place of the story while a game is open."""


def _ended(fold: Fold, info: GameInfo, seat: str | None) -> dict[str, Any]:
    """The final ranks of a game and its story."""
    course = _course(fold, viewpoint_of(seat))
    return {
        "standing": _seats_by_rank(info),
        "story": _story(course, names_then(fold, info.seats)) if course else "",
        "sentences": msgspec.json.encode(course.story if course else []).decode(),
    }


def _analyses_of(ruleset: Ruleset) -> dict[str, str]:
    """The kinds of analysis for a ruleset, and those that workers make by themselves."""
    return {
        "kinds": " ".join(kind for kind in KINDS if KINDS[kind].applies(ruleset)),
        "completes": " ".join(kind for kind in SPARE if KINDS[kind].applies(ruleset)) if context().monitor else "",
    }


def _course(fold: Fold, viewpoint: Viewpoint) -> GameTimeline | None:
    """The course of a game. For a long game, it comes from an analysis."""
    course = stored_analysis(fold, "timeline", viewpoint, GameTimeline)
    if course is None and fold.version <= LONG:
        course = course_of(replay_of(archive().folds, fold.game, fold.version, viewpoint))
    return course


def _seats_by_rank(info: GameInfo) -> list[SeatInfo]:
    """The seats ordered by rank, or by number without ranks."""
    ranks = info.outcome.ranks if info.outcome else ()
    return sorted(info.seats, key=lambda seat: ranks[seat.seat] if ranks else seat.seat)


def _story(course: GameTimeline, name: Callable[[int, int], str]) -> Markup | str:
    """The story of a game, each sentence with a link to its entry."""
    if len(course.story) < 2:
        return ""
    called, link = Markup("<bdi>{}</bdi>").format, Markup('<a href="#{0}">{0}</a>').format
    sentences = course_sentences(course, lambda seat, entry: called(name(seat, entry)), link)
    return Markup(paragraph(sentences))  # noqa: S704 - the values are escaped


def _offers_rematch(info: GameInfo, share: str | None) -> bool:
    """Whether the page offers another game with the same people, once this game is over."""
    return not info.origin and share is None and "games:open" in service_scopes()


def _first_viewpoint(looks: Sequence[int]) -> str:
    """The first viewpoint of a page that has these viewpoints. Its script chooses the same one."""
    views = [*(["record"] if current_permissions().see_whole_record else []), *map(str, looks), "public"]
    asked = request.args.get("seat")
    return asked if asked in views else views[0]


def _embedded_answers(info: GameInfo, seat: str | None, *, moves: bool) -> str:
    """The first answers for the script of a game's page, by address, embedded in the page as JSON.

    Empty for a page stored for offline use: the device stores the answers separately.
    """
    told = {} if KEEP_HEADER in request.headers else with_page(info.game, info.ruleset, info.version, seat, moves=moves)
    return msgspec.json.encode(told, enc_hook=sentence_encoder()).decode().replace("<", "\\u003c")


def _permit() -> dict[str, Any]:
    """The visitor's rights to record the game, for its page."""
    who, permissions = current_principal(), current_permissions()
    scopes = permissions.scopes | (service_scopes() & {"games:open", "people:read", "people:write"})
    seats = sorted(permissions.seats) if permissions.own_seats_only else None
    return {"scopes": sorted(scopes), "seats": seats, "me": sorted(who.recorders) if who else []}


def _show_unread(game: str, viewpoint: Viewpoint) -> str:
    """A game with a missing ruleset: its known facts, and its entries as stored."""
    fold = archive().folds.fold_until_error(game)
    entries = timeline(archive().folds, game, fold.version, 0, UNREAD, viewpoint)
    people = _owner() | names_in(context(), entries, fold)
    return render_template(
        "unread.html", game=game_info(fold, viewpoint), entries=entries, people=people, may=current_permissions().scopes
    )


def _forks(game: str) -> list[GameListed]:
    """The known forks of a game. The page also works while the list is being rebuilt."""
    try:
        return find_games(GamesQuery().load({"origin": game, "limit": FORKS})).games
    except RebuildingError:
        return []


def _sheet(fold: Fold) -> JSON | None:
    """The keypad's data, for a game on a score sheet."""
    if not isinstance(fold.state, ScoresheetState):
        return None
    template = localized_state(fold.state).template
    nobody = Stop(id=NOBODY, name=gettext("nobody wins"))
    early = Stop(id=EARLY, name=gettext("the player who is ahead wins"))
    usual = [nobody] if template.wins == "cooperative" else [early, nobody]
    return drafts.keypad(fold.state.template, [*usual, *template.stops], template.markers)


def _view_box(fold: Fold, viewpoint: Viewpoint) -> str:
    """The view box of the board, so that the page reserves its space."""
    picture = fold.state.view(viewpoint).picture()
    found = re.search(r'viewBox="([^"]*)"', picture)
    return found[1] if found else ""


def _seating(fold: Fold) -> dict[str, Any]:
    """The first people of each seat, and their names: entries show the people of their time."""
    opened = [seat.player for seat in fold.opened.seats]
    return {"opened": opened, "people": archive().log.people.names(player for player in opened if player)}


def _owner() -> dict[str, str]:
    """The owner's label, for visitors who may know the recorder, if the owner has no name."""
    return {context().access.owner: gettext(OWNER)} if knows_people() else {}


def _title(game: str) -> str | None:
    """The title of a game; None if it is missing, unreadable, or hidden from this visitor."""
    if gate().permissions(current_principal(), game) is NONE:
        return None
    try:
        fold = archive().folds.current(game)
        return fold.opened.title or cards.game_title(fold, ruleset_named(fold.opened.ruleset))
    except (GameUnknownError, DamagedError, ProjectionError):
        return None
