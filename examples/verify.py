#!/usr/bin/env python3
"""Verify an exported game of Kifu without Kifu: docs/proof.md as a program. It needs the library `cryptography`.

verify.py GAME.ndjson                                        the chain, the seals, the erasures, the signatures
verify.py GAME.ndjson --receipt FILE --key KEY [--witness KEY]     and that an entry is in the tree of that key
verify.py --checkpoints OLDER NEWER PROOF --key KEY          that the tree has only grown
verify.py --cosigned CHECKPOINT --key KEY --witness KEY      that a witness has cosigned it, and when
"""

import argparse
import json
import re
import sys
from base64 import b64decode, b64encode
from functools import partial
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.hashes import SHA256


class WrongError(ValueError):
    """What does not verify."""


def need(holds, why):
    if not holds:
        raise WrongError(why)


class Number(str):
    """A number with a fraction or an exponent, as it was written."""


def once(pairs):
    need(len(dict(pairs)) == len(pairs), f"a key stands twice among {[key for key, _ in pairs]}")
    return dict(pairs)


ORDER = {"game": "str", "version": "int", "id": "str", "type": "str", "schema": "int", "recorded_at": "str"}
ORDER |= {"happened_at": "str NoneType", "recorder": "str", "data": "dict"}
ERASURES_RECORDED = 4  # from this schema of game.opened on, each erasure is an entry
PARTS = {"text": "text", "record.text": "text"}  # all other seals are of the part "hidden"
read = partial(json.loads, object_pairs_hook=once, parse_float=Number)


def write(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(member(key, value[key]) for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(write, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def member(name, value):
    return f"{write(name)}:{write(value)}"


def place(seal):
    """The place of a seal among others: record, record.text, seat-0, seat-1 …, text."""
    known = {"record": 0, "record.text": 1, "text": 1000}
    need(seal in known or re.fullmatch("seat-(0|[1-9][0-9]{0,2})", seal), f"there is no seal {seal}")
    return known[seal] if seal in known else 16 + int(seal[5:])


def seal_members(name, found, each):
    """A member with an object of seals, in their order; nothing if there are none."""
    inner = ",".join(f'"{seal}":{each(found[seal])}' for seal in sorted(found, key=place))
    return [f'"{name}":{{{inner}}}'] if found else []


def hashed_bytes(entry, tail=()):
    members = [*(member(name, entry[name]) for name in ORDER), *seal_members("sealed", entry.get("sealed", {}), write)]
    return ("{" + ",".join([*members, member("prev", entry["prev"]), *tail]) + "}").encode()


def line_of(entry):
    def object_of(*names):
        return lambda each: "{" + ",".join(member(name, each[name]) for name in names) + "}"

    tail = seal_members("opened", entry.get("opened", {}), object_of("salt", "content"))
    tail += seal_members("erased", entry.get("erased", {}), object_of("by", "at"))
    return hashed_bytes(entry, [*tail, member("hash", entry.get("hash"))])


def records(content):
    """The records of a file, each as its header and its entries, verified. Each stands in it once."""
    lines, found = content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), {}
    starts = [at for at, line in enumerate(lines) if at == 0 or line.startswith(b'{"format"')]
    for at, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        header, entries = check_game(lines[at:end], at + 1)
        need(found.setdefault(header["game"], entries) is entries, f"line {at + 1}: the game stands in the file twice")
        yield header, entries


def check_game(lines, at):
    """Verify an exported record, which begins at a line; the header, and its entries."""
    header = read(lines[0].decode())
    known = header.get("format") == "kifu.game" and write(header.get("format_version")) in ("1", "2")
    entries = [checked(line, number) for number, line in enumerate(lines[1:], at + 1) if line]
    need(known and entries and write(header["events"]) == str(len(entries)), "no header of so many entries")
    kinds = {each["type"].split(".")[0] for each in entries}
    need(len(kinds) == 1 or not kinds & {"club", "season", "tournament"}, "entries of two kinds of records")
    prev, clock = "0" * 64, ""
    for version, entry in enumerate(entries, 1):
        where = f"version {version}"
        need(entry["version"] == version, f"{where}: version {entry['version']} stands here")
        need(entry["game"] == header["game"], f"{where}: an entry of another game")
        need(entry["type"].endswith((".opened", ".founded")) == (version == 1), f"{where}: what opens it comes first")
        need(entry["prev"] == prev, f"{where}: it does not follow from the entry before it")
        need(entry["recorded_at"] >= clock, f"{where}: its clock goes back")
        check_seals(entry, where)
        if entry["type"] == "record.signed":
            check_signature(entry, where)
        prev, clock = entry["hash"], entry["recorded_at"]
    need(prev == header["head"], "the last hash is not that of the header")
    check_erasures(entries)
    return header, entries


def checked(line, number):
    entry = read(line.decode())
    need(line_of(entry) == line, f"line {number}: not the canonical bytes")
    need(all(type(entry[name]).__name__ in ORDER[name].split() for name in ORDER), f"line {number}: another kind")
    need(sha256(hashed_bytes(entry)).hexdigest() == entry["hash"], f"line {number}: not what was hashed")
    return entry


def check_seals(entry, where):
    waiting, seen = dict(entry.get("sealed", {})), set()
    while waiting:
        name, expected = waiting.popitem()
        seen.add(name)
        if (opened := entry.get("opened", {}).get(name)) is None:
            continue
        content, salt = write(opened["content"]).encode(), bytes.fromhex(opened["salt"])
        width = max(32, 1 << (len(content) - 1).bit_length())
        need(len(salt) == 16 and salt.hex() == opened["salt"], f"{where}: the salt of {name} is not 16 bytes in hex")
        need(sha256(salt + content.ljust(width)).hexdigest() == expected, f"{where}: {name} is not what was sealed")
        if name == "record":
            waiting.update({f"record.{inner}": hash_ for inner, hash_ in opened["content"].get("sealed", {}).items()})
    need({*entry.get("opened", {}), *entry.get("erased", {})} <= seen, f"{where}: it opens or erases what it has not")


def check_signature(entry, where):
    data = entry["data"]
    need((data["version"], data["hash"]) == (entry["version"] - 1, entry["prev"]), f"{where}: it signs another head")
    seat = "-" if data.get("seat") is None else data["seat"]
    text = f"kifu record\ngame {entry['game']}\nversion {data['version']}\nhash {data['hash']}\nseat {seat}\n".encode()
    key, signature = b64decode(data["key"], validate=True), b64decode(data["signature"], validate=True)
    if data["algorithm"] == "ed25519":
        ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
    else:
        need(data["algorithm"] == "p256" and len(signature) == 64, f"{where}: no signature")
        r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
        der, point = utils.encode_dss_signature(r, s), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
        point.verify(der, text, ec.ECDSA(SHA256()))


def check_erasures(entries):
    recorded = {}
    for entry in entries:
        if entry["type"].endswith(".erased"):
            need(entry["data"]["entry"] < entry["version"], f"version {entry['version']}: it erases a later entry")
            recorded.setdefault((entry["data"]["entry"], entry["data"]["what"]), []).append(entry)
    first = min((each["recorded_at"] for found in recorded.values() for each in found), default="~")
    always = entries[0]["type"] != "game.opened" or entries[0]["schema"] >= ERASURES_RECORDED
    for entry in entries:
        where, marks = f"version {entry['version']}", entry.get("erased", {})
        gone = {PARTS.get(name, "hidden") for name in marks}
        for name in entry.get("opened", {}):
            part = PARTS.get(name, "hidden")
            need(part not in gone and (entry["version"], part) not in recorded, f"{where}: {name} is open, and erased")
        for name, mark in marks.items():
            erasures = recorded.get((entry["version"], PARTS.get(name, "hidden")), [])
            told = any((mark["by"], mark["at"]) == (each["recorder"], each["recorded_at"]) for each in erasures)
            need(told or (not always and mark["at"] < first), f"{where}: no entry erased {name}, or not so")


def unpack(text):
    need(b64encode(b64decode(text)).decode() == text, f"{text} is not the Base64 of its bytes")
    return b64decode(text)


def node(left, right):
    return sha256(b"\1" + left + right).digest()


def sides(at, last, proof):
    """The hashes of a proof on the way up, and whether each is to the left."""
    for each in proof:
        need(last > 0, "the proof is too long")
        left = at & 1 or at == last
        while left and at and not at & 1:
            at, last = at >> 1, last >> 1
        yield each, left
        at, last = at >> 1, last >> 1
    need(last == 0, "the proof is too short")


def root_of(leaf, index, size, proof):  # RFC 9162, 2.1.3.2
    need(0 <= index < size, "there is no such leaf")
    for each, left in sides(index, size - 1, proof):
        leaf = node(each, leaf) if left else node(leaf, each)
    return leaf


def check_growth(old, new, proof):
    """RFC 9162, 2.1.4.2, of two checkpoints."""
    (size, root), (newer, newer_root) = old, new
    need(size <= newer, "the newer checkpoint is of a smaller tree")
    if size in (0, newer):
        need(not proof and (size == 0 or root == newer_root), "two roots of one size")
        return
    path = [root, *proof] if size & (size - 1) == 0 else list(proof)
    at, last = size - 1, newer - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    first = second = path[0]
    for each, left in sides(at, last, path[1:]):
        first, second = (node(each, first), node(each, second)) if left else (first, node(second, each))
    need((first, second) == (root, newer_root), "the newer tree does not begin as the older one")


def checkpoint(note, key):
    """The size and the root that a log has signed."""
    name, size, root = signed_text(note, key, 1)[0].split("\n")[:3]
    need([name, size] == [key.split("+")[0], str(int(size))], "a checkpoint of another log, or without a size")
    return int(size), unpack(root)


def signed_text(note, key, kind):
    """The text of a note that a key has signed, and the time that a witness (kind 4) says."""
    name, id_, encoded = key.strip().split("+", 2)
    public = unpack(encoded)
    need(public[0] == kind and sha256(name.encode() + b"\n" + public).hexdigest()[:8] == id_, "no such key")
    (text, _, lines), times = note.rpartition("\n\n"), []
    for _, signer, content in (line.split(" ") for line in lines[:-1].split("\n")):
        signature = unpack(content)
        if (signer, signature[:4].hex()) == (name, id_):
            when, own = (int.from_bytes(signature[4:12], "big"), signature[12:]) if kind == 4 else (0, signature[4:])
            signed = f"cosignature/v1\ntime {when}\n{text}\n" if kind == 4 else f"{text}\n"
            ed25519.Ed25519PublicKey.from_public_bytes(public[1:]).verify(own, signed.encode())
            times.append(when)
    plain = re.fullmatch(r"[^\x00-\x09\x0b-\x1f]*\n\n(— [^\s+]+ \S+\n)+", note)
    need(times and plain, f"{name} has not signed this, or it is no note")
    return f"{text}\n", max(times)


def check_receipt(text, entries, key, witness):
    lines, note = text.partition("\n\n")[0].split("\n"), text.partition("\n\n")[2]
    extra, index = unpack(lines[1].removeprefix("extra ")), int(lines[2].removeprefix("index "))
    due = ["c2sp.org/tlog-proof@v1", f"index {index}", key.strip()]
    need([lines[0], lines[2], extra[32:].decode()] == due, "no receipt, or one of another log")
    need(found := [each for each in entries if each["hash"] == extra[:32].hex()], "the receipt is of no entry here")
    size, root = checkpoint(note, key)
    leaf = sha256(b"\0" + extra[:32]).digest()
    need(root_of(leaf, index, size, [*map(unpack, lines[3:])]) == root, "the entry is not in the tree")
    when = f", cosigned at {signed_text(note, witness, 4)[1]}" if witness else ""
    return f"entry {found[0]['version']} is number {index + 1} of {size}{when}"


def main(arguments):
    parser = argparse.ArgumentParser(description="Verify exports, receipts and checkpoints of Kifu.")
    parser.add_argument("game", nargs="?", type=Path)
    parser.add_argument("--receipt", type=Path)
    parser.add_argument("--checkpoints", nargs=3, type=Path, metavar=("OLDER", "NEWER", "PROOF"))
    parser.add_argument("--cosigned", type=Path)
    parser.add_argument("--key", help="the log's key, name+id+key")
    parser.add_argument("--witness", help="the key of a witness")
    asked, entries = parser.parse_args(arguments), []
    try:
        signed = asked.receipt or asked.checkpoints or asked.cosigned
        need(asked.game or signed, "nothing to verify: name a file")
        need(bool(asked.key) == bool(signed), "what the log signed needs --key, and nothing else does")
        need(not asked.witness or signed != asked.checkpoints, "--witness goes with --receipt and --cosigned")
        for header, found in records(asked.game.read_bytes()) if asked.game else ():
            entries += found
            print(f"{len(found)} entries of {header['game']}, as {header.get('viewpoint', 'record')} sees them")
        if asked.receipt:
            print(check_receipt(asked.receipt.read_bytes().decode(), entries, asked.key, asked.witness))
        if asked.checkpoints:
            older, newer = (checkpoint(path.read_bytes().decode(), asked.key) for path in asked.checkpoints[:2])
            check_growth(older, newer, [*map(bytes.fromhex, read(asked.checkpoints[2].read_bytes())["proof"])])
            print(f"{newer[0]} entries begin with the {older[0]} before")
        if asked.cosigned:
            note = asked.cosigned.read_bytes().decode()
            print(f"{checkpoint(note, asked.key)[0]} entries, cosigned at {signed_text(note, asked.witness, 4)[1]}")
    except (InvalidSignature, OSError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        print(f"wrong: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
