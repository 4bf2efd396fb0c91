"""Many small cases in one test.

pytest takes 2 ms for a test before it does anything, and each worker makes all tests when it starts. Where a case takes
less than that, `cases` stands in the place of `pytest.mark.parametrize`: one test tries all cases, and its failure
names each case that failed. With `KIFU_APART=1` each case is a test again, which `-k` can choose. The fast tier tries a
few of the cases, as it does of parameters.
"""

from __future__ import annotations

import functools
import inspect
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests import tiers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Test = Callable[..., None]
    Naming = Sequence[str] | Callable[[Any], object] | None

APART = bool(os.environ.get("KIFU_APART"))
"""Whether each case is a test of its own."""


def cases(names: str | Sequence[str], values: Iterable[Any], *, ids: Naming = None) -> Callable[[Test], Test]:
    """Run a test with each of these values, all with the same fixtures. Use it for cases that only compute."""
    values = list(values)
    assert values, "a test without a case shows nothing"
    if APART:
        return pytest.mark.parametrize(names, values, ids=ids)
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    tried = [
        (_name(value, index, ids), dict(zip(arguments, value if len(arguments) > 1 else [value], strict=True)))
        for index, value in enumerate(values)
    ]

    def join(test: Test) -> Test:
        @functools.wraps(test)
        def every(**fixtures: Any) -> None:
            chosen = tiers.few(tried) if tiers.FAST else tried
            failed = [error for name, case in chosen if (error := _failure(test, name, fixtures | case))]
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(chosen)} cases failed", failed)

        signature = inspect.signature(test)
        assert not set(arguments) - {*signature.parameters}, "the test takes each of these names"
        left = [one for name, one in signature.parameters.items() if name not in arguments]
        every.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return every

    return join


def _failure(test: Test, name: str, given: dict[str, Any]) -> BaseException | None:
    try:
        test(**given)
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the test raises it, with those of other cases
        error.add_note(f"case: {name}")
        return error
    return None


def _name(value: Any, index: int, ids: Naming) -> str:
    if ids is None:
        return repr(value)
    if not callable(ids):
        return ids[index]
    parts = value if isinstance(value, tuple) else (value,)
    return "-".join(repr(part) if (said := ids(part)) is None else str(said) for part in parts)
