#!/usr/bin/env python3
"""Proves an exported game, and what proves it, without Kifu: Python's library and `cryptography` are all it takes.

    verify.py game.ndjson                              the chain, the seals, the signatures
    verify.py game.ndjson --receipt r --key KEY        and that an entry was in the signed tree
    verify.py --checkpoint c --key KEY                 a checkpoint, or one that a witness has cosigned
    verify.py --checkpoint new --since old --key KEY --proof proof.json       that the tree only grew

docs/proof.md describes the formats. The exit code is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.hashes import SHA256

GENESIS = "0" * 64
MEMBERS = ["game", "version", "id", "type", "schema", "recorded_at", "happened_at", "recorder", "data"]
BESIDE = ("opened", "erased", "hash")
ED25519, COSIGNATURE = 1, 4


class WrongError(Exception):
    """What is wrong, in a sentence."""


def need(holds: bool, why: str) -> None:
    """Refuse what does not hold. Raises `WrongError`."""
    if not holds:
        raise WrongError(why)


def compact(value: object) -> bytes:
    """JSON in the bytes that are hashed."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


# An export


def prove_export(content: bytes) -> list[dict]:
    """The entries of every game of a file, once all of them are proved."""
    found, game, prev = [], None, GENESIS
    for number, line in enumerate(content.split(b"\n"), 1):  # only at 0x0A: other line ends can stand in texts
        if not line:
            continue
        try:
            entry = json.loads(line, object_pairs_hook=once)
            if "format" in entry:
                prove_end(game, prev)
                need(entry["format"] == "kifu.game", "the header is of another format")
                game, prev = entry | {"count": 0}, GENESIS
                continue
            need(game is not None, "the file has no header")
            prove_entry(entry, line, game, prev)
        except (WrongError, ValueError, KeyError, TypeError) as error:
            raise WrongError(f"line {number}: {error or type(error).__name__}") from error
        prev = entry["hash"]
        found.append(entry)
    need(game is not None, "the file is empty")
    prove_end(game, prev)
    return found


def once(members: list) -> dict:
    """An object without a member that stands twice."""
    found = dict(members)
    need(len(found) == len(members), "a member stands twice")
    return found


def prove_end(game: dict | None, prev: str) -> None:
    """The header tells where a game ends."""
    if game is not None:
        need(game["count"] == game["events"], f"the header counts {game['events']} entries, not {game['count']}")
        need(prev == game["head"], "the last entry is not the head of the header")


def prove_entry(entry: dict, line: bytes, game: dict, prev: str) -> None:
    """An entry is what was hashed, and follows from the one before it."""
    game["count"] += 1
    need(compact(entry) == line, "the line is not in the bytes that were hashed")
    hashed = {name: value for name, value in entry.items() if name not in BESIDE}
    order = [*MEMBERS, *(["sealed"] if "sealed" in entry else []), "prev"]
    need(list(hashed) == order, "the line has other members, or another order")
    need(entry["game"] == game["game"], "the entry is of another game")
    need(entry["version"] == game["count"], "the version is not the next one")
    need(entry["prev"] == prev, "the entry does not follow from the one before it")
    need(sha256(compact(hashed)).hexdigest() == entry["hash"], "the entry is not what was hashed")
    need(entry["recorded_at"] >= game.get("time", ""), "the time goes back")
    game["time"] = entry["recorded_at"]
    prove_seals(entry)
    if entry["type"] == "record.signed":
        prove_signed(entry)


def prove_seals(entry: dict) -> None:
    """Everything that is opened has to be what was sealed; everything erased has to be a seal that is not open."""
    opened, erased = entry.get("opened", {}), entry.get("erased", {})
    seals = dict(entry.get("sealed", {}))
    inner = opened.get("record", {}).get("content", {}).get("sealed", {})
    seals |= {f"record.{name}": own for name, own in inner.items()}
    for name, each in opened.items():
        content, size = compact(each["content"]), 32
        while size < len(content):
            size *= 2
        salt = bytes.fromhex(each["salt"])
        need(len(salt) == 16 and salt.hex() == each["salt"], f"the salt of {name} is not 16 bytes in hex")
        need(seals.get(name) == sha256(salt + content.ljust(size)).hexdigest(), f"{name} is not what was sealed")
    for name in erased:
        need(name in seals and name not in opened, f"{name} cannot be erased")


def prove_signed(entry: dict) -> None:
    """The key signed the head right before the entry."""
    data = entry["data"]
    need((data["version"], data["hash"]) == (entry["version"] - 1, entry["prev"]), "it signs another head")
    seat = "-" if data.get("seat") is None else data["seat"]
    text = f"kifu record\ngame {entry['game']}\nversion {data['version']}\nhash {data['hash']}\nseat {seat}\n"
    key, signature = b64decode(data["key"], validate=True), b64decode(data["signature"], validate=True)
    try:
        if data["algorithm"] == "ed25519":
            ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, text.encode())
            return
        need(data["algorithm"] == "p256" and len(signature) == 64, "the algorithm is unknown")
        halves = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
        point.verify(utils.encode_dss_signature(*halves), text.encode(), ec.ECDSA(SHA256()))
    except InvalidSignature:
        raise WrongError("the key did not sign this") from None


# The tree (RFC 9162, 2.1)


def node(left: bytes, right: bytes) -> bytes:
    """The hash of a node of the tree."""
    return sha256(b"\x01" + left + right).digest()


def prove_inclusion(leaf: bytes, index: int, size: int, proof: list[bytes], root: bytes) -> None:
    """A leaf is in the tree with this root."""
    need(0 <= index < size, "there is no such leaf")
    first, second, found = index, size - 1, leaf
    for each in proof:
        need(second > 0, "the proof is too long")
        if first & 1 or first == second:
            found = node(each, found)
            while not first & 1 and first:
                first, second = first >> 1, second >> 1
        else:
            found = node(found, each)
        first, second = first >> 1, second >> 1
    need(second == 0 and found == root, "the entry is not in the tree")


def prove_consistency(old: int, new: int, old_root: bytes, root: bytes, proof: list[bytes]) -> None:
    """The tree of `new` leaves begins as that of `old` ones."""
    need(0 <= old <= new, "the tree got smaller")
    if old in (0, new):
        need(not proof and (old == 0 or old_root == root), "the trees differ")
        return
    way = proof if old & (old - 1) else [old_root, *proof]
    first, second = old - 1, new - 1
    while first & 1:
        first, second = first >> 1, second >> 1
    need(bool(way), "the proof is too short")
    one = other = way[0]
    for each in way[1:]:
        need(second > 0, "the proof is too long")
        if first & 1 or first == second:
            one, other = node(each, one), node(each, other)
            while not first & 1 and first:
                first, second = first >> 1, second >> 1
        else:
            other = node(other, each)
        first, second = first >> 1, second >> 1
    need(second == 0 and one == old_root and other == root, "the tree did not only grow")


# Signed notes (C2SP signed-note, tlog-checkpoint, tlog-cosignature, tlog-proof)


def parse_key(line: str) -> tuple[str, bytes, int, bytes]:
    """The name, the id, the type and the key of `name+id+key`."""
    name, id_, text = line.strip().split("+", 2)
    content = b64decode(text, validate=True)
    own = sha256(name.encode() + b"\n" + content).digest()[:4]
    need(own.hex() == id_ and content[0] in (ED25519, COSIGNATURE) and len(content) == 33, "that is no key")
    return name, own, content[0], content[1:]


def prove_note(note: str, line: str) -> str:
    """The text of a note, if this key has signed it."""
    name, id_, kind, key = parse_key(line)
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    for each in signatures.splitlines():
        mark, signer, content = each.split(" ")
        need(mark == "\u2014", "that is no signature")
        signed = b64decode(content, validate=True)
        if (signer, signed[:4]) != (name, id_):
            continue
        signed, said = signed[4:], text
        if kind == COSIGNATURE:
            said, signed = f"cosignature/v1\ntime {int.from_bytes(signed[:8], 'big')}\n{text}", signed[8:]
        try:
            ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signed, said.encode())
        except InvalidSignature:
            raise WrongError(f"the signature of {name} is false") from None
        return text
    raise WrongError(f"{name} has not signed it")


def prove_checkpoint(note: str, line: str) -> tuple[int, bytes]:
    """The size and the root of a checkpoint that this key has signed, the log's own or a witness's."""
    origin, size, root, *_ = prove_note(note, line).split("\n")
    name, _, kind, _ = parse_key(line)
    need(kind == COSIGNATURE or origin == name, "that is the checkpoint of another log")
    return int(size), b64decode(root, validate=True)


def prove_receipt(receipt: str, key: str | None, entries: list[dict]) -> dict:
    """The entry that a receipt is about."""
    head, _, note = receipt.partition("\n\n")
    kind, extra, index, *proof = head.split("\n")
    need(kind == "c2sp.org/tlog-proof@v1", "that is no receipt")
    about = b64decode(extra.removeprefix("extra "), validate=True)
    hash_, claimed = about[:32], about[32:].decode()
    need(key is None or parse_key(key) == parse_key(claimed), "the receipt is of a log with another key")
    size, root = prove_checkpoint(note, key or claimed)
    leaf = sha256(b"\x00" + hash_).digest()
    prove_inclusion(leaf, int(index.removeprefix("index ")), size, [b64decode(each) for each in proof], root)
    for entry in entries:
        if entry["hash"] == hash_.hex():
            return entry
    raise WrongError("the receipt is of an entry that is not in the file")


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def main() -> int:
    """Prove what the command line names."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("export", nargs="?", type=Path)
    for name in ("receipt", "checkpoint", "since", "proof"):
        words.add_argument(f"--{name}", type=Path)
    words.add_argument("--key", help="the key of the log or of a witness, name+id+key")
    asked = words.parse_args()
    try:
        if asked.export:
            entries = prove_export(asked.export.read_bytes().removeprefix(b"\xef\xbb\xbf"))
            say(f"proved: {len(entries)} entries")
            if asked.receipt:
                entry = prove_receipt(asked.receipt.read_text("utf-8"), asked.key, entries)
                say(f"proved: entry {entry['version']} of game {entry['game']} was in the signed tree")
        if asked.checkpoint:
            size, root = prove_checkpoint(asked.checkpoint.read_text("utf-8"), asked.key)
            say(f"proved: a tree of {size} entries")
            if asked.since:
                old, old_root = prove_checkpoint(asked.since.read_text("utf-8"), asked.key)
                proof = [bytes.fromhex(each) for each in json.loads(asked.proof.read_text("utf-8"))["proof"]]
                prove_consistency(old, size, old_root, root, proof)
                say(f"proved: it begins with the {old} entries of the older one")
    except (WrongError, ValueError, KeyError, IndexError, TypeError) as error:
        sys.stderr.write(f"wrong: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
