"""Families of credentials: everything that was made with one, directly or in turn, and still works."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from events.event import now_ms

if TYPE_CHECKING:
    from service.access.gate import Gate
    from service.access.store import Credential, Link, Store, Webhook


class Family(NamedTuple):
    """The credentials, share links and endpoints that were made with a credential and still work, the oldest first.

    `ids` contains the credential itself and everything that was ever made with it.
    """

    ids: frozenset[str]
    credentials: list[Credential]
    links: list[Link]
    webhooks: list[Webhook]


def family(store: Store, id_: str) -> Family:
    """The family of a credential. It includes what was made with its predecessors, before a rotation.

    Invitations, log-in links and approvals are not part of it: they stop working when their credential ends.
    """
    ids, now = _descent(store, id_), now_ms()
    return Family(
        ids,
        [each for each in store.credentials() if each.id in ids and _is_made(each, id_) and each.is_valid(now)],
        [each for each in store.links() if each.id in ids and each.is_valid(now)],
        [each for each in store.webhooks() if each.id in ids and each.enabled],
    )


def _is_made(credential: Credential, id_: str) -> bool:
    """Whether a credential is not the one that is asked for, and no owner's token, which ends by itself."""
    return credential.kind != "own" and credential.id != id_


def end(gate: Gate, id_: str, *, by: str, why: str, alone: bool = False, but: str = "") -> bool:
    """End a credential and, unless `alone`, its family except the member `but`. True if anything ended.

    Raises `StoreFullError`.

    The family is read again until nothing is left: a request may have added a member just before the end. After it,
    the store refuses new ones.
    """
    left = None if alone else _rest(gate, id_, but)
    ended = gate.end([id_], by=by, why=why, family=left) > 0 or left is not None
    while not alone and (left := _rest(gate, id_, but)):
        gate.end([], by=by, why=why, family=left)
    return ended


def _rest(gate: Gate, id_: str, but: str) -> Family | None:
    """The family of a credential without one member; None if that is empty."""
    found = family(gate.store, id_)
    left = found._replace(credentials=[each for each in found.credentials if each.id != but])
    return left if left.credentials or left.links or left.webhooks else None


def _descent(store: Store, id_: str) -> frozenset[str]:
    """The ids of a credential, its predecessors, and everything that was made with any of them."""
    made = store.made_credentials()
    before = {each.id: each.of for each in made if each.rotated}
    first = id_
    while first in before:
        first = before[first]
    children = defaultdict[str, list[str]](list)
    for each in made:
        children[each.of].append(each.id)
    for credential in store.credentials():  # older releases did not note it in the trail
        children[credential.maker].append(credential.id)
    found, left = {first}, [first]
    while left:
        new = [child for child in children[left.pop()] if child not in found]
        found.update(new)
        left += new
    return frozenset(found)
