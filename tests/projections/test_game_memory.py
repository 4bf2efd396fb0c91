"""Memory of games is bounded by their number and by their entries."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from projections.folds import GameMemory

puts = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(1, 12)))


@given(puts, st.integers(1, 5), st.integers(1, 20))
def test_the_games_that_were_put_last_are_kept_as_far_as_they_fit(
    puts: list[tuple[str, int]], games: int, entries: int
) -> None:
    memory = GameMemory[int](games, entries)
    last: dict[str, int] = {}
    for number, (game, size) in enumerate(puts):
        memory.put(game, number, size)
        last.pop(game, None)
        last[game] = number
    fit: list[str] = []
    for game in reversed(last):
        if fit and (len(fit) == games or sum(puts[last[each]][1] for each in [*fit, game]) > entries):
            break
        fit.append(game)
    kept = {game for game in "abcdef" if memory.get(game) is not None}
    assert len(memory) == len(kept) <= games
    assert all(memory.get(game) == last[game] for game in kept)
    assert len(kept) == 1 or sum(puts[last[game]][1] for game in kept) <= entries
    if puts:
        assert puts[-1][0] in kept, "the newest stays, however large it is"
        assert kept <= set(fit)


def test_what_is_forgotten_makes_room() -> None:
    memory = GameMemory[str](9, 10)
    for game in "ab":
        memory.put(game, game, 5)
    memory.forget("a")
    memory.forget("unknown")
    memory.put("c", "c", 5)
    assert [memory.get(game) for game in "abc"] == [None, "b", "c"]


def test_a_game_that_grows_takes_the_room_of_others() -> None:
    memory = GameMemory[str](9, 10)
    for game in "abc":
        memory.put(game, game, 3)
    memory.put("c", "c", 7)
    assert [memory.get(game) for game in "abc"] == [None, "b", "c"]
