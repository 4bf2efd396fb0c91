"""Proof of an exported entry as somebody without this project makes it: with the standard library alone."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def compact(value: Any) -> bytes:
    """JSON as the lines of exports have it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def hash_of(entry: dict[str, Any]) -> str:
    """The hash that an entry should have."""
    line = {name: value for name, value in entry.items() if name not in {"opened", "erased", "hash"}}
    return hashlib.sha256(compact(line)).hexdigest()


def sealed_in(entry: dict[str, Any]) -> dict[str, str]:
    """Every seal of an entry that can be seen, also those within the content of another one."""
    inner = entry.get("opened", {}).get("record", {}).get("content", {}).get("sealed", {})
    return entry.get("sealed", {}) | {f"record.{name}": own for name, own in inner.items()}


def seal_of(opened: dict[str, Any]) -> str:
    """The seal of what was opened."""
    content, size = compact(opened["content"]), 32
    while size < len(content):
        size *= 2
    return hashlib.sha256(bytes.fromhex(opened["salt"]) + content.ljust(size)).hexdigest()


def prove(lines: list[bytes]) -> None:
    """Assert that exported lines are a chain, and that everything they open is what was sealed."""
    prev = "0" * 64
    for line in lines:
        entry = json.loads(line)
        assert (entry["prev"], entry["hash"]) == (prev, hash_of(entry))
        stated = sealed_in(entry)
        assert {name: seal_of(opened) for name, opened in entry.get("opened", {}).items()}.items() <= stated.items()
        prev = entry["hash"]
