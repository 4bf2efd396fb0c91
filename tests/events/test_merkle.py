"""The arithmetic of the tree, held against RFC 6962 as it is written, and against vectors of others."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.tree import merkle
from events.tree.tiles import WIDTH, BadTileError, Frontier, TileReader, Tiles, parse_path, path_of
from tests.cases import cases

LARGEST = 300


def entries(size: int) -> list[bytes]:
    return [sha256(str(number).encode()).digest() for number in range(size)]


def split(entries: list[bytes]) -> int:
    k = 1
    while 2 * k < len(entries):
        k *= 2
    return k


def mth(data: list[bytes]) -> bytes:
    """RFC 6962, 2.1."""
    if not data:
        return sha256(b"").digest()
    if len(data) == 1:
        return sha256(b"\x00" + data[0]).digest()
    k = split(data)
    return sha256(b"\x01" + mth(data[:k]) + mth(data[k:])).digest()


def path(m: int, data: list[bytes]) -> list[bytes]:
    """RFC 6962, 2.1.1."""
    if len(data) == 1:
        return []
    k = split(data)
    if m < k:
        return [*path(m, data[:k]), mth(data[k:])]
    return [*path(m - k, data[k:]), mth(data[:k])]


def subproof(m: int, data: list[bytes], b: bool) -> list[bytes]:
    """RFC 6962, 2.1.2."""
    if m == len(data):
        return [] if b else [mth(data)]
    k = split(data)
    if m <= k:
        return [*subproof(m, data[:k], b), mth(data[k:])]
    return [*subproof(m - k, data[k:], False), mth(data[:k])]


ENTRIES = entries(LARGEST)


def subtree(level: int, number: int) -> bytes:
    return mth(ENTRIES[number << level : (number + 1) << level])


VECTORS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""Roots that other implementations of RFC 6962 have of the entries below, the first one to all of them."""

LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]


def test_roots_are_those_of_other_implementations() -> None:
    edge = Frontier()
    assert edge.root == merkle.EMPTY == sha256(b"").digest()
    for leaf, root in zip(LEAVES, VECTORS, strict=True):
        assert list(edge.extend([merkle.leaf_hash(bytes.fromhex(leaf))])) == []
        assert edge.root.hex() == root


def test_every_tree_has_the_root_of_the_definition() -> None:
    edge = Frontier()
    for size in range(1, LARGEST + 1):
        list(edge.extend([merkle.leaf_hash(ENTRIES[size - 1])]))
        if size < 70 or size % 7 == 0:
            assert edge.root == mth(ENTRIES[:size]) == merkle.root(size, subtree)


SIZES = st.integers(1, LARGEST)


@given(SIZES, st.data())
@pytest.mark.slow
def test_every_inclusion_proof_is_that_of_the_definition_and_holds(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof = merkle.inclusion(index, size, subtree)
    assert proof == path(index, ENTRIES[:size])
    leaf = merkle.leaf_hash(ENTRIES[index])
    root = mth(ENTRIES[:size])
    merkle.check_inclusion(leaf, index, size, proof, root)
    for false in _false(proof, data):
        with pytest.raises(merkle.BadProofError):
            merkle.check_inclusion(leaf, index, size, false, root)
    other = data.draw(st.integers(0, LARGEST - 1).filter(lambda at: at != index))
    with pytest.raises(merkle.BadProofError):
        merkle.check_inclusion(merkle.leaf_hash(ENTRIES[other]), index, size, proof, root)
    if size > 1:
        with pytest.raises(merkle.BadProofError):
            merkle.check_inclusion(leaf, (index + 1) % size, size, proof, root)


@given(SIZES, st.data())
def test_every_consistency_proof_is_that_of_the_definition_and_holds(size: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, size))
    proof = merkle.consistency(old, size, subtree)
    assert proof == subproof(old, ENTRIES[:size], True)
    roots = mth(ENTRIES[:old]), mth(ENTRIES[:size])
    merkle.check_consistency(old, size, *roots, proof)
    for false in _false(proof, data):
        with pytest.raises(merkle.BadProofError):
            merkle.check_consistency(old, size, *roots, false)
    changed = [*ENTRIES[:size]]
    at = data.draw(st.integers(0, old - 1))
    changed[at] = b"another"
    with pytest.raises(merkle.BadProofError):
        merkle.check_consistency(old, size, roots[0], mth(changed), _consistency(old, changed))


def _consistency(old: int, data: list[bytes]) -> list[bytes]:
    return subproof(old, data, True)


def _false(proof: list[bytes], data: st.DataObject) -> list[list[bytes]]:
    """Proofs that are nearly this one."""
    found = [[*proof, ENTRIES[0]], [ENTRIES[0], *proof]]
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        flipped = bytes([proof[at][0] ^ 1]) + proof[at][1:]
        found += [proof[:-1], proof[1:], [*proof[:at], flipped, *proof[at + 1 :]]]
    return found


def test_an_empty_tree_is_the_beginning_of_every_tree() -> None:
    assert merkle.consistency(0, 9, subtree) == []
    merkle.check_consistency(0, 9, merkle.EMPTY, mth(ENTRIES[:9]), [])
    for old_root, new, proof in ((ENTRIES[0], 9, []), (merkle.EMPTY, 9, [ENTRIES[0]]), (merkle.EMPTY, 0, [])):
        with pytest.raises(merkle.BadProofError):
            merkle.check_consistency(0, new, old_root, mth(ENTRIES[:9]), proof)


@pytest.mark.parametrize(("old", "new"), [(5, 4), (-1, 3)])
def test_what_shrinks_has_not_grown(old: int, new: int) -> None:
    with pytest.raises(ValueError, match="cannot have grown"):
        merkle.consistency(old, new, subtree)
    with pytest.raises(merkle.BadProofError):
        merkle.check_consistency(old, new, ENTRIES[0], ENTRIES[1], [])


@cases(("index", "size"), [(3, 3), (-1, 3), (0, 0)])
def test_what_is_outside_of_a_tree_is_not_in_it(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="no leaf"):
        merkle.inclusion(index, size, subtree)
    with pytest.raises(merkle.BadProofError):
        merkle.check_inclusion(ENTRIES[0], index, size, [], ENTRIES[0])


# Tiles


def kept(tiles: Tiles, leaves: list[bytes]) -> Frontier:
    edge = Frontier()
    for level, number, tile in edge.extend(leaves):
        tiles.write(level, number, tile)
    for level, number, tile in edge.open_tiles():
        tiles.write(level, number, tile)
    return edge


@pytest.mark.parametrize(
    "size",
    [
        *(1, 255, 256, 257, 511, 512),
        pytest.param(65_537, marks=pytest.mark.slow),
        *(pytest.param(size, marks=pytest.mark.soak) for size in (65_536, 70_000)),
    ],
)
def test_tiles_give_the_proofs_of_every_size_of_a_tree(tmp_path, size) -> None:
    """Held against the leaves themselves; the sizes are those at which tiles are full, or begin."""
    leaves = [sha256(number.to_bytes(4)).digest() for number in range(size)]
    edge = kept(Tiles(tmp_path), leaves)
    chance = random.Random(size)
    assert edge.root == merkle.root(size, TileReader(Tiles(tmp_path), size))
    for _ in range(20):
        index, old = chance.randrange(size), chance.randint(1, size)
        reading = TileReader(Tiles(tmp_path), size)
        proof = merkle.inclusion(index, size, reading)
        merkle.check_inclusion(leaves[index], index, size, proof, edge.root)
        proof = merkle.consistency(old, size, reading)
        before = Frontier()
        list(before.extend(leaves[:old]))
        merkle.check_consistency(old, size, before.root, edge.root, proof)


def test_a_tree_of_70_000_has_the_tiles_that_the_standard_names(tmp_path) -> None:
    kept(Tiles(tmp_path), [bytes(32)] * 70_000)
    found = {path.relative_to(tmp_path).as_posix(): path.stat().st_size // 32 for path in tmp_path.rglob("*[0-9]")}
    widths = {name: width for name, width in found.items() if (tmp_path / name).is_file()}
    assert len([width for name, width in widths.items() if name.startswith("tile/0/") and width == WIDTH]) == 273
    assert (widths["tile/0/273"], widths["tile/1/000"], widths["tile/1/001"], widths["tile/2/000"]) == (112, 256, 17, 1)


@given(st.integers(0, 10**12))
def test_every_tile_has_one_name(number: int) -> None:
    assert parse_path(path_of(number)) == (number, WIDTH)
    assert parse_path(f"{path_of(number)}.p/7") == (number, 7)


def test_a_tile_is_named_as_the_standard_has_it() -> None:
    assert path_of(1_234_067) == "x001/x234/067"
    assert parse_path("x001/x234/067.p/112") == (1_234_067, 112)


@cases(
    "name",
    [
        "",
        "1",
        "0067",
        "x000/067",
        "067.p/0",
        "067.p/256",
        "067.p/07",
        "067.p",
        "001/067",
        "../067",
        "٠٦٧",
        "x/1",
        "067\n",
    ],
)
def test_what_is_no_name_of_a_tile_is_refused(name: str) -> None:
    with pytest.raises(BadTileError):
        parse_path(name)


def test_a_short_or_missing_tile_is_noticed(tmp_path) -> None:
    tiles = Tiles(tmp_path)
    tiles.write(0, 0, bytes(64))
    with pytest.raises(BadTileError, match="tile/0/000 holds fewer than 3"):
        tiles.read(0, 0, 3)
    with pytest.raises(BadTileError, match="tile/0/001"):
        tiles.read(0, 1, 1)
