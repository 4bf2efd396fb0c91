"""Proves exported entries with the standard library alone, as a person without this project would."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def compact(value: Any) -> bytes:
    """JSON in the form of exported lines."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def hash_of(entry: dict[str, Any]) -> str:
    """Compute the hash of an entry."""
    line = {name: value for name, value in entry.items() if name not in {"opened", "erased", "hash"}}
    return hashlib.sha256(compact(line)).hexdigest()


def sealed_in(entry: dict[str, Any]) -> dict[str, str]:
    """Every visible seal of an entry, even inside the content of another one."""
    inner = entry.get("opened", {}).get("record", {}).get("content", {}).get("sealed", {})
    return entry.get("sealed", {}) | {f"record.{name}": own for name, own in inner.items()}


def seal_of(opened: dict[str, Any]) -> str:
    """Compute the seal of opened content."""
    content, size = compact(opened["content"]), 32
    while size < len(content):
        size *= 2
    return hashlib.sha256(bytes.fromhex(opened["salt"]) + content.ljust(size)).hexdigest()


def prove(lines: list[bytes]) -> None:
    """Assert that exported lines are a chain, and that all opened content matches its seals."""
    prev = "0" * 64
    for line in lines:
        entry = json.loads(line)
        assert (entry["prev"], entry["hash"]) == (prev, hash_of(entry))
        stated = sealed_in(entry)
        assert {name: seal_of(opened) for name, opened in entry.get("opened", {}).items()}.items() <= stated.items()
        prev = entry["hash"]
