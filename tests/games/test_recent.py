"""Caches of what was used last, and threads that share them."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from games.catan_cards import orders
from games.catan_cards.orders import StackOrders
from games.catan_cards.stacks import BOX, STACK_PILES
from games.recent import Recent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def _switching() -> Iterator[None]:
    """Threads take turns at nearly every instruction."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(act: Callable[[int], object], threads: int = 8) -> None:
    """Call a function in several threads. An error in one of them fails the test."""
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            act(number)
        except BaseException as error:  # noqa: BLE001 - it is raised below
            errors.append(error)

    running = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert not errors


def test_the_newest_items_stay() -> None:
    recent = Recent[str](3)
    for item in "abcd":
        recent.add(item)
    assert [*recent] == ["d", "c", "b"]


@pytest.mark.parametrize(("most_size", "stay"), [(7, [4, 3, 2, 1]), (5, [4, 3, 2]), (3, [4, 3]), (0, [4])])
def test_large_items_push_old_ones_out_and_the_newest_always_stays(most_size: int, stay: list[int]) -> None:
    recent = Recent[int](4, most_size=most_size, size=lambda item: item)
    for item in (1, 2, 3, 4):
        recent.add(item)
    assert [*recent] == stay


def test_an_item_is_taken_once() -> None:
    recent = Recent[object](2)
    recent.add(item := object())
    assert recent.take(item)
    assert not recent.take(item)
    assert not [*recent]


@pytest.mark.usefixtures("_switching")
def test_threads_add_and_take_at_once() -> None:
    recent, taken = Recent[int](4, always=2, most_size=3, size=lambda _: 1), list[int]()

    def act(number: int) -> None:
        for turn in range(300):
            recent.add(number * 1000 + turn)
            taken.extend(item for item in recent if recent.take(item))

    at_once(act)
    assert len(taken) == len(set(taken)), "nobody has what another thread has"


@pytest.mark.usefixtures("_switching")
def test_two_threads_that_ask_for_the_orders_of_one_game_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that goes on with orders has them alone: twice the same cards under a stack would be wrong orders."""
    pile = next(iter(STACK_PILES))
    copies = {"a": 400}
    told: list[tuple[int, Any]] = [(1, (BOX, pile, ("a",) * 40, None))]
    told += [(version, (pile, BOX, ("a",), None)) for version in range(2, 30)]
    alone = StackOrders.from_sightings(copies, [*told])._orders
    for _ in range(20):
        monkeypatch.setattr(orders, "_RECENT", Recent[StackOrders](8))
        growing = told[:1]
        StackOrders.from_sightings(copies, growing)
        growing += told[1:]
        found: list[Any] = []
        at_once(lambda _: found.append(StackOrders.from_sightings(copies, growing)._orders))  # noqa: B023
        assert all(each == alone for each in found)
