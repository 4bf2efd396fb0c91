"""Many small cases in one test."""

from __future__ import annotations

import pytest

from tests import cases as module
from tests.cases import cases

pytestmark = pytest.mark.skipif(module.APART, reason="each case is a test now")

tried: list[tuple[int, str]] = []


@pytest.fixture
def word() -> str:
    return "a fixture"


@cases("number", [1, 2])
@cases(("letter", "other"), [("a", 0), ("b", 0)])
def test_every_case_is_tried_with_the_fixtures(number: int, letter: str, other: int, word: str) -> None:
    assert (other, word) == (0, "a fixture")
    tried.append((number, letter))


def test_each_pair_was_tried_once() -> None:
    assert tried == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]


def notes(group: BaseExceptionGroup[BaseException]) -> list[list[str]]:
    return [error.__notes__ for error in group.exceptions]


def test_all_that_fail_are_named_and_the_others_are_tried() -> None:
    seen = []

    @cases("number, expected", [(1, 1), (2, 3), (4, 4), (5, 6)])
    def equal(number: int, expected: int) -> None:
        seen.append(number)
        assert number == expected

    with pytest.raises(BaseExceptionGroup, match="2 of 4 cases failed") as raised:
        equal()
    assert seen == [1, 2, 4, 5]
    assert notes(raised.value) == [["case: (2, 3)"], ["case: (5, 6)"]]


def test_what_pytest_itself_finds_missing_fails_too() -> None:
    @cases("number", [1, 0], ids=["one", "none"])
    def raises(number: int) -> None:
        with pytest.raises(ZeroDivisionError):
            assert 1 / number

    with pytest.raises(BaseExceptionGroup) as raised:
        raises()
    assert notes(raised.value) == [["case: one"]]


def test_a_case_is_named_as_a_function_says() -> None:
    @cases(("number", "name"), [(3, "x")], ids=lambda part: f"<{part}>" if isinstance(part, int) else None)
    def fails(number: int, name: str) -> None:
        raise AssertionError

    with pytest.raises(BaseExceptionGroup) as raised:
        fails()
    assert notes(raised.value) == [["case: <3>-'x'"]]


def test_a_test_without_cases_is_refused() -> None:
    with pytest.raises(AssertionError, match="without a case"):
        cases("number", [])


def test_a_name_that_the_test_does_not_take_is_refused() -> None:
    def test(number: int) -> None:
        """Take a number."""

    with pytest.raises(AssertionError, match="each of these names"):
        cases("letter", ["a"])(test)
