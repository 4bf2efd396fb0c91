"""Witnesses that cosign the tree of this service (C2SP `tlog-witness`): each new checkpoint is sent to them."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx

from events.errors import LogError
from events.tree.checkpoints import parse_number
from events.tree.cosigning import cosignatures, submission
from events.tree.notes import BadNoteError
from service import __version__
from service.server import failing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from events.tree.checkpoints import Signed
    from events.tree.cosigning import Cosigner
    from events.tree.notes import Signature
    from events.tree.tree import Tree

SPACING = 10.0
"""Seconds between two looks for a new checkpoint."""

TIMEOUT = 10.0
"""Seconds that a witness may take for a step of its answer."""

LONGEST = 1 << 16
"""Bytes of an answer that are read."""

_SIZE = "text/x.tlog.size"
"""The type of the answer that says which size a witness has cosigned."""

logger = logging.getLogger(__name__)


class RefusedError(Exception):
    """A witness does not cosign."""


class Witnesses:
    """Has the checkpoints of a tree cosigned, one round after the other, in the process that `leads`.

    Who does not cosign is noted in the data folder.
    """

    def __init__(
        self, tree: Tree, cosigners: Sequence[Cosigner], folder: Path, leads: Callable[[], bool] = lambda: True
    ) -> None:
        self._tree, self._cosigners, self._folder, self._leads = tree, cosigners, folder, leads
        self._stop = threading.Event()
        self._failing: dict[Cosigner, str] = {}
        self._client = httpx.Client(
            trust_env=False, follow_redirects=False, timeout=TIMEOUT, headers={"User-Agent": f"Kifu/{__version__}"}
        )

    def run(self) -> None:
        """Ask the witnesses until `stop` is called. What fails is logged, and tried again."""
        while not self._stop.wait(SPACING):
            try:
                if self._leads():
                    self.ask()
            except Exception:
                logger.exception("witnesses could not be asked; trying again")
        self._client.close()

    def stop(self) -> None:
        """Let `run` come to its end."""
        self._stop.set()

    def ask(self) -> None:
        """Send the last checkpoint to those who have not cosigned it, and keep their cosignatures. Raises `OSError`."""
        if self._tree.stopped is not None or not self._tree.size:
            return
        signed = self._tree.checkpoint()
        missing = [each for each in self._cosigners if signed.note.signed_by(each.verifier) is None]
        found = [signature for each in missing for signature in self._asked(each, signed)]
        with suppress(OSError):  # it is noted again after the next round
            names = {f"witness {each.verifier.name}": why for each, why in self._failing.items()}
            failing.note(self._folder, names, failing.WITNESSES)
        if found:
            self._tree.keep_cosignatures(signed, found)

    def _asked(self, cosigner: Cosigner, signed: Signed) -> list[Signature]:
        """The cosignatures of a witness; none if it refuses or does not answer, which is logged once."""
        try:
            found = cosignatures(self._send(cosigner, signed), signed.note, cosigner.verifier)
        except (httpx.HTTPError, httpx.InvalidURL, RefusedError, BadNoteError, LogError, UnicodeDecodeError) as error:
            why = str(error) or type(error).__name__
            if cosigner not in self._failing:
                logger.warning("the witness %s does not cosign: %s", cosigner.verifier.name, why)
            self._failing[cosigner] = why
            return []
        self._failing.pop(cosigner, None)
        return found

    def _send(self, cosigner: Cosigner, signed: Signed) -> str:
        """The answer of a witness that takes a checkpoint. It is asked again if it knows another one than was supposed.

        Raises `RefusedError`, `BadNoteError`, `LogError`, `httpx.HTTPError`.
        """
        size, old = signed.checkpoint.size, self._last_known_size(cosigner)
        for _ in range(2):
            _, proof = self._tree.consistency(old, size)
            status, kind, text = self._post(cosigner, submission(old, proof, signed.note))
            if status != HTTPStatus.CONFLICT or kind != _SIZE:
                break
            old = parse_number(text.removesuffix("\n"))
            if old > size:
                raise RefusedError(f"it has cosigned {old} entries, and this tree has {size}")
        if status != HTTPStatus.OK:
            raise RefusedError(f"status {status} for {size} entries after {old}: {text[:200]!r}")
        return text

    def _last_known_size(self, cosigner: Cosigner) -> int:
        """The size that a witness cosigned last, as far as is known here."""
        cosigned = self._tree.cosigned
        return cosigned.checkpoint.size if cosigned and cosigned.note.signed_by(cosigner.verifier) is not None else 0

    def _post(self, cosigner: Cosigner, body: bytes) -> tuple[int, str, str]:
        """The status, the type and the text of an answer."""
        with self._client.stream("POST", f"{cosigner.url}/add-checkpoint", content=body) as answer:
            content = b""
            for part in answer.iter_bytes():
                content += part
                if len(content) > LONGEST:
                    raise RefusedError("its answer is too long")
        return answer.status_code, answer.headers.get("Content-Type", "").partition(";")[0].strip(), content.decode()
