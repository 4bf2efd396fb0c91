"""The moments of a game that are worth a look, printed line by line."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from projections.analyses.moments import Moment, choose_moments
from projections.analyses.pace import GameTimeline
from projections.analyses.refining import Chances, side_of
from service.api.answers.games import Analyses
from service.api.reviewing import share_text
from service.api.storytelling import moment_sentence
from service.cli.shell import screen, wording
from service.cli.shell.patience import with_retries
from service.cli.shell.references import short_id
from service.cli.shell.sitters import Sitters, history_of
from service.languages import gettext
from service.live.analysis_info import AnalysisInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from service.api.answers.games import GameInfo
    from service.cli.shell.client import Client

SWINGS = {"turning-points": "points", "win-line": "swings"}
"""The kinds of analyses that know swings, the better one first, and where they are in a result."""
MOST = 200
"""How many analyses of a game are looked through."""


def tell_moments(
    client: Client, found: AnalysisInfo, moments: Sequence[Moment], table: Sitters, name: Callable[[int, int], str]
) -> None:
    """Print the moments of an analysis `timeline`, with the swings that were found from the same point of view."""
    places = {entry.version: entry.place for entry in table.entries}
    told = choose_moments([*moments, *_swings(client, found)], places)
    if not told:
        return
    texts = {entry.version: entry.readable(entry.text) or "" for entry in table.entries}
    screen.out().print(gettext("Moments to look at") + ":")
    for moment in told:
        sentence = moment_sentence(moment, name, found.version, texts.get(moment.note or 0, ""))
        screen.out().print(f"  {moment.version}  {sentence}")


def tell_known_moments(client: Client, info: GameInfo, seat: str | None) -> None:
    """Print the moments of a game that was analysed as it stands, or how to have that done.

    They are those from the `seat`; without one, those of the whole record before those that everybody may know.
    """
    views = [f"seat-{seat}" if seat.isdecimal() else seat] if seat else ["record", "public"]
    path = f"/v1/games/{info.game}/analyses"
    listed = with_retries(lambda: client.get(path, Analyses, limit=MOST)).analyses
    made = {
        each.viewpoint: each.id
        for each in reversed(listed)
        if (each.kind, each.version, each.status) == ("timeline", info.version, "done")
    }
    known = next((made[view] for view in views if view in made), None)
    if known is None:
        screen.hint(gettext("How it went: kifu analyse %(game)s", game=short_id(info.game)))
        return
    found = with_retries(lambda: client.get(f"{path}/{known}", AnalysisInfo))
    table = Sitters(info.seats, lambda: with_retries(lambda: history_of(client, info.game, seat)))
    with suppress(msgspec.ValidationError):  # an older release made it
        told = msgspec.convert(found.result, GameTimeline, strict=False)
        tell_moments(client, found, told.moments, table, lambda who, entry: wording.person(table.at(entry)[who]))


def _swings(client: Client, found: AnalysisInfo) -> Iterator[Moment]:
    """The swings from an analysis of the same record."""
    path = f"/v1/games/{found.game}/analyses"
    listed = with_retries(lambda: client.get(path, Analyses, limit=MOST)).analyses
    same = {
        each.kind: each.id
        for each in reversed(listed)
        if (each.version, each.viewpoint, each.status) == (found.version, found.viewpoint, "done")
    }
    kind = next((kind for kind in SWINGS if kind in same), None)
    if kind:
        result: dict[str, Any] = with_retries(lambda: client.get(f"{path}/{same[kind]}", AnalysisInfo)).result or {}
        for swing in result.get(SWINGS[kind], []):
            chances = [int(share_text(Chances(**swing[when]))) for when in ("before", "after")]
            side = side_of(result.get("sides", []), swing["seat"])
            yield Moment(swing["version"], "swing", side, chances=chances)
