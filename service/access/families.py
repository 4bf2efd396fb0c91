"""Families: what was made with a credential, and with what was made with that, and still opens."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from service.access.gate import Gate
    from service.access.store import Credential, Link, Store, Webhook


class Family(NamedTuple):
    """What came of a credential and still opens, or works: other ones, share links, endpoints; the oldest first.

    `ids` are those of all that ever came of it, and its own.
    """

    ids: frozenset[str]
    credentials: list[Credential]
    links: list[Link]
    webhooks: list[Webhook]


def family(store: Store, id_: str) -> Family:
    """What came of a credential, by itself or by those in whose place it came when it was rotated.

    Invitations, log-in links and approvals open nothing once the credential has ended with which they were made.
    """
    ids, now = _descent(store, id_), time.time_ns() // 1_000_000
    return Family(
        ids,
        [each for each in store.credentials() if each.id in ids and _is_made(each, id_) and each.opens(now)],
        [each for each in store.links() if each.id in ids and each.opens(now)],
        [each for each in store.webhooks() if each.id in ids and each.enabled],
    )


def _is_made(credential: Credential, id_: str) -> bool:
    """Whether a credential is not the one that is asked for, and no owner's token, which ends by itself."""
    return credential.kind != "own" and credential.id != id_


def end(gate: Gate, id_: str, *, by: str, why: str, alone: bool = False, but: str = "") -> None:
    """End a credential, and, unless it is to end `alone`, all that came of it `but` one. Raises `StoreFullError`.

    What was being made at that moment is looked for again: once the credential has ended, nothing more comes of it.
    """
    ids, left = [id_], None if alone else _rest(gate, id_, but)
    while ids or left:
        gate.end(ids, by=by, why=why, came_of_it=left)
        ids, left = [], None if alone else _rest(gate, id_, but)


def _rest(gate: Gate, id_: str, but: str) -> Family | None:
    """What came of a credential and still opens, `but` one; None if nothing does."""
    found = family(gate.store, id_)
    left = found._replace(credentials=[each for each in found.credentials if each.id != but])
    return left if left.credentials or left.links or left.webhooks else None


def _descent(store: Store, id_: str) -> frozenset[str]:
    """The ids of all that came of a credential, and of those in whose place it came."""
    made = store.made()
    before = {each.id: each.of for each in made if each.rotated}
    first = id_
    while first in before:
        first = before[first]
    children = defaultdict[str, list[str]](list)
    for each in made:
        children[each.of].append(each.id)
    for credential in store.credentials():  # of what an older release made, this says so alone
        children[credential.maker].append(credential.id)
    found, left = {first}, [first]
    while left:
        new = [child for child in children[left.pop()] if child not in found]
        found.update(new)
        left += new
    return frozenset(found)
