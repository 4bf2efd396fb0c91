"""The arithmetic of Merkle trees after RFC 6962 and RFC 9162: roots, proofs, and how they are checked. No I/O.

A tree of `size` leaves is known by its *subtrees*. `Subtree(level, number)` gives the hash over `2**level` leaves, from
leaf `number * 2**level` on; all of them exist. Everything else follows from these.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""

SIZE = 32
"""Bytes of a hash."""

Subtree = Callable[[int, int], bytes]


class BadProofError(ValueError):
    """A proof is wrong, or is not a proof."""


def leaf_hash(entry: bytes) -> bytes:
    """The hash of a leaf that stands for `entry`."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node above two others."""
    return sha256(b"\1" + left + right).digest()


def fold(subtrees: Iterable[bytes]) -> bytes:
    """The root above the whole subtrees of a tree, which come from the left, the largest first."""
    *lefts, root = [*subtrees] or [EMPTY]
    for left in reversed(lefts):
        root = node_hash(left, root)
    return root


def subtree_hash(level: bytes) -> bytes:
    """The hash of a subtree from the hashes of one of its levels, in order. Their number is a power of two."""
    while len(level) > SIZE:
        pairs = range(0, len(level), 2 * SIZE)
        level = b"".join([sha256(b"\1" + level[at : at + 2 * SIZE]).digest() for at in pairs])
    return level


def subtrees(start: int, end: int) -> Iterator[tuple[int, int]]:
    """The largest whole subtrees that cover the leaves `start <= leaf < end`, as `(level, number)`, from the left."""
    while start < end:
        level = (end - start).bit_length() - 1
        if start:
            level = min(level, (start & -start).bit_length() - 1)
        yield level, start >> level
        start += 1 << level


def root(size: int, subtree: Subtree) -> bytes:
    """The root of a tree."""
    return _range_hash(0, size, subtree)


def _range_hash(start: int, end: int, subtree: Subtree) -> bytes:
    """The hash over a range of leaves as it stands in a tree: what begins a right half, and goes as far as it does."""
    return fold(subtree(level, number) for level, number in subtrees(start, end))


def _split(size: int) -> int:
    """The number of leaves in the left half of a tree: the largest power of two below its size."""
    return 1 << (size - 1).bit_length() - 1


def inclusion(index: int, size: int, subtree: Subtree) -> list[bytes]:
    """The proof that leaf `index` is in the tree of `size`, from the leaf's neighbour up. Raises `ValueError`."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} has no leaf {index}")
    proof: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            proof.append(_range_hash(middle, end, subtree))
            end = middle
        else:
            proof.append(_range_hash(start, middle, subtree))
            start = middle
    return proof[::-1]


def consistency(old: int, new: int, subtree: Subtree) -> list[bytes]:
    """The proof that the tree of `new` leaves begins with that of `old` ones, `0 <= old <= new`. Raises `ValueError`.

    It is empty if there is nothing to prove: for an empty tree, and for trees of equal size, which have the same root.
    """
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} leaves cannot have grown from one of {old}")
    if old in {0, new}:
        return []
    proof: list[bytes] = []
    start, end = 0, new
    known = True  # whether the left edge of the current part is the whole old tree; the verifier has its root
    while old < end:
        middle = start + _split(end - start)
        if old <= middle:
            proof.append(_range_hash(middle, end, subtree))
            end = middle
        else:
            proof.append(_range_hash(start, middle, subtree))
            start, known = middle, False
    if not known:
        proof.append(_range_hash(start, end, subtree))
    return proof[::-1]


def root_of_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """The root of the tree of `size` that a proof leads to from a leaf's hash. Raises `BadProofError`."""
    if not 0 <= index < size:
        raise BadProofError(f"a tree of {size} has no leaf {index}")
    found = leaf
    for hash_, left in _sides(index, size - 1, proof):
        found = node_hash(hash_, found) if left else node_hash(found, hash_)
    return found


def _sides(place: int, last: int, proof: Sequence[bytes]) -> Iterator[tuple[bytes, bool]]:
    """The hashes of a proof on the way up from a node, and whether each is to the left. Raises `BadProofError`.

    `place` and `last` are the numbers of the node and of the last one on its level.
    """
    for hash_ in proof:
        if last == 0:
            raise BadProofError("the proof is too long")
        left = bool(place & 1) or place == last
        while left and place and not place & 1:  # up an edge that has no other side
            place, last = place >> 1, last >> 1
        yield hash_, left
        place, last = place >> 1, last >> 1
    if last:
        raise BadProofError("the proof is too short")


def check_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected: bytes) -> None:
    """Check that a leaf's hash is in the tree with that root. Raises `BadProofError`."""
    if root_of_inclusion(leaf, index, size, proof) != expected:
        raise BadProofError(f"entry {index} is not in the tree of {size} with this root")


def check_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Check that the tree of `new` leaves begins with the tree of `old` ones. Raises `BadProofError`."""
    if not 0 <= old <= new:
        raise BadProofError(f"a tree of {new} leaves cannot have grown from one of {old}")
    if old in {0, new}:
        _check_trivial(old, new, old_root, new_root, proof)
        return
    way = list(proof) if old & (old - 1) else [old_root, *proof]
    if not way:
        raise BadProofError("the proof is too short")
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = way[0]
    for hash_, left in _sides(place, last, way[1:]):
        first = node_hash(hash_, first) if left else first
        second = node_hash(hash_, second) if left else node_hash(second, hash_)
    if (first, second) != (old_root, new_root):
        raise BadProofError(f"the tree of {new} with this root has not grown from that of {old}")


def _check_trivial(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> None:
    if proof:
        raise BadProofError("the proof is too long")
    if old == 0 and old_root != EMPTY:
        raise BadProofError("that is not the root of an empty tree")
    if old == new and old_root != new_root:
        raise BadProofError(f"two trees of {new} leaves have different roots")
