"""How a game went, in sentences of the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.api.endings import reason_text
from service.languages import gettext, join_names, ngettext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from projections.analyses.moments import Moment
    from projections.analyses.pace import GameTimeline, Standing
    from projections.analyses.story import StorySentence


def course_sentences(
    course: GameTimeline, name: Callable[[int, int], str], number: Callable[[int], str] = str
) -> Iterator[str]:
    """What happened, each sentence with its entry.

    `name` is what a seat is called at an entry, and `number` what stands for an entry.
    """
    end = next((each for each in course.story if each.what == "end"), None)
    for sentence in course.story:
        names = [name(seat, sentence.version) for seat in sentence.seats]
        entry = number(sentence.version)
        if sentence is end:
            yield _told_end(end, course, join_names(names), entry, number)
            continue
        kept = end is not None and _kept(sentence, course, end)
        stayed = end is not None and names == [name(seat, end.version) for seat in sentence.seats]
        if kept and stayed:
            yield gettext("%(name)s took the lead and kept it (entry %(entry)s).", name=join_names(names), entry=entry)
        elif sentence.what == "first":
            yield _told_first(join_names(names), entry, alone=not _led_together(sentence, course))
        else:
            yield _told(sentence, join_names(names), entry, late=end is not None and sentence.version == end.version)


def moment_sentence(moment: Moment, name: Callable[[int, int], str], end: int, mark: str) -> str:
    """Why a moment is worth a look. `end` is the last entry, and `mark` what a bookmark says.

    Who sat there then kept no lead if somebody else sat there at the end.
    """
    names = join_names([name(seat, moment.version) for seat in moment.seats])
    stayed = names == join_names([name(seat, end) for seat in moment.seats])
    count = moment.count or 0
    match moment.why:
        case "mark":
            return f"★ {mark}"
        case "swing":
            return gettext(
                "%(name)s’s chance to win went from %(before)s to %(after)s %%",
                name=names,
                before=moment.chances[0],
                after=moment.chances[1],
            )
        case "ahead" if stayed:
            return gettext("%(name)s took the lead and kept it", name=names)
        case "ahead" | "changes":
            return gettext("%(name)s took the lead for the last time", name=names)
        case "gain":
            return ngettext(
                "%(name)s got %(count)s point at once", "%(name)s got %(count)s points at once", count, name=names
            )
        case "behind":
            return ngettext(
                "Behind by %(count)s point: %(name)s", "Behind by %(count)s points: %(name)s", count, name=names
            )
    return gettext("The last move")


def _kept(sentence: StorySentence, course: GameTimeline, end: StorySentence) -> bool:
    """Whether those who took the lead then kept it, and won: also who led first, if all were level before."""
    if sentence.version == end.version:
        return False
    if sentence.what != "first" or list(sentence.seats) != list(end.seats):
        return sentence.what == "ahead"
    led = course.standings[len(_before(sentence, course)) :]
    return all(each.leaders == list(sentence.seats) for each in led) and not _led_together(sentence, course)


def _led_together(first: StorySentence, course: GameTimeline) -> bool:
    """Whether some led together before one side led alone."""
    return any(len(each.leaders) < len(each.scores) for each in _before(first, course))


def _before(sentence: StorySentence, course: GameTimeline) -> Sequence[Standing]:
    """The standings before that of a sentence."""
    return course.standings[: [standing.version for standing in course.standings].index(sentence.version)]


def _told_first(names: str, entry: str, *, alone: bool) -> str:
    """Who led first."""
    if alone:
        return gettext("%(name)s went ahead first (entry %(entry)s).", name=names, entry=entry)
    return gettext("The first to lead alone: %(name)s (entry %(entry)s).", name=names, entry=entry)


def _told(sentence: StorySentence, names: str, entry: str, *, late: bool) -> str:
    """A sentence before the end; `late` says that the game ended with the same entry."""
    count = sentence.count or 0
    match sentence.what:
        case "ahead" if late:
            return gettext("%(name)s took the lead only at the end (entry %(entry)s).", name=names, entry=entry)
        case "ahead" | "changes":
            return ngettext(
                "The lead changed once, to %(name)s (entry %(entry)s).",
                "The lead changed %(count)s times, the last time to %(name)s (entry %(entry)s).",
                count or 1,
                name=names,
                entry=entry,
            )
        case "gain":
            return ngettext(
                "%(name)s got %(count)s point at once (entry %(entry)s).",
                "%(name)s got %(count)s points at once (entry %(entry)s).",
                count,
                name=names,
                entry=entry,
            )
    return _told_behind(names, count, entry, is_one=len(sentence.seats) == 1)


def _told_behind(names: str, count: int, entry: str, *, is_one: bool) -> str:
    """How far behind one player or several were."""
    if is_one:
        return ngettext(
            "%(name)s was %(count)s point behind (entry %(entry)s).",
            "%(name)s was %(count)s points behind (entry %(entry)s).",
            count,
            name=names,
            entry=entry,
        )
    return ngettext(
        "%(names)s were %(count)s point behind (entry %(entry)s).",
        "%(names)s were %(count)s points behind (entry %(entry)s).",
        count,
        names=names,
        entry=entry,
    )


def _told_end(end: StorySentence, course: GameTimeline, names: str, entry: str, number: Callable[[int], str]) -> str:
    """How the game ended; `names` are those of the winners."""
    seats = len(course.standings[-1].scores)
    if course.together and seats > 1:
        return _told_together(names, entry)
    if not names:
        return gettext("Nobody won (entry %(entry)s).", entry=entry)
    if 1 < len(end.seats) == seats:
        return gettext("It ended in a draw (entry %(entry)s).", entry=entry)
    if end.reason:
        return _told_reason(end.reason, names, entry)
    since = _ahead_since(end, course)
    if since is None:
        return gettext("%(names)s won (entry %(entry)s).", names=names, entry=entry)
    if since == 1:
        return gettext("%(name)s won, and was never behind (entry %(entry)s).", name=names, entry=entry)
    return gettext(
        "%(name)s won (entry %(entry)s), and was never behind after entry %(since)s.",
        name=names,
        entry=entry,
        since=number(since),
    )


def _told_reason(reason: str, names: str, entry: str) -> str:
    """Who won where points do not tell it, and why."""
    if reason == "resigned":
        return gettext("%(names)s won by resignation (entry %(entry)s).", names=names, entry=entry)
    why = reason_text(reason)
    return gettext(
        "%(names)s won: %(reason)s (entry %(entry)s).", names=names, reason=why[:1].lower() + why[1:], entry=entry
    )


def _ahead_since(end: StorySentence, course: GameTimeline) -> int | None:
    """After which entry the winner was never behind; None if that says nothing, as one of several can have been."""
    led = any(each.what == "first" for each in course.story)
    return course.decided if led and len(end.seats) == 1 and course.decided != end.version else None


def _told_together(names: str, entry: str) -> str:
    """How a game ended in which all played together."""
    if not names:
        return gettext("All lost together (entry %(entry)s).", entry=entry)
    return gettext("%(names)s won together (entry %(entry)s).", names=names, entry=entry)
