"""The analyses of a game in its file, in words and tables: how it went, chances to win, turning points, a review, luck.

Chances, turning points and reviews take long, so a file only has those that were made before. The others are made for
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import KINDS
from projections.analyses.luck import LuckCounts, luck_counts
from projections.analyses.pace import GameTimeline, timeline
from projections.analyses.review import Review
from projections.analyses.rounding import rounded
from projections.analyses.turning import TurningPoints
from projections.analyses.winline import WinLine
from service.api.endpoints import archive
from service.api.figures import tenths
from service.api.happened import option_text
from service.api.reviewing import amount_text, chance_text, count_sentences, names_of_sides, review_sentences
from service.api.sitting import names_then, seats_then
from service.api.stored_analyses import stored_analysis
from service.api.storytelling import course_sentences
from service.drawing import charts
from service.languages import gettext, locale, localized
from service.languages.sentences import with_translated_terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from games.contract import Viewpoint
    from projections.analyses.game_replay import GameReplay
    from projections.analyses.luck import Counted
    from projections.analyses.review import Slip
    from projections.analyses.turning import Option, TurningPoint
    from projections.fold import Fold
    from service.api.answers.games import SeatInfo

LONGEST = 300
"""Entries of a game up to which its luck is counted for a file, if that was not done before."""

LUCK = "luck"
"""The anchor of the part about luck."""

T = TypeVar("T")


class Part(NamedTuple):
    """The part of a file about an analysis: sentences, a picture, and a table with its heads, if it has one.

    `anchor` is its place in the page. The part with that of `see` has more.
    """

    title: str
    sentences: Sequence[str] = ()
    picture: Markup | str = ""
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    anchor: str = ""
    see: str = ""


class _Teller:
    """Tells the analyses of one game, from one viewpoint."""

    def __init__(self, fold: Fold, viewpoint: Viewpoint, seats: Sequence[SeatInfo]) -> None:
        self._fold, self._viewpoint, self._seats = fold, viewpoint, seats
        self._replay: GameReplay | None = None
        self._then = names_then(fold, seats)

    def parts(self) -> Iterator[Part]:
        """The parts of all analyses with content."""
        if line := self._made("win-line", WinLine):
            yield from self._chances(line)
        if turning := self._made("turning-points", TurningPoints):
            yield from self._turning(turning)
        luck = self._counted()
        if found := self._made("review", Review):
            yield self._review(found)._replace(see=LUCK if luck and luck.events else "")
        yield self._course(self._made("timeline", GameTimeline) or timeline(self.replay))
        if luck:
            yield from self._luck(luck)

    def _counted(self) -> LuckCounts | None:
        """Luck by counts; None if the game has no chance, or is so long that it has to be counted before."""
        if not KINDS["luck-counts"].applies(self._fold.ruleset):
            return None
        made = self._made("luck-counts", LuckCounts)
        return luck_counts(self.replay) if made is None and self._fold.version <= LONGEST else made

    @property
    def replay(self) -> GameReplay:
        """The game, played again."""
        if self._replay is None:
            self._replay = replay_of(archive().folds, self._fold.game, self._fold.version, self._viewpoint)
        return self._replay

    def _made(self, kind: str, form: type[T]) -> T | None:
        return stored_analysis(self._fold, kind, self._viewpoint, form)

    def _name(self, seat: int) -> str:
        return self._seats[seat].name or localized(self._seats[seat].label)

    def _phrase(self, text: str) -> str:
        said = with_translated_terms(text, locale(), self._fold.ruleset.name)
        return said[:1].upper() + said[1:]

    def _chances(self, line: WinLine) -> Iterator[Part]:
        places = {step.version: place for place, step in enumerate(self.replay.steps)}
        points = sorted((each for each in line.points if each.chances), key=lambda each: places.get(each.version, 0))
        if not points:
            return
        sides = [seat for seat in range(self._fold.seats) if line.stands_for_side(seat)]
        series = [[each.chances[seat].p for each in points] for seat in sides]
        heads = [gettext("Entry"), *map(names_of_sides(line, self._name), sides)]
        rows = [[str(each.version), *(chance_text(each.chances[seat]) for seat in sides)] for each in points]
        title = gettext("Chances to win")
        yield Part(title, picture=charts.lines(series, title), heads=heads, rows=rows)

    def _turning(self, found: TurningPoints) -> Iterator[Part]:
        rows = [
            [str(each.version), self._side(found, each), chance_text(each.before), chance_text(each.after)]
            for each in found.points
        ]
        if rows:
            heads = [gettext("Entry"), gettext("Who"), gettext("Before"), gettext("After")]
            yield Part(gettext("Turning points"), heads=heads, rows=rows)

    def _side(self, found: TurningPoints, point: TurningPoint) -> str:
        return names_of_sides(found, lambda seat: self._then(seat, point.version))(point.seat)

    def _review(self, found: Review) -> Part:
        """How well each seat played, what luck did, and the slips."""
        heads = [gettext("Entry"), gettext("Who"), gettext("Move"), gettext("Better"), gettext("Better by")]
        rows = [self._slip(own.seat, slip) for own in found.seats for slip in own.slips]
        told = review_sentences(found, self._name, self._phrase)
        return Part(gettext("Review"), [*told], heads=heads, rows=rows)

    def _slip(self, seat: int, slip: Slip) -> list[str]:
        who = self._then(seat, slip.version)
        moves = [self._option(option, slip.version) for option in (slip.made, slip.better)]
        return [str(slip.version), who, *moves, amount_text(slip.loss)]

    def _option(self, option: Option, entry: int) -> str:
        return option_text(option, self._fold.ruleset.name, seats_then(self._seats, self._then, entry))

    def _course(self, course: GameTimeline) -> Part:
        heads = [gettext("Who"), gettext("Turns"), gettext("Together"), gettext("Longest")]
        rows = [
            [self._name(each.seat), str(each.turns), _duration(each.seconds), _duration(each.longest)]
            for each in course.pace
            if each.timed
        ]
        return Part(
            gettext("How it went"),
            [*course_sentences(course, self._then)],
            heads=heads if rows else (),
            rows=rows,
        )

    def _luck(self, found: LuckCounts) -> Iterator[Part]:
        heads = [gettext("What"), gettext("Came"), gettext("To be expected"), "n"]
        yield Part(gettext("Luck"), [*count_sentences(found, self._name, self._phrase)], anchor=LUCK)
        for kind in found.kinds:
            rows = [self._row(self._phrase(each.outcome), kind.n, each.count) for each in kind.outcomes]
            rows += [
                self._row(gettext("brought to %(name)s", name=self._name(each.seat)), each.n, each.count)
                for each in kind.brought
            ]
            who = [] if kind.seat is None else [self._name(kind.seat)]
            if kind.n and rows:
                yield Part(" · ".join([gettext("Luck"), self._phrase(kind.title), *who]), heads=heads, rows=rows)

    def _row(self, what: str, n: int, count: Counted) -> list[str]:
        return [what, str(count.got), f"{tenths(count.expected)} ± {tenths(count.sd)}", str(n)]


def parts_of(fold: Fold, viewpoint: Viewpoint, seats: Sequence[SeatInfo]) -> list[Part]:
    """The parts of a file about a game's analyses that `viewpoint` may know, in the reader's language."""
    return list(_Teller(fold, viewpoint, seats).parts())


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return ""
    minutes, rest = divmod(int(rounded(seconds)), 60)
    if minutes < 60:
        return gettext("%(minutes)s min %(seconds)s s", minutes=minutes, seconds=rest)
    return gettext("%(hours)s h %(minutes)s min", hours=minutes // 60, minutes=minutes % 60)
