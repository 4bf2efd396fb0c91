"""The file of the owner's token: made at the first start, for the owner alone to read.

A reader of the data folder is the owner anyhow. The commands of this machine take the token from here. A token of an
older release, or one that somebody put there, works until it is rotated.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from uuid_utils import uuid7

from events import safekeeping
from events.event import now_ms
from service.access import secrets
from service.access.store import HOUSE, Credential
from service.settings import BadSettingError

if TYPE_CHECKING:
    from pathlib import Path

    from service.access.store import Store

FILE = "owner.token"
SESSIONS = "sessions.json"
"""Where older releases kept the sessions of the owner."""

SHORTEST, LONGEST = 20, 512
_TOKEN = re.compile(rf"[\x21-\x7e]{{{SHORTEST},{LONGEST}}}")


class BadTokenError(BadSettingError):
    """The file of the owner's token has no usable token. The message names the file."""


def owner_token(folder: Path) -> str:
    """The owner's token of a data folder; made if there is none yet. For the process that has the log open.

    A crash can leave an empty file, which counts as missing. Raises `BadTokenError` for another content, and `OSError`.
    """
    token = stored_token(folder / FILE)
    if not token:
        token = secrets.make("own")
        keep_token(folder, token)
    return token


def keep_token(folder: Path, token: str) -> None:
    """Replace the token in the file. Raises `OSError`."""
    safekeeping.put(folder / FILE, f"{token}\n".encode())


def stored_token(path: Path) -> str:
    """The token in a file; empty without one. Other users lose their right to read the file. Raises `BadTokenError`."""
    try:
        token = safekeeping.get(path, LONGEST + 100).strip().decode("ascii", errors="replace")
    except safekeeping.NotAFileError:
        raise BadTokenError(f"{path} is not a file: remove it, and a token is made") from None
    except IsADirectoryError:
        raise BadTokenError(f"{path} is a folder, not a file: remove it, and a token is made") from None
    except OSError as error:
        raise BadTokenError(f"the owner's token in {path} cannot be read: {error.strerror}") from error
    if token and not _TOKEN.fullmatch(token):
        raise BadTokenError(
            f"{path} holds no token ({SHORTEST} to {LONGEST} visible ASCII characters without a space): "
            "remove it, and a token is made"
        )
    return token


def load_or_create(store: Store, folder: Path, host: str = "") -> str:
    """Make the token of the data folder the owner's only token, and return it.

    Hosts that share a store have one token each. `host` is the name of this host. The tokens of other hosts stay. If
    the token is a new one, the owner's sessions end. Raises as `owner_token`, and for a token that was revoked or opens
    something else here.
    """
    token = owner_token(folder)
    if store.stopped:  # it is looked into once the owner has decided, at the next start
        return token
    (folder / SESSIONS).unlink(missing_ok=True)
    digest = secrets.digest(token)
    known = store.find(digest)
    if known is not None and (known.kind != "own" or known.ended is not None):
        raise BadTokenError(f"{folder / FILE} holds a token that was revoked, or is not the owner's: remove it")
    if known is None:
        store.add(new_key(store.owner, HOUSE, host), digest, by=HOUSE)
        known = store.find(digest)
    others = [each for kind in ("own", "ses") for each in store.credentials([store.owner], kind)]
    stale = [each.id for each in others if known and is_before(each, known)]
    if stale:
        stale += [each.id for each in others if each.kind == "ses"]
        store.end(stale, by=HOUSE, why=f"another token is in {FILE}")
    return token


def is_before(other: Credential, known: Credential) -> bool:
    """Whether `other` is an owner's token that `known` replaced. Several hosts have one each, told apart by name."""
    return other.kind == "own" and other.id != known.id and (not known.name or other.name == known.name)


def new_key(owner: str, maker: str, host: str = "") -> Credential:
    """A new owner's token as it is stored. With several hosts, each has its own, named after the host."""
    return Credential(id=str(uuid7()), kind="own", person=owner, name=host, begun=now_ms(), maker=maker)
