"""The sentences of a review, in the reader's language."""

from __future__ import annotations

from math import ceil, hypot
from typing import TYPE_CHECKING

from projections.analyses.rounding import rounded
from projections.analyses.winline import ROUGHEST
from service.api.figures import likelihood, margin, parts_of_hundred, percent, tenths
from service.languages import gettext, join_names, ngettext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from projections.analyses.luck import Extreme, LuckCounts
    from projections.analyses.refining import Chances, Simulation
    from projections.analyses.review import Review, SeatReview
    from projections.analyses.turning import Option
    from projections.analyses.worth import WinChanceShift

SURELY_WON = 0.99
"""A result with luck is the whole game for who won alone, but for what rounding took."""


def review_sentences(
    found: Review,
    name: Callable[[int], str],
    phrase: Callable[[str], str],
    tell: Callable[[Option, int], str] | None = None,
) -> Iterator[str]:
    """How well each seat played, what luck did, and what the figures mean.

    With `tell`, which says what an option at an entry is, the slips are told, too.
    """
    for own in found.seats:
        yield f"{name(own.seat)}: {accuracy_text(own)}"
        if tell:
            yield from _slip_sentences(own, tell)
    yield from luck_sentences(found, name, phrase)
    yield from review_notes(found)


def _slip_sentences(own: SeatReview, tell: Callable[[Option, int], str]) -> Iterator[str]:
    for slip in own.slips:
        yield gettext(
            "Entry %(entry)s: %(better)s is better than %(made)s by %(points)s.",
            entry=slip.version,
            better=tell(slip.better, slip.version),
            made=tell(slip.made, slip.version),
            points=amount_text(slip.loss),
        )


def luck_sentences(found: Review, name: Callable[[int], str], phrase: Callable[[str], str] = str) -> Iterator[str]:
    """What luck was worth, if it is known; else why not, and what is known exactly: the luck by counts.

    `phrase` translates what the ruleset says.
    """
    if all(own.without_luck and own.luck.margin and not _is_rough(own) for own in found.seats):
        sides = [own for own in found.seats if found.stands_for_side(own.seat)]
        side_name = names_of_sides(found, name)
        for own in sides:
            yield gettext(
                "All that is known of chance was worth %(points)s to %(seat)s.",
                points=points_text(own.luck),
                seat=side_name(own.seat),
            )
        yield _without_luck(sides, side_name)
        return
    if found.over and any(map(_is_rough, found.seats)):
        yield gettext(
            "The worth of luck is not known: the simulated games do not show it to within %(points)s points.",
            points=percent(ROUGHEST),
        )
    elif found.over and has_chance(found) and any(own.without_luck is None for own in found.seats):
        yield gettext("The worth of luck is not known: too little is known of what came by chance.")
    if found.luck_counts:
        yield from count_sentences(found.luck_counts, name, phrase)


def names_of_sides(found: Simulation, name: Callable[[int], str]) -> Callable[[int], str]:
    """Names a seat with its partners: a chance to win belongs to all of them."""
    return lambda seat: join_names([name(each) for each in found.side_of(seat)])


def has_chance(found: Review) -> bool:
    """Whether anything came by chance; of an older review that is not known."""
    return found.luck_counts is not None and found.luck_counts.events > 0


def count_sentences(found: LuckCounts, name: Callable[[int], str], phrase: Callable[[str], str]) -> Iterator[str]:
    """The most extreme figure, after counting how many were looked at; or that luck was ordinary, or is hidden."""
    if found.extreme:
        yield _extreme_sentence(found.extreme, found.figures, name, phrase)
    elif found.left_out and not found.n:
        yield ngettext(
            "Not enough is known: the result of %(count)s event of chance is hidden from here.",
            "Not enough is known: the results of %(count)s events of chance are hidden from here.",
            found.left_out,
        )


def _extreme_sentence(found: Extreme, figures: int, name: Callable[[int], str], phrase: Callable[[str], str]) -> str:
    if not found.stands_out:
        return gettext(
            "Luck was ordinary: chance alone explains the differences in all %(figures)s figures.", figures=figures
        )
    owner = [] if found.seat is None else [name(found.seat)]
    told = {
        "what": " · ".join([_capitalized(phrase(found.title)), *owner, _outcome_or_seat(found, name, phrase)]),
        "got": found.count.got,
        "difference": tenths(abs(found.count.got - found.count.expected)),
        "expected": tenths(found.count.expected),
        "figures": figures,
        "percent": max(1, ceil(100 * found.by_chance)),
    }
    if found.count.got > found.count.expected:
        return gettext(
            "%(what)s: %(got)s, %(difference)s more than expected (%(expected)s). That is the most extreme of "
            "%(figures)s figures: by chance alone, one of so many is as far off in at most %(percent)s of 100 games.",
            **told,
        )
    return gettext(
        "%(what)s: %(got)s, %(difference)s fewer than expected (%(expected)s). That is the most extreme of "
        "%(figures)s figures: by chance alone, one of so many is as far off in at most %(percent)s of 100 games.",
        **told,
    )


def _outcome_or_seat(found: Extreme, name: Callable[[int], str], phrase: Callable[[str], str]) -> str:
    """The outcome, or to whom all outcomes brought something."""
    if found.brought_to is None:
        return _capitalized(phrase(found.outcome or ""))
    return gettext("brought to %(name)s", name=name(found.brought_to))


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _is_rough(own: SeatReview) -> bool:
    """Whether too few games show what luck was worth, or what the result of a game that was given up is without it."""
    return own.luck.margin > (ROUGHEST if own.without_luck else 0)


def _without_luck(seats: Sequence[SeatReview], name: Callable[[int], str]) -> str:
    """The luck of the winner and the result without luck, in one sentence, if luck is known for all seats."""
    results = [own.without_luck.p for own in seats if own.without_luck]
    shares = " : ".join(parts_of_hundred([min(1, max(0, result)) for result in results]))
    winners = [own for own, result in zip(seats, results, strict=True) if result + own.luck.p > SURELY_WON]
    if len(winners) != 1:
        return gettext("Without luck it stands %(shares)s.", shares=shares)
    (winner,) = winners
    who, luck = name(winner.seat), winner.luck
    if not luck.is_certain:
        return gettext(
            "%(name)s won; what luck did is too close to tell (%(points)s).", name=who, points=points_text(luck)
        )
    if luck.p > 0:
        return gettext(
            "%(name)s won with %(points)s of luck; without luck it stands %(shares)s.",
            name=who,
            points=amount_text(luck),
            shares=shares,
        )
    return gettext(
        "%(name)s won against luck, which cost %(points)s; without luck it stands %(shares)s.",
        name=who,
        points=amount_text(luck),
        shares=shares,
    )


def accuracy_text(own: SeatReview) -> str:
    """The accuracy of a seat, in words, and of how many of its turns that is."""
    if not own.turns:
        return gettext("no turn could be judged")
    if own.accuracy is None:
        told = gettext("too little is known to tell an accuracy")
    else:
        turns = ngettext("%(count)s turn", "%(count)s turns", own.turns)
        told = gettext("accuracy %(accuracy)s, by %(turns)s", accuracy=chance_text(own.accuracy), turns=turns)
    return "; ".join([*_judged_text(own), told, _slips_text(own)])


def _judged_text(own: SeatReview) -> Iterator[str]:
    if own.turns < own.played:
        yield gettext("of %(played)s turns, %(count)s could be judged", played=own.played, count=own.turns)


def _slips_text(own: SeatReview) -> str:
    if _is_unclear(own):
        return gettext("too few games were simulated to tell slips")
    if own.slips:
        return ngettext("%(count)s slip is known", "%(count)s slips are known", len(own.slips))
    return gettext("no slip is known in them") if own.turns < own.played else gettext("no slip is known")


def review_notes(found: Review) -> Iterator[str]:
    """What an accuracy counts, if one is told, and how to learn of slips, if too few games were simulated."""
    if any(own.accuracy for own in found.seats):
        yield gettext(
            "Accuracy says how little winning chance the decisions of a seat cost: "
            "100 if nothing, 64 if 10 points in each turn."
        )
    if any(own.accuracy and own.slips for own in found.seats):
        yield gettext(
            "It compares with a policy that makes %(blunders)s of 100 moves at random: it can be high despite slips.",
            blunders=found.blunders,
        )
    if _lacks_games(found):
        yield gettext("Ask for a finer review to learn of slips: a smaller precision, or more games.")


def _is_unclear(own: SeatReview) -> bool:
    return not own.slips and own.unclear > 0


def _lacks_games(found: Review) -> bool:
    """Whether more games could show slips of a seat that has no known one."""
    return any(_is_unclear(own) or not (own.turns or found.enough) for own in found.seats)


def no_slip_text(found: Review) -> str:
    """What is said if no slip of any seat is known, and why, if that is of too few games."""
    if _lacks_games(found):
        return gettext(
            "Too few games were simulated to tell slips. Ask for a finer review: a smaller precision, or more games."
        )
    if not any(own.turns for own in found.seats):
        return gettext("No turn could be judged.")
    if any(own.turns < own.played for own in found.seats):
        return gettext("In the turns that could be judged, no move is known to have been a slip.")
    return gettext("No move is known to have been a slip.")


def are_close(one: Chances, other: Chances) -> bool:
    """Whether the difference of two chances is within its margin."""
    return abs(one.p - other.p) <= hypot(one.high - one.low, other.high - other.low) / 2


def share_text(chances: Chances) -> str:
    """A chance in parts of a hundred, without its interval."""
    return likelihood(chances.p, certain=chances.low == chances.high)


def chance_text(chances: Chances) -> str:
    """A chance in percent, with its interval if it has one."""
    p = share_text(chances)
    if chances.low == chances.high:
        return f"{p} %"
    low, high = min(99, int(percent(chances.low))), max(1, int(percent(chances.high)))
    return gettext("%(p)s %% (%(low)s to %(high)s)", p=p, low=low, high=high)


def points_text(worth: WinChanceShift) -> str:
    """Points of winning chance with their sign and margin."""
    points = rounded(100 * worth.p)
    sign = "+" if points > 0 else "−" if points < 0 else ""
    return _with_margin(f"{sign}{abs(points):.0f}", worth.margin)


def amount_text(worth: WinChanceShift) -> str:
    """How many points of winning chance, with their margin, where words say whether they were won or lost."""
    return _with_margin(percent(abs(worth.p)), worth.margin)


def _with_margin(points: str, width: float) -> str:
    return gettext("%(worth)s ± %(margin)s points", worth=points, margin=margin(width))
