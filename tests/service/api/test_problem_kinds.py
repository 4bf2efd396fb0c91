"""A problem's kind stands on its exception, where that is the service's own."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

import service
from service.access.store import AccessStoppedError, EndedError, StoreFullError, StoreUnwritableError
from service.api import problems
from service.problems.errors import ServiceError
from service.problems.kinds import KINDS
from service.recording.locks import LockTimeoutError
from service.recording.seating import BadSeatError
from service.recording.transfers import BadImportError, NamesErasedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.app import Application

WRAPPING = {"EntryRejectedError"}
"""An entry that was not taken is the problem that its cause is."""


def errors(base: type[ServiceError]) -> Iterator[type[ServiceError]]:
    for error in base.__subclasses__():
        yield error
        yield from errors(error)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (StoreFullError("x"), "storage-full"),
        (StoreUnwritableError("x"), "storage-unwritable"),
        (AccessStoppedError("x"), "access-stopped"),
        (EndedError(), "token-unknown"),
        (LockTimeoutError("x"), "overloaded"),
        (BadImportError("x"), "bad-import"),
    ],
)
def test_an_error_of_the_service_is_answered_as_its_own_kind(app: Application, error: ServiceError, kind: str) -> None:
    with app.site.test_request_context("/v1/games"):
        found = problems.as_problem(error)
        assert (found.kind.name, problems.problem(found).status_code) == (kind, KINDS[kind].status)


def test_an_error_says_what_helps_to_mend_it(app: Application) -> None:
    with app.site.test_request_context("/v1/games"):
        assert problems.as_problem(LockTimeoutError("x")).headers["Retry-After"] == "1"
        assert problems.as_problem(EndedError()).headers["WWW-Authenticate"].startswith("Bearer")
        assert problems.as_problem(BadImportError("x", 3)).more == {"line": 3}
        assert problems.as_problem(NamesErasedError(["p"])).more == {"players": ["p"]}
        seat = problems.as_problem(BadSeatError(1, "too long"))
        assert seat.more == {"errors": [{"field": "seats[1].name", "message": "too long"}]}


def test_every_error_of_the_service_names_a_kind_and_the_table_has_only_those_of_others() -> None:
    for module in pkgutil.walk_packages(service.__path__, "service."):
        if not module.name.endswith("__main__") and ".samples" not in module.name and ".skeleton" not in module.name:
            import_module(module.name)
    found = list(errors(ServiceError))
    assert found
    assert [error for error in found if error.kind not in KINDS] == []
    own = {error.__name__ for error in problems._TRANSLATIONS if error.__module__.startswith("service.")}
    assert own == WRAPPING
