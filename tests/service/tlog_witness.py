"""A witness as C2SP `tlog-witness` describes it, over HTTP, for one log."""

from __future__ import annotations

import threading
from base64 import b64decode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple

from events.tree import merkle
from events.tree.checkpoints import open_checkpoint, parse_checkpoint
from events.tree.notes import COSIGNATURE, BadNoteError, Signer, Verifier, parse_note

if TYPE_CHECKING:
    from collections.abc import Iterator


class Answer(NamedTuple):
    status: int
    text: str = ""
    kind: str = "text/plain"


class TlogWitness:
    """A witness that cosigns at `now`. With `instead` it gives this answer to everything."""

    def __init__(self, log: Verifier, name: str = "witness.example/w1", now: int = 1_790_000_000) -> None:
        self.log, self.now, self.signer = log, now, Signer.generate(name, COSIGNATURE)
        self.size, self.root = 0, merkle.EMPTY
        self.asked: list[str] = []
        self.has_cosigned = threading.Event()
        self.instead: Answer | None = None

    @property
    def line(self) -> str:
        return f"{self.signer.verifier} {self.url}\n"

    def answer(self, path: str, body: str) -> Answer:
        self.asked.append(body)
        if self.instead or path != "/w/add-checkpoint":
            return self.instead or Answer(404)
        head, _, text = body.partition("\n\n")
        old, *lines = head.split("\n")
        size = int(old.removeprefix("old "))
        if parse_checkpoint(parse_note(text).text).origin != self.log.name:
            return Answer(404)
        try:
            signed = open_checkpoint(text, self.log)
        except BadNoteError:
            return Answer(403)
        checkpoint, note = signed.checkpoint, signed.note
        if size > checkpoint.size or len(lines) > 63:
            return Answer(400)
        if size != self.size:
            return Answer(409, f"{self.size}\n", "text/x.tlog.size")
        if size == checkpoint.size and self.root != checkpoint.root:
            return Answer(409)
        try:
            proof = [b64decode(line, validate=True) for line in lines]
            merkle.check_consistency(size, checkpoint.size, self.root, checkpoint.root, proof)
        except merkle.BadProofError:
            return Answer(422)
        self.size, self.root = checkpoint.size, checkpoint.root
        self.has_cosigned.set()
        return Answer(200, str(self.signer.sign(note.text, self.now)))

    def run(self) -> Iterator[TlogWitness]:
        witness = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                status, text, kind = witness.answer(self.path, body)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}/w/"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
