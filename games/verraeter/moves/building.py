"""Estates and trading posts: put in the setup, and by the Builder."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from games.contract import Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.verraeter.components import POSTS
from games.verraeter.moves.base import Place, SeatMove, out_of_turn
from games.verraeter.rounds import Due, begin_round, finish_round, step_words
from games.verraeter.state import Holding
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.verraeter.state import VerraeterState


class _Building(SeatMove, frozen=True, kw_only=True):
    """A card in play is built, or changed."""

    place: Place

    def can_be_late(self, state: VerraeterState) -> bool:
        """Somebody can have built who was not asked to, once lands lie there."""
        return state.dealt

    def wrong_step_breach(self, state: VerraeterState) -> Iterable[RuleBrokenError]:  # noqa: ARG002
        """It says itself that nobody is asked to build."""
        return ()


class Put(_Building, frozen=True, kw_only=True, tag="put"):
    """A card of the reserve is brought into play under a land: in the setup, or by the Builder."""

    steps: ClassVar[tuple[Due, ...]] = ("estates", "build")
    wrong_step_rule = ("verraeter:7", Sentence("cards are put under lands once these lie there"))

    side: Literal["estate", "post"] = "estate"

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """Under every land without a card; trading posts only by the Builder."""
        seat = state.to_move()
        if seat is None or not state.reserve(seat):
            return
        posts = state.due == "build" and state.in_play(seat, "post") < POSTS
        for place, held in enumerate(state.holdings):
            if held is None:
                yield cls(seat=seat, place=place)
                if posts:
                    yield cls(seat=seat, place=place, side="post")

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """In the setup everybody in turn puts an estate; later the Builder what he likes, and two posts at most."""
        if state.due == "estates":
            yield from out_of_turn(state, self.seat, "verraeter:7")
            if self.side == "post":
                yield RuleBrokenError("verraeter:7", "in the setup a card comes into play as an estate")
            return
        yield from _not_the_builder(state, self.seat)
        if self.side == "post":
            yield from _too_many_posts(state, self.seat)

    def execute(self, state: VerraeterState) -> list[Effect]:
        """The land is free, and the reserve holds a card."""
        label = state.label(self.place)
        if state.holdings[self.place]:
            raise ImpossibleError("a card lies under {label} already", "verraeter:8", label=label)
        if not state.reserve(self.seat):
            raise ImpossibleError("{name} has no card left in reserve", "verraeter:2", name=state.seat_name(self.seat))
        state.holdings[self.place] = Holding(self.seat, self.side)
        rule = "verraeter:7" if state.due == "estates" else "verraeter:20"
        if self.side == "estate":
            effects = [Effect("estate.put", rule, self.seat, (label,))]
        else:
            effects = [Effect("post.put", rule, self.seat, (label,))]
        if state.due == "estates":
            return effects if state.to_move() is not None else effects + begin_round(state)
        return effects + _built(state)


class Turn(_Building, frozen=True, kw_only=True, tag="turn"):
    """The Builder turns an own card in play over, from estate to trading post or back."""

    steps: ClassVar[tuple[Due, ...]] = ("build",)
    wrong_step_rule = ("verraeter:20", Sentence("cards are turned over once they lie under lands"))

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """Every own card, if there is room for another post."""
        seat = state.to_move()
        posts = seat is not None and state.in_play(seat, "post") < POSTS
        for place, held in enumerate(state.holdings):
            if held and held.seat == seat and (posts or held.side == "post"):
                yield cls(seat=seat, place=place)

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The Builder turns own cards only."""
        yield from _not_the_builder(state, self.seat)
        held = state.holdings[self.place]
        if held and held.seat != self.seat:
            whose = state.seat_name(held.seat)
            yield RuleBrokenError(
                "verraeter:20", "the card at {label} is {whose}'s", label=state.label(self.place), whose=whose
            )
        if held and held.side == "estate":
            yield from _too_many_posts(state, held.seat)

    def execute(self, state: VerraeterState) -> list[Effect]:
        """A card lies there."""
        held, label = state.holdings[self.place], state.label(self.place)
        if held is None:
            raise ImpossibleError("no card lies under {label}", "verraeter:20", label=label)
        state.holdings[self.place] = Holding(held.seat, "post" if held.side == "estate" else "estate")
        if held.side == "estate":
            return [Effect("post.turned", "verraeter:20", held.seat, (label,)), *_built(state)]
        return [Effect("estate.turned", "verraeter:20", held.seat, (label,)), *_built(state)]


class Skip(SeatMove, frozen=True, kw_only=True, tag="skip"):
    """The Builder builds nothing."""

    steps: ClassVar[tuple[Due, ...]] = ("build",)
    wrong_step_rule = ("verraeter:20", Sentence("there is nothing to build, and nothing to do without"))

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """The Builder may."""
        seat = state.to_move()
        if seat is not None:
            yield cls(seat=seat)

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """Only the Builder does."""
        return _not_the_builder(state, self.seat)

    def execute(self, state: VerraeterState) -> list[Effect]:
        """The round goes on."""
        return [Effect("build.skipped", "verraeter:A5", self.seat), *finish_round(state)]


def _not_the_builder(state: VerraeterState, seat: int) -> Iterable[RuleBrokenError]:
    name = state.seat_name(seat)
    if state.due != "build":
        return [
            RuleBrokenError(
                "verraeter:20",
                "{name} is not asked to build: now {step_words}",
                name=name,
                step_words=step_words(state),
            )
        ]
    builder = state.actor("Builder")
    if builder is None or builder == seat:
        return ()
    return [
        RuleBrokenError("verraeter:20", "{name} is the Builder, not {other}", name=state.seat_name(builder), other=name)
    ]


def _too_many_posts(state: VerraeterState, seat: int) -> Iterable[RuleBrokenError]:
    if state.in_play(seat, "post") < POSTS:
        return ()
    return [
        RuleBrokenError(
            "verraeter:21", "{name} has {posts} trading posts in play already", name=state.seat_name(seat), posts=POSTS
        )
    ]


def _built(state: VerraeterState) -> list[Effect]:
    """The effects of building: the step is over, if it was its time."""
    return finish_round(state) if state.due == "build" else []
