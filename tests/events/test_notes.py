"""Signed notes, checkpoints and receipts: their form, and that nothing false is taken for true."""

from __future__ import annotations

import base64

import pytest

from events.tree import merkle
from events.tree.checkpoints import Checkpoint, open_checkpoint, parse_checkpoint
from events.tree.notes import (
    COSIGNATURE,
    ED25519,
    BadNoteError,
    Note,
    Signer,
    parse_note,
    parse_signer,
    parse_verifier,
)
from events.tree.receipts import Receipt, parse_receipt
from tests.cases import cases

KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
NOTE = """\
This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
"""A key and a note of others: the example of the standard."""


def test_a_note_of_others_is_verified_and_written_as_it_was() -> None:
    note, key = parse_note(NOTE), parse_verifier(KEY)
    assert note.signed_by(key) == 0
    assert (str(note), str(key)) == (NOTE, KEY)
    with pytest.raises(BadNoteError, match=r"the signature of .* is false"):
        parse_note(NOTE.replace("an example", "another")).signed_by(key)


def test_a_key_of_another_name_or_type_has_signed_nothing() -> None:
    note = parse_note(NOTE)
    signer = Signer.generate("example.com/foo")
    assert note.signed_by(signer.verifier) is None
    assert Note(note.text, (signer.sign(note.text),)).signed_by(parse_verifier(KEY)) is None


def test_a_key_is_kept_and_found_again() -> None:
    signer = Signer.generate("club/tree")
    again = parse_signer(signer.secret_line())
    assert again.verifier == signer.verifier == parse_verifier(str(signer.verifier))
    assert Note("x\n", (again.sign("x\n"),)).signed_by(signer.verifier) == 0


def test_a_cosignature_says_when_and_stands_beside_the_others() -> None:
    log, witness = Signer.generate("club"), Signer.generate("friend", COSIGNATURE)
    text = str(Checkpoint("club", 3, bytes(32)))
    note = Note(text, (log.sign(text),)).cosigned(witness.sign(text, 1_679_315_147))
    again = parse_note(str(note))
    assert (again.signed_by(log.verifier), again.signed_by(witness.verifier)) == (0, 1_679_315_147)
    later = again.cosigned(witness.sign(text, 1_679_315_999))
    assert (len(later.signatures), later.signed_by(witness.verifier)) == (2, 1_679_315_999)
    _, (cosigned,) = later.signatures[:1], later.signatures[1:]
    moved = Note(text, (type(cosigned)(cosigned.name, cosigned.id, bytes(8) + cosigned.content[8:]),))
    with pytest.raises(BadNoteError, match="is false"):
        moved.signed_by(witness.verifier)


@cases(
    "text",
    [
        "",
        "x",
        "x\n",
        "x\n\n",
        "x\n\ny\n",
        "x\n\n— club\n",
        "x\n\n— club !!!\n",
        "x\n\n— club QUJD\n",
        "x\0\n\n— a QUJDREVGRw==\n",
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(BadNoteError):
        parse_note(text)


@cases("key", ["", "x", "a+b", KEY[:-1], KEY.replace("530d", "530e"), "a b+530d903a+AekyeRrm56hA", "a+00+", KEY + "+x"])
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(BadNoteError):
        parse_verifier(key)
    with pytest.raises(BadNoteError):
        parse_signer("PRIVATE+KEY+" + key)
    with pytest.raises(BadNoteError):
        parse_signer(key)


def test_a_name_with_blanks_is_the_name_of_no_key() -> None:
    for name in ("", "a b", "a+b", "a\nb", "a\u2003b"):
        with pytest.raises(BadNoteError):
            Signer.generate(name)


ROOT = base64.b64encode(bytes(32)).decode()


@cases(
    "text",
    [
        "",
        "club\n3\n",
        f"club\n03\n{ROOT}\n",
        f"club\n-1\n{ROOT}\n",
        f"club\n3\n{ROOT}",
        f"\n3\n{ROOT}\n",
        "club\n3\nAAAA\n",
        f"club\n{10**30}\n{ROOT}\n",
        f"club\n٣\n{ROOT}\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadNoteError):
        parse_checkpoint(text)


def test_a_checkpoint_of_another_log_is_refused_though_the_key_signed_it() -> None:
    signer = Signer.generate("club", ED25519)
    text = str(Checkpoint("other", 3, bytes(32)))
    with pytest.raises(BadNoteError, match="a checkpoint of 'other', not of club"):
        open_checkpoint(str(Note(text, (signer.sign(text),))), signer.verifier)
    text = str(Checkpoint("club", 3, bytes(32)))
    stranger = Signer.generate("club")
    with pytest.raises(BadNoteError, match="not signed with the known key of club"):
        open_checkpoint(str(Note(text, (stranger.sign(text),))), signer.verifier)


@pytest.fixture
def receipt() -> tuple[Receipt, Signer]:
    signer, entry, beside = Signer.generate("club"), bytes(range(32)), bytes(32)
    root = merkle.node_hash(merkle.leaf_hash(entry), beside)
    text = str(Checkpoint("club", 2, root))
    return Receipt(entry, 0, (beside,), Note(text, (signer.sign(text),)), signer.verifier), signer


def test_a_receipt_is_a_small_file_that_proves_its_entry(receipt: tuple[Receipt, Signer]) -> None:
    made, signer = receipt
    again = parse_receipt(str(made))
    assert again == made
    assert again.check(signer.verifier).checkpoint.size == 2
    assert str(made).startswith("c2sp.org/tlog-proof@v1\nextra ")


def test_a_receipt_with_any_change_proves_nothing(receipt: tuple[Receipt, Signer]) -> None:
    made, signer = receipt
    text = str(made)
    changed = 0
    for at in range(len(text)):
        other = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
        with pytest.raises((BadNoteError, merkle.BadProofError)):
            parse_receipt(other).check(signer.verifier)
        changed += 1
    assert changed > 200
    with pytest.raises((BadNoteError, merkle.BadProofError)):
        made.check(Signer.generate("club").verifier)


@cases("text", ["", "c2sp.org/tlog-proof@v1\n\n", "c2sp.org/tlog-proof@v1\nextra AAAA\nindex 0\n\nx", "x" * 10**5])
def test_what_is_no_receipt_is_refused(text: str) -> None:
    with pytest.raises(BadNoteError):
        parse_receipt(text)
