"""Faults: unexpected exceptions. Each has an id, which stands in the answer and in the journal."""

from __future__ import annotations

import logging
import secrets

from workers.journal import FIELDS, REQUEST, without_secrets

logger = logging.getLogger(__name__)


def log_fault(error: BaseException, what: str) -> str:
    """Write a fault into the journal. Returns its id: that of the request, if there is one."""
    id_ = REQUEST.get() or secrets.token_hex(8)
    fields = {"event": "fault", "id": id_}
    logger.error("fault %s: %s", id_, without_secrets(what), exc_info=error, extra={FIELDS: fields})
    return id_


def log_break(error: Exception, what: str) -> None:
    """Write an expected error that ended an answer half-way into the journal, as a line without a trace."""
    logger.warning("%s broke off: %s", without_secrets(what), without_secrets(str(error)))
