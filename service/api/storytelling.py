"""How a game went, in sentences of the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.languages import gettext, listed, ngettext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from projections.analyses.pace import GameTimeline
    from projections.analyses.story import StorySentence


def course_sentences(
    course: GameTimeline, name: Callable[[int, int], str], number: Callable[[int], str] = str
) -> Iterator[str]:
    """What happened, each sentence with its entry; and since when it was decided.

    `name` is what a seat is called at an entry, and `number` what stands for an entry.
    """
    told = {each.what for each in course.story}
    if course.together:
        yield gettext("All played together.")
    elif _one_led(course):
        yield gettext("The lead never changed.")
    for sentence in course.story:
        names = listed([name(seat, sentence.version) for seat in sentence.seats])
        yield _told(sentence, names, number(sentence.version), is_draw=_is_draw(sentence, course))
    end = next((each for each in course.story if each.what == "end"), None)
    if "first" not in told or course.decided is None or end is None or len(end.seats) != 1:
        return  # of several winners one can have been behind
    if course.decided == 1:
        yield gettext("The winner was never behind.")
    elif course.decided != end.version:
        yield gettext("The winner was never behind after entry %(entry)s.", entry=number(course.decided))


def _one_led(course: GameTimeline) -> bool:
    """Whether all were level, and then one side led alone for more than the last entry, and never shared the lead."""
    first = next((each for each in course.story if each.what == "first"), None)
    if first is None or any(each.what == "end" and each.version == first.version for each in course.story):
        return False
    begun = [standing.version for standing in course.standings].index(first.version)
    level, led = course.standings[:begun], course.standings[begun:]
    return all(each.leaders == list(first.seats) for each in led) and all(
        len(each.leaders) == len(each.scores) for each in level
    )


def _told(sentence: StorySentence, names: str, entry: str, *, is_draw: bool) -> str:
    count = sentence.count or 0
    match sentence.what:
        case "first":
            return gettext("%(name)s went ahead first (entry %(entry)s).", name=names, entry=entry)
        case "ahead":
            return gettext("%(name)s took the lead and kept it (entry %(entry)s).", name=names, entry=entry)
        case "changes":
            return ngettext(
                "The lead changed once, at entry %(entry)s.",
                "The lead changed %(count)s times, the last time at entry %(entry)s.",
                count,
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
        case "behind":
            return _told_behind(names, count, entry, is_one=len(sentence.seats) == 1)
    return _told_end(names, entry, is_draw=is_draw)


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


def _told_end(names: str, entry: str, *, is_draw: bool) -> str:
    """How the game ended; `names` are those of the winners."""
    if not names:
        return gettext("Nobody won (entry %(entry)s).", entry=entry)
    if is_draw:
        return gettext("It ended in a draw (entry %(entry)s).", entry=entry)
    return gettext("%(names)s won (entry %(entry)s).", names=names, entry=entry)


def _is_draw(sentence: StorySentence, course: GameTimeline) -> bool:
    """Whether all won, and not as one."""
    return not course.together and 1 < len(sentence.seats) == len(course.standings[-1].scores)
