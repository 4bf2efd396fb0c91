"""Errors of the service with their kind of problem. Errors of other packages know nothing of HTTP."""

from __future__ import annotations

from typing import Any, ClassVar

from service.problems.kinds import ProblemError


class ServiceError(Exception):
    """An error of the service, answered as a problem of its `kind`."""

    kind: ClassVar[str]
    seconds: ClassVar[int | None] = None
    """Seconds after which the request may succeed, if it is over by then."""

    @property
    def detail(self) -> str:
        """The detail of the problem."""
        return str(self)

    @property
    def members(self) -> dict[str, Any]:
        """The other members of the problem."""
        return {}

    def problem(self) -> ProblemError:
        """The error as a problem."""
        found = ProblemError(self.kind, self.detail, **self.members)
        if self.seconds is not None:
            found.headers["Retry-After"] = str(self.seconds)
        return found
