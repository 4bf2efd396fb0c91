"""A game: its page, its scoreboard, and the card that is shown where its address is posted."""

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
from service.api.endpoints import archive, context
from service.api.gamefile import own_names
from service.api.routes.exports import tracker_link
from service.api.routes.games import game_info, games_found, open_again, seats_in
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
from service.pages.endings import endings
from workers.analysing import SPARE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from werkzeug.wrappers import Response as AnyResponse

    from games.contract import JSON, Ruleset, Viewpoint
    from projections.fold import Fold
    from service.api.answers.games import GameInfo, GameListed, SeatInfo

CODE = 2000
"""Characters of a link that a phone still reads from a QR code."""

FORKS = 50
"""How many forks a game's page lists."""

KEEP_HEADER = "Kifu-Keep"
"""A device sends this header when it asks for a page to keep it."""

UNREAD = 1000
"""How many entries the page of a game shows if its ruleset is not here."""


@page("GET", "/games/<uuid:game>", scope=SEEN)
def show_game(game: UUID) -> str:
    """A game with its board, its record, and the entry of the next move."""
    return show(str(game))


@page("GET", "/games/<uuid:game>/scoreboard", scope=SEEN)
def show_scoreboard(game: UUID) -> str:
    """A game on a big screen, as everybody may see it: everybody in the room does."""
    return show_big(str(game), viewpoint_of("public"), url_for("pages.show_game", game=game))


@page("POST", "/games/<uuid:before>/again", scope=Need("games:open"))
def play_again(before: UUID) -> AnyResponse:
    """Open the next game like this one, for the same people. The form names its id, so it is safe to send twice."""
    require_own_origin()
    opened = open_again(str(before), check_id(request.form.get("id", ""), "id"))
    return redirect(url_for("pages.show_game", game=opened.game), 303)


@page("GET", "/games/<uuid:game>/bgstats", scope=SEEN)
def show_bgstats(game: UUID) -> str:
    """The link that hands a finished game to the app BG Stats, and its QR code for another phone."""
    url = tracker_link(str(game)).url
    code = segno.make(url, micro=False, error="l") if url and len(url) <= CODE else None
    qr = code.svg_inline(border=4, light="white", omitsize=True) if code else ""
    return render_template("bgstats.html", game=str(game), url=url, qr=qr)


@page("GET", "/games/<uuid:game>/card.png", scope=SEEN)
def draw_card(game: UUID) -> Response:
    """The picture of a game's card."""
    return draw(archive().folds.current(str(game)))


def draw(fold: Fold) -> Response:
    """The picture of the card of a game."""
    picture = cards.drawn(fold, ruleset_named(fold.opened.ruleset), seats_in(fold))
    return Response(picture, content_type="image/png", headers={"Cache-Control": "private, no-cache"})


def card_of(fold: Fold, share: str | None) -> Card | None:
    """What is told of a game where somebody posts this page's address; nothing if strangers may not see it there."""
    if share is None and gate().level(fold.game) == "private":
        return None
    ruleset = ruleset_named(fold.opened.ruleset)
    shown = url_for("pages.show_shared", code=share) if share else url_for("pages.show_game", game=fold.game)
    title = fold.opened.title or cards.called(fold, ruleset)
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
        frame=_frame(fold, viewpoint),
        share=share,
        address=address,
        qr=segno.make(address, micro=False).svg_inline(border=2, light="white", omitsize=True),
    )


def show(game: str, share: str | None = None) -> str:
    """The page of a game, by its own address or by that of a share link."""
    viewpoint = viewpoint_of(None)
    try:
        fold = archive().folds.current(game)
    except RulesetMissingError:
        return _show_unread(game, viewpoint)
    info = game_info(fold, viewpoint)
    ruleset = ruleset_named(info.ruleset)
    acts = "games:record" in current_permissions().scopes
    looks = range(fold.seats) if current_permissions().whole else sorted(current_permissions().seen)
    seat = _seat(looks) if acts and looks else None
    over = info.outcome is not None or info.closed is not None
    wins = fold.state.template.wins if isinstance(fold.state, ScoresheetState) else "highest"
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
        frame=_frame(fold, viewpoint),
        may=current_permissions().scopes,
        acts=acts,
        over=over,
        whole=current_permissions().whole,
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
        next_game=str(uuid7()) if _goes_again(info, share) else "",
        embedded=_embedded(info, seat, moves=acts and not over),
        early=[timeline_of(info.game, 0, seat)] if info.version > LONG and not share else [],
    )


_NOT_ENDED: dict[str, Any] = {"standing": [], "story": "", "sentences": "[]"}
"""What the page shows in place of the story while a game goes on."""


def _ended(fold: Fold, info: GameInfo, seat: str | None) -> dict[str, Any]:
    """The final ranks of a game and its story."""
    course = _course(fold, viewpoint_of(seat))
    return {
        "standing": _standing(info),
        "story": _story(course, names_then(fold, info.seats)) if course else "",
        "sentences": msgspec.json.encode(course.story if course else []).decode(),
    }


def _analyses_of(ruleset: Ruleset) -> dict[str, str]:
    """The kinds of analysis for a ruleset, and those that workers complete by themselves."""
    return {
        "kinds": " ".join(kind for kind in KINDS if KINDS[kind].applies(ruleset)),
        "completes": " ".join(kind for kind in SPARE if KINDS[kind].applies(ruleset)) if context().monitor else "",
    }


def _course(fold: Fold, viewpoint: Viewpoint) -> GameTimeline | None:
    """How a game went. A long one is told once it was analysed."""
    course = stored_analysis(fold, "timeline", viewpoint, GameTimeline)
    if course is None and fold.version <= LONG:
        course = course_of(replay_of(archive().folds, fold.game, fold.version, viewpoint))
    return course


def _standing(info: GameInfo) -> list[SeatInfo]:
    """The seats, the first one first; by number where nobody is ranked."""
    ranks = info.outcome.ranks if info.outcome else ()
    return sorted(info.seats, key=lambda seat: ranks[seat.seat] if ranks else seat.seat)


def _story(course: GameTimeline, name: Callable[[int, int], str]) -> Markup | str:
    """A game in words, each sentence with a link to its entry."""
    if len(course.story) < 2:
        return ""
    called, link = Markup("<bdi>{}</bdi>").format, Markup('<a href="#{0}">{0}</a>').format
    sentences = course_sentences(course, lambda seat, entry: called(name(seat, entry)), link)
    return Markup(paragraph(sentences))  # noqa: S704 - the values are escaped


def _goes_again(info: GameInfo, share: str | None) -> bool:
    """Whether the next game of the same people can be opened from here, once this one is over."""
    return not info.origin and share is None and "games:open" in service_scopes()


def _seat(looks: Sequence[int]) -> str:
    """From where a page looks at first that can look from these seats, as its script chooses it."""
    views = [*(["record"] if current_permissions().whole else []), *map(str, looks), "public"]
    asked = request.args.get("seat")
    return asked if asked in views else views[0]


def _embedded(info: GameInfo, seat: str | None, *, moves: bool) -> str:
    """What the script of a game's page asks for first, by its addresses, to stand in the page as JSON.

    Nothing in a page that is kept on a device: the answers are kept beside it.
    """
    told = {} if KEEP_HEADER in request.headers else with_page(info.game, info.ruleset, info.version, seat, moves=moves)
    return msgspec.json.encode(told, enc_hook=sentence_encoder()).decode().replace("<", "\\u003c")


def _permit() -> dict[str, Any]:
    """What the visitor may record of the game, for its page."""
    who, permissions = current_principal(), current_permissions()
    scopes = permissions.scopes | (service_scopes() & {"games:open", "people:read", "people:write"})
    seats = sorted(permissions.seats) if permissions.own_seats_only else None
    return {"scopes": sorted(scopes), "seats": seats, "me": sorted(who.recorders) if who else []}


def _show_unread(game: str, viewpoint: Viewpoint) -> str:
    """A game without its ruleset: what is known of it, and its entries as they are stored."""
    fold = archive().folds.as_far_as_possible(game)
    entries = timeline(archive().folds, game, fold.version, 0, UNREAD, viewpoint)
    people = _owner() | names_in(context(), entries, fold)
    return render_template(
        "unread.html", game=game_info(fold, viewpoint), entries=entries, people=people, may=current_permissions().scopes
    )


def _forks(game: str) -> list[GameListed]:
    """The forks of a game, as far as they are known: a game is shown even while the list is made anew."""
    try:
        return games_found(GamesQuery().load({"origin": game, "limit": FORKS})).games
    except RebuildingError:
        return []


def _sheet(fold: Fold) -> JSON | None:
    """What the keypad has to know of a game, if it is kept on a score sheet."""
    if not isinstance(fold.state, ScoresheetState):
        return None
    state = localized_state(fold.state)
    template = state.template if isinstance(state, ScoresheetState) else fold.state.template
    nobody = Stop(id=NOBODY, name=gettext("nobody has won"))
    early = Stop(id=EARLY, name=gettext("who is ahead has won"))
    usual = [nobody] if template.wins == "cooperative" else [early, nobody]
    return drafts.keypad(fold.state.template, [*usual, *template.stops], template.markers)


def _frame(fold: Fold, viewpoint: Viewpoint) -> str:
    """The view box of the board, so that the page keeps its room before it is drawn."""
    picture = fold.state.view(viewpoint).picture()
    found = re.search(r'viewBox="([^"]*)"', picture)
    return found[1] if found else ""


def _seating(fold: Fold) -> dict[str, Any]:
    """Who sat down at first, and their names: entries tell who was there when they were made."""
    opened = [seat.player for seat in fold.opened.seats]
    return {"opened": opened, "people": archive().log.people.names(player for player in opened if player)}


def _owner() -> dict[str, str]:
    """The owner's label without a name, for visitors who may know who recorded the game."""
    return {context().access.owner: gettext(OWNER)} if knows_people() else {}


def _title(game: str) -> str | None:
    """What a game is called; None for one that cannot be read, is not for this visitor, or not here."""
    if gate().permissions(current_principal(), game) is NONE:
        return None
    try:
        fold = archive().folds.current(game)
        return fold.opened.title or cards.called(fold, ruleset_named(fold.opened.ruleset))
    except (GameUnknownError, DamagedError, ProjectionError):
        return None
