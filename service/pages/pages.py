"""The pages for people at a table: games, one game with its record, rulesets, problems, and the way in."""

from __future__ import annotations

import io
import re
from contextlib import suppress
from datetime import datetime
from mimetypes import guess_type
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode

import msgspec
import segno
from babel import dates
from flask import Blueprint, Response, current_app, g, make_response, redirect, render_template, request, url_for
from marshmallow import EXCLUDE
from werkzeug.exceptions import NotFound

from events import limits
from events.errors import DamagedError, GameUnknownError, LogError
from games.contract import is_long_run
from games.rulesets import RULESETS
from games.scoresheet import SCORESHEET, components, formulas
from games.scoresheet.components import READY, read_template
from games.scoresheet.state import ScoresheetState
from projections.errors import ProjectionError, RulesetMissingError
from projections.projector import RebuildingError
from projections.timeline import timeline
from service import __version__, languages
from service.access import codes, links, sessions
from service.access.devices import Approval
from service.access.gate import (
    admit,
    asker,
    cookie_name,
    gate,
    here,
    known_asker,
    lacking,
    need_own_origin,
)
from service.access.names import OWNER, knows_people, names_in
from service.access.principals import NONE, standing_by, viewpoint_by
from service.access.scopes import ROLES, SCOPES, meanings
from service.access.store import AccessStoppedError
from service.access.table import OPEN, PAGES
from service.api import addresses, cors
from service.api.embedding import LONG, timeline_of, with_page
from service.api.endpoints import archive, confirm, context, read_query
from service.api.problems import examine, problem
from service.api.routes.games import game_info, games_found, seats_in
from service.api.routes.rulesets import ruleset_named
from service.api.routes.streams import follow
from service.api.rulebooks import chapters, examples_in, inline
from service.api.schemas import FollowAllQuery, GamesQuery
from service.api.viewpoints import viewpoint_of
from service.drawing import pictures
from service.languages import gettext, locale, locales
from service.languages.plain import told
from service.languages.sentences import called, spoken, worded, words
from service.pages import assets, cards, consent, drafts
from service.pages.cards import Card
from service.pages.releases import RELEASES, Releases
from service.problems.kinds import KINDS, ProblemError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from werkzeug.datastructures import MultiDict
    from werkzeug.wrappers import Response as AnyResponse

    from games.contract import JSON, Option, Ruleset, State, Viewpoint
    from projections.fold import Fold
    from service.access.scopes import Scopes
    from service.access.sessions import Begun
    from service.access.store import Link
    from service.api.answers import GameInfo, GameListed

YEAR = 60 * 60 * 24 * 365

GROUND = "#f6f3ec"
"""The colour behind everything, as the style has it where it is light."""

LOGIN = 1 << 14
"""How many bytes a log-in may have: it comes from anybody."""

FORKS = 50
"""How many forks a game's page lists."""

KEPT = "Kifu-Keep"
"""The header by which a device asks for a page to keep it."""

UNREAD = 1000
"""How many entries the page of a game shows whose ruleset is not here."""

FIELDS = {
    "line": limits.LINE,
    "text": limits.TEXT,
    "reason": limits.REASON,
    "name": limits.NAME,
    "id": components.ID,
    "label": components.LABEL,
    "about": components.TEXT,
    "word": components.WORD,
    "formula": formulas.LENGTH_LIMIT,
}
"""How many characters the fields of pages take."""

_LOCAL = re.compile(r"/(?![/\\])[\x21-\x7e]*")
"""An address of this service, as a browser sends it."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
WORKER_POLICY = "default-src 'none'; connect-src 'self'"
PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer"),
        *("microphone", "midi", "payment", "serial", "usb"),
    )
)
"""What no page asks a device for. Sharing, the clipboard, and keeping the screen on are asked for."""
FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""For all that is no page, should a browser open it as one: a board draws itself, and nothing runs."""


def _releases() -> Releases:
    found: Releases = current_app.extensions[RELEASES]
    return found


RELEASE = "Kifu-Release"
"""The header that says of which release the pages are by now: a page of another one offers to be loaded anew."""

pages = Blueprint("pages", __name__, template_folder="templates")


@pages.app_url_defaults
def _of_this_release(endpoint: str, values: dict[str, Any]) -> None:
    if endpoint == "pages.static":
        values.setdefault("release", assets.digest())


@pages.get("/static/<release>/<path:filename>", endpoint="static")
def send_file(release: str, filename: str) -> Response:
    """A file that pages load, of this release or an earlier one. Its address names its content, so it never changes."""
    try:
        response = Response(_releases().content(release, filename), mimetype=guess_type(filename)[0])
    except FileNotFoundError:
        raise NotFound from None
    response.headers["ETag"] = f'"{release}"'
    response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    confirm(response)
    return response


@pages.get("/")
def list_games() -> str:
    """The games, the last recorded first."""
    wanted = {name: text for name, text in request.args.items() if text}
    query = GamesQuery(unknown=EXCLUDE).load(wanted)
    position = archive().log.position()  # from where the page follows: what comes after it may be missing
    return render_template(
        "games.html",
        found=games_found(query),
        position=position,
        query=query,
        rulesets=RULESETS,
        acts="games:open" in _service(),
    )


@pages.get("/games/last")
def show_last_game() -> AnyResponse:
    """The way to the game that was recorded last, of those that the visitor may see; to the list if there is none."""
    found = games_found(GamesQuery().load({"limit": 1})).games
    leads = url_for("pages.show_game", game=found[0].game) if found else url_for("pages.list_games")
    return redirect(leads, 303)


@pages.get("/draft")
def show_draft() -> str:
    """Where a game is recorded that waits on a device to be opened; the device knows which, and what is in it."""
    own = archive().log.components.all(SCORESHEET.name)
    return render_template(
        "draft.html",
        rulesets=RULESETS,
        helps={name: examples_in(ruleset, locale()) for name, ruleset in RULESETS.items()},
        sheets={"ready": drafts.ready_sheets(), "own": {found.name: drafts.sheet(found.data) for found in own}},
        acts=True,
    )


@pages.get("/manifest.webmanifest")
def show_manifest() -> Response:
    """What a phone has to know to put Kifu on its home screen."""
    manifest = {
        "id": "/",
        "name": gettext("Kifu 棋譜, the record of a game"),
        "short_name": "Kifu",
        "description": gettext("Keeps the record of tabletop games that are played in person."),
        "lang": locale(),
        "start_url": url_for("pages.list_games"),
        "scope": "/",
        "display": "standalone",
        "theme_color": GROUND,
        "background_color": GROUND,
        "icons": [
            {"src": _icon("icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": _icon("icon-512.png"), "sizes": "512x512", "type": "image/png"},
            {"src": _icon("icon-maskable.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
            {"src": _icon("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        ],
        "shortcuts": [
            {"name": name, "url": url, "icons": [{"src": _icon("icon-192.png"), "sizes": "192x192"}]}
            for name, url in (
                (gettext("New game"), url_for("pages.list_games", _anchor="opening")),
                (gettext("Last game"), url_for("pages.show_last_game")),
            )
        ],
    }
    answer = Response(msgspec.json.encode(manifest), mimetype="application/manifest+json")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@pages.get("/worker.js")
def show_worker() -> Response:
    """The service worker, which keeps the games last seen. It lies at the root, because it is for all pages."""
    answer = Response(assets.worker(locale()), mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = WORKER_POLICY
    return answer


def _icon(name: str) -> str:
    return url_for("pages.static", filename=name)


@pages.get("/games/<uuid:game>")
def show_game(game: UUID) -> str:
    """A game with its board, its record, and the entry of the next move."""
    return _show(str(game))


@pages.get("/games/<uuid:game>/scoreboard")
def show_scoreboard(game: UUID) -> str:
    """A game on a big screen, as everybody may see it: everybody in the room does."""
    return _show_big(str(game), viewpoint_of("public"), url_for("pages.show_game", game=game))


@pages.get("/s/<code>")
def show_shared(code: str) -> str:
    """A game by a share link: as it goes on, or at one moment."""
    link = _opened(code)
    if link.at is None:
        return _show(link.game, share=code)
    fold = archive().folds.at(link.game, link.at)
    return render_template(
        "moment.html",
        game=game_info(fold, viewpoint_by(link)),
        ruleset=ruleset_named(fold.opened.ruleset),
        scores=fold.totals(),
        version=link.at,
        share=code,
        card=_card(fold, code),
    )


@pages.get("/s/<code>/board.svg")
def draw_shared(code: str) -> Response:
    """The board of the moment that a share link shows."""
    g.secret_address = True
    link = links.find(gate(), code)
    folds = archive().folds
    fold = folds.current(link.game) if link.at is None else folds.at(link.game, link.at)
    picture = pictures.spoken(fold.state.view(viewpoint_by(link)))
    return Response(
        picture, content_type="image/svg+xml; charset=utf-8", headers={"Cache-Control": "private, no-cache"}
    )


@pages.get("/s/<code>/scoreboard")
def show_shared_scoreboard(code: str) -> str:
    """A game on a big screen, as its share link shows it."""
    link = _opened(code)
    if link.at is not None:
        raise ProblemError("not-found", gettext("this link shows one fixed moment, so there is nothing to follow"))
    return _show_big(link.game, viewpoint_by(link), url_for("pages.show_shared", code=code), share=code)


@pages.get("/s/<code>/card.png")
def draw_shared_card(code: str) -> Response:
    """The picture of a share link's card."""
    g.secret_address = True
    link = links.find(gate(), code)
    folds = archive().folds
    return _drawn_card(folds.current(link.game) if link.at is None else folds.at(link.game, link.at))


@pages.get("/games/<uuid:game>/card.png")
def draw_card(game: UUID) -> Response:
    """The picture of a game's card."""
    return _drawn_card(archive().folds.current(str(game)))


def _drawn_card(fold: Fold) -> Response:
    picture = cards.drawn(fold, ruleset_named(fold.opened.ruleset), seats_in(fold))
    return Response(picture, content_type="image/png", headers={"Cache-Control": "private, no-cache"})


def _card(fold: Fold, share: str | None) -> Card | None:
    """What is told of a game where somebody posts this page's address; nothing if strangers may not see it there."""
    if share is None and gate().level(fold.game) == "private":
        return None
    ruleset = ruleset_named(fold.opened.ruleset)
    shown = url_for("pages.show_shared", code=share) if share else url_for("pages.show_game", game=fold.game)
    title = fold.opened.title or languages.named(ruleset.title)
    description = cards.described(fold, ruleset, seats_in(fold))
    return Card(title, description, f"{addresses.for_phones()}{shown}", f"{addresses.for_phones()}{shown}/card.png")


@pages.get("/s/<code>/stream")
def follow_shared(code: str) -> Response:
    """The stream of the game that a share link shows as it goes on: a page cannot name its link in another way."""
    g.shared = True
    link = links.find(gate(), code)
    if link.at is not None:
        raise ProblemError("not-found", gettext("this link shows one fixed moment, so there is nothing to follow"))
    g.standing, g.link = standing_by(link), link
    return follow(link.game, FollowAllQuery().load(read_query()) | {"seat": None})


def _opened(code: str) -> Link:
    """The share link by which a page was opened. Raises as `links.find` says."""
    g.secret_address = True
    link = links.find(gate(), code)
    gate().store.note_opened(link.id)
    g.standing = standing_by(link)
    return link


def _show_big(game: str, viewpoint: Viewpoint, path: str, share: str | None = None) -> str:
    """The scoreboard of a game, with the address of the game at `path` as a QR code."""
    fold = archive().folds.current(game)
    info, address = game_info(fold, viewpoint), f"{addresses.for_phones()}{path}"
    return render_template(
        "scoreboard.html",
        game=info,
        ruleset=ruleset_named(info.ruleset),
        seating=_seating(fold),
        names=_names(fold.state),
        frame=_frame(fold, viewpoint),
        share=share,
        address=address,
        qr=segno.make(address, micro=False).svg_inline(border=2, light="white", omitsize=True),
    )


def _show(game: str, share: str | None = None) -> str:
    viewpoint = viewpoint_of(None)
    try:
        fold = archive().folds.current(game)
    except RulesetMissingError:
        return _show_unread(game, viewpoint)
    info = game_info(fold, viewpoint)
    ruleset = ruleset_named(info.ruleset)
    acts = "games:record" in here().scopes
    looks = range(fold.seats) if here().whole else sorted(here().seen)
    seat = _seat(looks) if acts and looks else None
    return render_template(
        "game.html",
        game=info,
        ruleset=ruleset,
        examples=examples_in(ruleset, locale()),
        seating=_seating(fold),
        names=_names(fold.state),
        origin=_title(info.origin.game) if info.origin else None,
        frame=_frame(fold, viewpoint),
        may=here().scopes,
        acts=acts,
        whole=here().whole,
        looks=looks,
        permit=_permit(),
        recorders=_owner(),
        base=addresses.for_phones(),
        share=share,
        card=_card(fold, share),
        sheet=_sheet(fold),
        wins=fold.state.template.wins if isinstance(fold.state, ScoresheetState) else "highest",
        forks=_forks(info.game),
        told=_told(info, seat, moves=acts),
        early=[timeline_of(info.game, 0, seat)] if info.version > LONG and not share else [],
    )


def _seat(looks: Sequence[int]) -> str:
    """From where a page looks at first that can look from these seats, as its script chooses it."""
    views = [*(["record"] if here().whole else []), *map(str, looks), "public"]
    asked = request.args.get("seat")
    return asked if asked in views else views[0]


def _told(info: GameInfo, seat: str | None, *, moves: bool) -> str:
    """What the script of a game's page asks for first, by its addresses, to stand in the page as JSON.

    Nothing in a page that is kept on a device: the answers are kept beside it.
    """
    told = {} if KEPT in request.headers else with_page(info.game, info.ruleset, info.version, seat, moves=moves)
    return msgspec.json.encode(told, enc_hook=spoken).decode().replace("<", "\\u003c")


def _permit() -> dict[str, Any]:
    """What the visitor may record of the game, for its page."""
    who, standing = asker(), here()
    scopes = standing.scopes | (_service() & {"games:open", "people:read", "people:write"})
    seats = sorted(standing.seats) if standing.confined else None
    return {"scopes": sorted(scopes), "seats": seats, "me": sorted(who.recorders) if who else []}


def _show_unread(game: str, viewpoint: Viewpoint) -> str:
    """A game whose ruleset is not here: what is known of it, and its entries as they are stored."""
    fold = archive().folds.as_far(game)
    entries = timeline(archive().folds, game, fold.version, 0, UNREAD, viewpoint)
    people = _owner() | names_in(context(), entries, fold)
    return render_template(
        "unread.html", game=game_info(fold, viewpoint), entries=entries, people=people, may=here().scopes
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
    return drafts.keypad(fold.state.template)


def _names(state: State) -> dict[str, str]:
    """What a score sheet and its columns are called in the reader's language, by their ids and their English names."""
    then = called(state)
    if not (isinstance(state, ScoresheetState) and isinstance(then, ScoresheetState)):
        return {}
    names = {state.template.name: then.template.name}
    for column, said in zip(state.template.columns, then.template.columns, strict=True):
        names |= dict.fromkeys((components.line_title(column, None), column.title, column.id), said.title)
    return names


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
    """What the owner is called without a name, for whoever may know who recorded the game."""
    return {context().access.owner: OWNER} if knows_people() else {}


def _title(game: str) -> str | None:
    """What a game is called; None for one that cannot be read, is not for this visitor, or not here."""
    if gate().standing(asker(), game) is NONE:
        return None
    try:
        return archive().folds.current(game).opened.title or "Untitled game"
    except (GameUnknownError, DamagedError, ProjectionError):
        return None


@pages.get("/rulesets")
def list_rulesets() -> str:
    """The rulesets."""
    return render_template("rulesets.html", rulesets=RULESETS.values())


@pages.get("/rulesets/<name>")
def show_ruleset(name: str) -> str:
    """A ruleset: its rules, each with its id as anchor, and how its moves are typed."""
    ruleset = ruleset_named(name)
    return render_template(
        "ruleset.html", ruleset=ruleset, chapters=chapters(ruleset, locale()), examples=examples_in(ruleset, locale())
    )


@pages.get("/rulesets/scoresheet/template")
def edit_template() -> str:
    """The editor of a score sheet's template."""
    return render_template("template.html")


@pages.get("/problems")
def list_problems() -> str:
    """Every kind of problem."""
    return render_template("problems.html", kinds=KINDS.values())


@pages.get("/problems/<name>")
def show_problem(name: str) -> str:
    """What a kind of problem means and what to do about it: where the `type` of a problem leads."""
    kind = KINDS.get(name)
    if kind is None:
        raise ProblemError("not-found", gettext("there is no problem type %(name)s", name=repr(name)))
    return render_template("kind.html", kind=kind)


@pages.before_request
def _let_in() -> None:
    """Let the visitor in, as far as the page is for them. A session that is over is forgotten, not fatal."""
    need = PAGES[(request.endpoint or "").rpartition(".")[2]]
    _recognise()
    if need is not OPEN:
        game = (request.view_args or {}).get("game")
        admit(need, str(game) if game else None)


def _recognise() -> None:
    """Know who the visitor is. Raises `ProblemError` for what is no session, `LogError`."""
    try:
        asker()
    except ProblemError as error:
        if error.kind.name != "token-unknown":
            raise
        g.asker, g.stale_token = None, True
    except AccessStoppedError:
        g.asker = None  # pages that are the same for everybody are there, too


def _service() -> Scopes:
    """What the visitor may do with the service as a whole."""
    who = asker()
    return who.service if who else frozenset()


@pages.get("/device")
def show_device() -> str:
    """Where the code of a device is typed in; what waits with it is only told to whoever sends the form."""
    return render_template("device.html", code=request.args.get("user_code", ""))


@pages.post("/device")
def decide_on_device() -> AnyResponse:
    """Show which program waits with a code, and what it asks for; with a `decision`, approve it, or refuse it."""
    request.max_content_length = LOGIN
    code, decision = (request.form.get(name, "").strip() for name in ("user_code", "decision"))
    who = known_asker()
    asked = gate().typed(code, gate().devices.find)
    if asked is None:
        return _device_page(404, code=code, wrong=True)
    scopes = asked.scopes & gate().reach(who)
    if decision not in {"approve", "refuse"}:
        return _device_page(
            200, code=code, asked=asked, scopes=meanings(scopes), beyond=meanings(asked.scopes - scopes)
        )
    if decision == "approve" and not scopes:
        raise lacking(min(asked.scopes), who, None)
    approval = Approval(
        person=who.person, by=who.id, credential=who.credential.id, scopes=scopes, ends=who.credential.ends
    )
    if not gate().devices.decide(code, approval if decision == "approve" else None):
        return _device_page(404, code=code, wrong=True)
    return _device_page(200, asked=asked, decision=decision)


def _device_page(status: int, **more: Any) -> AnyResponse:
    return make_response(render_template("device.html", **more), status)


pages.add_url_rule("/authorize", view_func=consent.show_app)
pages.add_url_rule("/authorize", view_func=consent.decide_on_app, methods=["POST"])


@pages.get("/login")
def show_login() -> str:
    """Where a token is typed in; with the code of a log-in link, where it is used: opening the link alone does not."""
    return render_template("login.html", code=request.args.get("code"), on=_on(request.args))


@pages.post("/login")
def log_in() -> AnyResponse:
    """Take the typed token, or the code of a link, for a session."""
    request.max_content_length = LOGIN
    need_own_origin()
    code, token = (request.form.get(name, "").strip() for name in ("code", "token"))
    on = _on(request.form)
    try:
        begun = sessions.begin_by_link(gate(), code) if code else sessions.begin_by_token(gate(), token)
    except ProblemError as error:
        if error.kind.name != "token-unknown":
            raise
        wrong = told(error.detail) if code or token else None
        return make_response(render_template("login.html", wrong=wrong, on=on), 401)
    return _logged_in(begun, _address_of(on))


def _logged_in(begun: Begun, on: str | None = None) -> AnyResponse:
    """Go on to an address, or else to the game for which the session began, or to all of them."""
    game = url_for("pages.show_game", game=begun.game) if begun.game else url_for("pages.list_games")
    response = redirect(on or game, 303)
    _set_cookie(response, begun.secret, begun.seconds)
    return response


@pages.get("/access")
def show_access() -> str:
    """One's own devices; and, for whoever sees to them: people, invitations, tokens, share links, and the trail."""
    who = known_asker()
    return render_template(
        "access.html",
        scopes={name: gettext(what) for name, what in SCOPES.items()},
        roles=list(ROLES),
        page={
            "me": who.person,
            "people": sorted(who.people),
            "credential": who.credential.id,
            "owner": context().access.owner,
            "base": addresses.for_phones(),
        },
    )


@pages.get("/join")
def show_join() -> str:
    """Where the short code of an invitation is typed in; opening the address alone does not use it."""
    return render_template("join.html", code=request.args.get("code", ""))


@pages.post("/join")
def join() -> AnyResponse:
    """Take the short code of an invitation for a session."""
    request.max_content_length = LOGIN
    need_own_origin()
    code = request.form.get("code", "").strip()
    begun = sessions.begin_by_short_code(gate(), code)
    if begun is None:
        return make_response(render_template("join.html", code=code, wrong=True), 404)
    return _logged_in(begun)


@pages.get("/join/<code>.svg")
def draw_join(code: str) -> Response:
    """The QR code of the address at which a phone finds the page for a short code, whatever that code opens."""
    if codes.read(code) != code or not codes.FORM.fullmatch(code):
        raise ProblemError("not-found", gettext("this is not the form of a code"))
    drawn, address = io.BytesIO(), f"{addresses.for_phones()}{url_for('pages.show_join', code=code)}"
    segno.make(address, micro=False).save(drawn, kind="svg", scale=4)
    return Response(drawn.getvalue(), content_type="image/svg+xml")


def _on(given: MultiDict[str, str]) -> dict[str, str]:
    """Where somebody goes on who came here to log in: to let in a device (its code), or an app (what it asks)."""
    return {name: given[name] for name in ("device", "app") if name in given}


def _address_of(on: dict[str, str]) -> str | None:
    """The address of where somebody goes on, if they said so; it is one of here, whatever they sent."""
    if "device" in on:
        return url_for("pages.show_device", user_code=on["device"] or None)
    if "app" in on:
        return f"{url_for('pages.show_app')}?{urlencode(parse_qsl(on['app']))}"
    return None


@pages.post("/language")
def choose_language() -> AnyResponse:
    """Keep the language that somebody chose in this browser, and go back to the page where they did."""
    request.max_content_length = LOGIN
    need_own_origin()
    chosen, back = (request.form.get(name, "") for name in ("lang", "back"))
    if chosen not in locales():
        raise ProblemError("bad-request", gettext("Kifu has no language %(name)s", name=repr(chosen)))
    response = redirect(back if _LOCAL.fullmatch(back) else url_for("pages.list_games"), 303)
    response.set_cookie(languages.COOKIE, chosen, max_age=YEAR, samesite="Lax", secure=request.is_secure)
    return response


@pages.post("/logout")
def log_out() -> AnyResponse:
    """End the session, wherever a copy of its cookie may be; with `everywhere`, all of this person."""
    need_own_origin()
    who = asker()
    if who is not None and who.credential.kind == "ses":
        end = sessions.end_everywhere if "everywhere" in request.form else sessions.end
        end(gate(), who)
        g.asker = None  # what is over is not renewed by the answer that says so
    response = redirect(url_for("pages.list_games"), 303)
    response.delete_cookie(cookie_name(), secure=request.is_secure)
    return response


def _set_cookie(response: AnyResponse, secret: str, seconds: int) -> None:
    """The cookie is read by no script, and lax, not strict, so that a link in a message opens the page logged in."""
    response.set_cookie(cookie_name(), secret, max_age=seconds, httponly=True, samesite="Lax", secure=request.is_secure)


@pages.errorhandler(Exception)
def show_error(error: Exception) -> Response | tuple[str, int, dict[str, str]]:
    """A problem as a page, unless whoever asks takes none."""
    found = examine(error)
    if request.accept_mimetypes and not request.accept_mimetypes.accept_html:
        return problem(found)
    page = render_template("error.html", problem=found, back="")  # the address may hold a secret: it is not repeated
    return page, found.kind.status, found.headers


@pages.app_errorhandler(NotFound)
def show_nothing(error: NotFound) -> Response | tuple[str, int, dict[str, str]]:
    """What lies at no address: a page for browsers, a problem for programs and everywhere under /v1."""
    wanted = request.accept_mimetypes
    if request.path.startswith("/v1/") or wanted["text/html"] <= wanted["application/json"]:
        return problem(examine(error))
    with suppress(ProblemError, LogError):  # such an address is nobody's page, and whoever is known stays so
        _recognise()
    return show_error(ProblemError("not-found", gettext("there is no page at %(path)s", path=request.path)))


@pages.app_context_processor
def _surroundings() -> dict[str, Any]:
    who = g.get("asker")
    known = {"known": who is not None, "may": who.service if who else frozenset(), "acts": False}
    more = {"stale_token": g.get("stale_token", False), "limits": FIELDS, "back": _back()}
    return known | more | {"release": __version__, "pages": assets.digest()}


def _back() -> str:
    """The address of this page, without the language in which it was asked for."""
    asked = urlencode([(name, value) for name, value in request.args.items(multi=True) if name != "lang"])
    return f"{quote(request.path)}?{asked}" if asked else quote(request.path)


@pages.after_app_request
def _guard(response: Response) -> Response:
    """Let nothing run or load in a browser but what is ours."""
    page = response.mimetype == "text/html"
    policy = f"{PAGE_POLICY} {g.get('leads_to', '')}".strip() if page else FILE_POLICY
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers["Cross-Origin-Resource-Policy"] = _loaded_by(response)
    if g.get("secret_address", False):
        response.headers["X-Robots-Tag"] = "noindex"
    if "immutable" not in response.headers.get("Cache-Control", ""):  # else it would be said for a year
        response.headers[RELEASE] = assets.digest()
    if page:
        _releases().keep()
        response.headers["Referrer-Policy"] = "no-referrer" if g.get("secret_address", False) else "same-origin"
        response.headers["Cache-Control"] = "private, no-cache" if response.status_code < 400 else "no-store"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = PERMISSIONS
        response.vary.add("Cookie")
        response.headers["Kifu-Session"] = sessions.named(g.get("asker"))
        if g.get("stale_token", False):
            response.delete_cookie(cookie_name(), secure=request.is_secure)
        elif renewed := sessions.renewed(gate(), g.get("asker")):
            _set_cookie(response, *renewed)
    return response


def _loaded_by(response: Response) -> str:
    """Which pages may load an answer: all of them the API and pictures, but nothing that a session's cookie opened."""
    of_all = request.path.startswith(cors.API) or (response.mimetype or "").startswith("image/")
    return "cross-origin" if of_all and cookie_name() not in request.cookies else "same-origin"


pages.add_app_template_filter(inline, "inline_markdown")
pages.add_app_template_test(is_long_run, "long_run")


@pages.app_template_filter("short_rule")
def short_rule(rule: str) -> str:
    """`kahuna:CTRL-2` as `CTRL-2`."""
    return rule.partition(":")[2]


pages.add_app_template_filter(told)


@pages.app_template_filter("worded")
def worded_here(text: str, ruleset: Ruleset) -> str:
    """A text that a ruleset wrote for people in the reader's language."""
    return worded(text, locale(), ruleset.name)


@pages.app_template_filter("chosen")
def chosen(option: Option, choice: bool | int | str) -> str:
    """What a choice of an option is called in the reader's language; a ready sheet goes by its own name."""
    if option.name == "template" and choice in READY:
        return read_template(READY[str(choice)]).called(locale(), words(locale(), SCORESHEET.name)).name
    return gettext(option.called(choice))


@pages.app_template_filter("moment")
def moment(timestamp: str) -> str:
    """A time of the API's form as the reader's language has it; the page's script turns it into their own time."""
    time = datetime.fromisoformat(timestamp)
    return f"{dates.format_date(time, locale=locale())} {dates.format_time(time, 'HH:mm', locale=locale())} UTC"
