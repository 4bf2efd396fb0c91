"""The tree over the log: its checkpoint, its tiles, and proofs."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import segno
from flask import Response

from events import limits
from events.errors import GameUnknownError
from events.tree.checkpoints import parse_checkpoint
from events.tree.receipts import ENDING
from events.tree.tiles import BadTileError, parse_path
from events.tree.tree import TreeStoppedError
from projections.errors import VersionUnknownError
from service.access.gate import current_permissions, current_principal, scope_problem
from service.access.needs import SEEN
from service.access.scopes import HIDDEN
from service.api.answers.proof import Consistency, EntryProof
from service.api.endpoints import BYTES, TEXT, Endpoints, archive, context, reply
from service.api.schemas.access import ConsistencyQuery
from service.languages import gettext
from service.languages.plain import translated
from service.problems.kinds import ProblemError
from service.recording.transfers import UnsealedError

if TYPE_CHECKING:
    from events.tree.receipts import Receipt

endpoints = Endpoints("tree")

_SHA256 = re.compile("[0-9a-f]{64}")

PROOF_WAIT = 5.0
"""Seconds that a request for the proof of a new entry waits until the tree has it."""

IMMUTABLE = "private, max-age=31536000, immutable"
TEXT_CONTENT = f"{TEXT}; charset=utf-8"
PROOF = (
    *("game-unknown", "version-unknown", "not-sealed", "rebuilding"),
    *("tree-stopped", "tree-behind", "tree-damaged", "record-damaged"),
)

TREE_SCOPE = "tree:read"

READING: dict[str, Any] = {"scope": TREE_SCOPE, "opened": lambda: context().shows_tree()}
"""Who may read the tree. With the hash of an entry that is not sealed, guesses at what it hides could be tested."""


@endpoints.route(
    "GET", "/v1/tree/checkpoint", **READING, answer_types=(TEXT,), conditional=True, problems=("tree-stopped",)
)
def show_checkpoint() -> Response:
    """Show the last checkpoint: the log's name, how many entries it had, the root of its tree, and the signature.

    A signed note after C2SP `tlog-checkpoint`. There is at most one a second, and none while nothing changes.
    The line after the root says how far access has changed. While the tree is stopped, this is the problem
    `tree-stopped`, with the last checkpoint in `checkpoint`. `KIFU_TREE=open` lets everybody read the tree.
    """
    tree = context().tree
    note = str(tree.checkpoint().note)
    if tree.stopped is not None:
        raise ProblemError("tree-stopped", translated(tree.stopped), checkpoint=note)
    return Response(note, content_type=TEXT_CONTENT)


@endpoints.route("GET", "/v1/tree/key", **READING, answer_types=(TEXT,), conditional=True, problems=("tree-stopped",))
def show_tree_key() -> Response:
    """Show the key that checkpoints are verified with.

    One line, `name+id+key`, after C2SP `signed-note`.
    """
    return Response(f"{context().tree.verifier}\n", content_type=TEXT_CONTENT)


@endpoints.route(
    "GET",
    "/v1/tree/archive/<digest>",
    scope="admin",
    answer_types=(TEXT,),
    conditional=True,
    problems=("bad-request", "tree-stopped"),
)
def sign_archive(digest: str) -> Response:
    """Sign the manifest of an archive.

    Its SHA-256, with the tree's key.
    """
    if not _SHA256.fullmatch(digest):
        message = gettext("write a SHA-256 as 64 digits of 0-9 and a-f")
        raise ProblemError("bad-request", f"digest: {message}", errors=[{"field": "digest", "message": message}])
    return Response(str(context().tree.sign_manifest(digest)), content_type=TEXT_CONTENT)


@endpoints.route(
    "GET",
    "/v1/tree/tile/entries/<path:tile>",
    **READING,
    answer_types=(BYTES,),
    problems=("tile-unknown", "tree-damaged"),
)
def show_tree_entries(tile: str) -> Response:
    """Show the entries of a tile, each after its length in two bytes.

    An entry of the tree is the SHA-256 of a line of the log, 32 bytes: the end of an exported line. Entries
    that were lost before the tree began are empty.
    """
    return _immutable(context().tree.entries(*parse_path(tile)))


@endpoints.route(
    "GET",
    "/v1/tree/tile/<level>/<path:tile>",
    **READING,
    answer_types=(BYTES,),
    problems=("tile-unknown", "tree-damaged"),
)
def show_tile(level: str, tile: str) -> Response:
    """Show a tile of the tree: up to 256 hashes of 32 bytes.

    After C2SP `tlog-tiles`: `0/x001/067` is full, `0/000.p/12` has the first twelve hashes of what is not full yet.
    """
    if level not in map(str, range(64)):
        raise BadTileError(f"{level[:80]!r} is not a level of a tree")
    return _immutable(context().tree.tile(int(level), *parse_path(tile)))


@endpoints.route(
    "GET",
    "/v1/tree/consistency",
    **READING,
    query=ConsistencyQuery(),
    answer=Consistency,
    conditional=True,
    problems=("bad-request", "size-unknown", "tree-stopped", "tree-damaged"),
)
def prove_consistency(query: dict[str, Any]) -> Response:
    """Prove that the tree has only grown.

    From `from` entries to `to`, or to the last checkpoint. The proof is empty if there is nothing to prove.
    """
    newer = query["newer"]
    size, proof = context().tree.consistency(query["older"], newer)
    return reply(Consistency(query["older"], size, [hash_.hex() for hash_ in proof]))


@endpoints.route(
    "GET", "/v1/games/<game>/events/<version>/proof", scope=SEEN, answer=EntryProof, conditional=True, problems=PROOF
)
def prove_entry(game: str, version: str) -> Response:
    """Prove that an entry is in the tree over the log.

    For a new entry the answer waits a second or two. A log with unsealed hidden facts needs `tree:read`.
    """
    receipt = _receipt(game, version)
    checkpoint = parse_checkpoint(receipt.note.text)
    return reply(
        EntryProof(
            game=game,
            version=int(version),
            hash=receipt.hash.hex(),
            index=receipt.index,
            size=checkpoint.size,
            root=checkpoint.root.hex(),
            proof=[hash_.hex() for hash_ in receipt.proof],
            checkpoint=str(receipt.note),
        )
    )


@endpoints.route(
    "GET",
    "/v1/games/<game>/events/<version>/receipt",
    scope=SEEN,
    answer_types=(TEXT,),
    conditional=True,
    problems=PROOF,
)
def show_receipt(game: str, version: str) -> Response:
    """Show an entry's receipt: a small file that proves with the export that it was recorded.

    After C2SP `tlog-proof`: the entry's hash, its place, the proof, and the signed checkpoint. `kifu verify --receipt`
    checks it.
    """
    response = Response(str(_receipt(game, version)), content_type=TEXT_CONTENT)
    response.headers["Content-Disposition"] = f'attachment; filename="{game}-{int(version)}{ENDING}"'
    return response


@endpoints.route(
    "GET",
    "/v1/games/<game>/events/<version>/receipt.svg",
    scope=SEEN,
    answer_types=("image/svg+xml",),
    conditional=True,
    problems=PROOF,
)
def draw_receipt(game: str, version: str) -> Response:
    """Draw an entry's receipt as a QR code.

    It holds the text of the receipt.
    """
    drawn = io.BytesIO()
    segno.make(str(_receipt(game, version)), micro=False, error="l").save(drawn, kind="svg", scale=3, light="white")
    return Response(drawn.getvalue(), content_type="image/svg+xml; charset=utf-8")


def _receipt(game: str, version: str) -> Receipt:
    """The receipt of an entry, if the caller may have it. Raises as the routes."""
    head = archive().log.head(game)
    if head is None:
        raise GameUnknownError(game)
    if not (current_permissions().see_whole_record or archive().folds.fold_until_error(game).hashes_public):
        raise UnsealedError(game)
    number = int(version) if version.isascii() and version.isdigit() and 0 < len(version) < 17 else limits.VERSION
    found = archive().log.position_of(game, number)
    if found is None:
        raise VersionUnknownError(game, number, head.version)
    position, hash_ = found
    if not context().grower.reach(position, PROOF_WAIT):
        if context().tree.stopped is not None:
            raise TreeStoppedError(context().tree.stopped)
        problem = ProblemError("tree-behind", f"the tree has {context().tree.size} entries, not {position} yet")
        problem.headers["Retry-After"] = "1"
        raise problem
    receipt = context().tree.receipt(position - 1, hash_)
    _refuse_guesses()
    return receipt


def _refuse_guesses() -> None:
    """Refuse a proof to callers who could use it to test guesses at an entry of another game.

    Each proof depends on all leaves of the tree. Raises `scope-needed`, `RebuildingError`.
    """
    who = current_principal()
    knows_all = who is not None and not who.service.isdisjoint({TREE_SCOPE, HIDDEN})
    if not knows_all and context().unsealed_in_tree() is not None:
        why = gettext(
            "proofs would reveal hidden facts, because an older release recorded a game here without seals:"
            " this requires %(scope)s",
            scope=TREE_SCOPE,
        )
        raise scope_problem(TREE_SCOPE, why)


def _immutable(content: bytes) -> Response:
    response = Response(content, content_type=BYTES)
    response.headers["Cache-Control"] = IMMUTABLE
    return response
