"""A game in words: what is told of one winner, of partners, of several winners, and of a draw."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

from projections.analyses.pace import GameTimeline, Standing
from projections.analyses.story import StorySentence
from service.api.storytelling import course_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = ("Ada", "Ben", "Cem", "Dora")
FIRST = StorySentence(2, "first", (0,))


def told(
    *story: StorySentence,
    seats: int = 3,
    decided: int | None = 2,
    together: bool = False,
    leaders: Any = ([0], [0]),
    before: Any = (0, 1, 2, 3),
    later: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """The sentences of a game that was recorded in six entries, with the leaders from the second and the fifth on.

    At the sixth entry, others sat `later` in some seats.
    """
    led = [Standing(version, [9] * seats, list(each), 0) for version, each in zip((2, 5), leaders, strict=True)]
    course = GameTimeline(
        standings=[Standing(1, [0] * seats, [*before][:seats], 0), *led],
        lead_changes=[],
        decided=decided,
        comeback=None,
        turns=[],
        pace=[],
        together=together,
        story=[*story],
    )

    def name(seat: int, entry: int) -> str:
        return later.get(seat, NAMES[seat]) if entry == 6 else NAMES[seat]

    return " ".join(course_sentences(course, name))


def test_one_winner_was_never_behind_since_an_entry() -> None:
    end = StorySentence(6, "end", (0,))
    assert told(FIRST, end).endswith("Ada won (entry 6), and was never behind after entry 2.")
    assert told(FIRST, end, decided=1).endswith("Ada won, and was never behind (entry 6).")
    assert told(FIRST, end, decided=6).endswith("Ada won (entry 6)."), "it was the last entry that decided it"


@pytest.mark.parametrize("decided", [1, 2])
def test_nothing_is_said_of_several_winners_as_one_of_them_can_have_been_behind(decided: int) -> None:
    behind, end = StorySentence(2, "behind", (1,), 3), StorySentence(6, "end", (0, 1))
    assert told(FIRST, behind, end, decided=decided) == (
        "Ada went ahead first (entry 2). Ben was 3 points behind (entry 2). Ada and Ben won (entry 6)."
    )


def test_who_led_first_kept_the_lead_only_if_nobody_shared_it_later() -> None:
    end = StorySentence(6, "end", (0,))
    assert told(FIRST, end, decided=6) == "Ada took the lead and kept it (entry 2). Ada won (entry 6)."
    for leaders in (([0], [0, 1]), ([0], [1])):
        assert told(FIRST, end, decided=6, leaders=leaders) == "Ada went ahead first (entry 2). Ada won (entry 6)."


def test_no_lead_was_kept_that_began_with_others_or_with_the_end_or_has_none() -> None:
    """Two of three led together, and the third took the lead; or all were level until the last entry."""
    assert "kept" not in told(FIRST, StorySentence(6, "end", (0,)), before=(1, 2))
    assert "kept" not in told(FIRST, StorySentence(2, "end", (0,)))
    assert "kept" not in told(FIRST, StorySentence(6, "end", (1,)))
    assert told(FIRST) == "Ada went ahead first (entry 2)."


@pytest.mark.parametrize("story", [(FIRST,), (FIRST, StorySentence(5, "ahead", (0,)))])
def test_who_left_the_table_kept_no_lead(story: tuple[StorySentence, ...]) -> None:
    """Eva took the seat at the sixth entry: Ada kept no lead, and did not win."""
    found = told(*story, StorySentence(6, "end", (0,)), decided=1, later={0: "Eva"})
    assert "kept" not in found
    assert found.startswith("Ada went ahead first (entry 2).")
    assert found.endswith("Eva won, and was never behind (entry 6).")
    assert ("The lead changed once, to Ada (entry 5)." in found) == (len(story) == 2)


def test_a_lead_that_changed_once_is_told_with_its_entry() -> None:
    changes = StorySentence(5, "changes", (1,), 1)
    assert "The lead changed once, to Ben (entry 5)." in told(FIRST, changes, leaders=([0], [1]))


def test_a_lead_that_began_with_the_end_was_not_kept() -> None:
    ahead, end = StorySentence(5, "ahead", (1,)), StorySentence(5, "end", (1,))
    found = told(FIRST, ahead, end, decided=5, leaders=([0], [1]))
    assert found.endswith("Ben took the lead only at the end (entry 5). Ben won (entry 5).")


def test_who_led_together_before_is_no_reason_to_say_that_somebody_else_was_first() -> None:
    assert told(FIRST, before=(0, 1)).startswith("The first to lead alone: Ada (entry 2).")
    assert told(FIRST, before=(1, 2)).startswith("The first to lead alone: Ada (entry 2).")


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("last_bridge", "Ben won: the other has no bridge left (entry 6)."),
        ("third_round", "Ben won: level, so the third round decided (entry 6)."),
        ("tie_breaker", "Ben won: level on points, so a tie-breaker decided (entry 6)."),
        ("most_bridges_of_all", "Ben won: most bridges of all (entry 6)."),
        ("resigned", "Ben won by resignation (entry 6)."),
    ],
)
def test_why_somebody_won_is_told_in_the_words_of_the_headline(reason: str, said: str) -> None:
    assert told(FIRST, StorySentence(6, "end", (1,), reason=reason)).endswith(said)


def test_partners_are_told_together() -> None:
    behind, end = StorySentence(2, "behind", (1, 3), 1), StorySentence(6, "end", (1, 3))
    assert "Ben and Dora were 1 point behind (entry 2). Ben and Dora won" in told(FIRST, behind, end, seats=4)


def test_a_draw_of_all_is_no_victory() -> None:
    end = StorySentence(6, "end", (0, 1, 2))
    assert told(end) == "It ended in a draw (entry 6)."
    assert told(end, together=True) == "Ada, Ben and Cem won together (entry 6)."
    assert told(StorySentence(6, "end", ()), together=True) == "All lost together (entry 6)."
    assert told(StorySentence(6, "end", (0,)), seats=1) == "Ada won (entry 6)."
