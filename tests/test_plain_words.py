"""The check of words: what it counts as a sentence, as a riddle and as a good subject, and what it reads."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from tests import plain_words
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MARKDOWN = """# A heading

One sentence. A second one, with `code. And more` in it! See [the
guide](docs/api.md), e.g. its end.

* An item
* Another item: whose

| whoever | stands | in a table |
|---|---|---|

   ```sh
   whatever is code
   ```
1. Numbered, by which nobody is helped.
"""


def test_sentences_are_those_of_the_prose_alone() -> None:
    assert plain_words.sentences(MARKDOWN) == [
        "A heading",
        "One sentence",
        "A second one, with code in it",
        "See the guide, e.g. its end",
        "An item",
        "Another item: whose",
        "Numbered, by which nobody is helped",
    ]


def test_riddles_are_found_in_prose_and_not_in_code_and_tables() -> None:
    assert plain_words.riddles("\n".join(plain_words.prose(MARKDOWN))) == ["whose", "by which"]


def test_a_name_is_read_like_a_sentence() -> None:
    source = "class Whose: ...\ndef test_whatever_comes(): ...\ndef test_any_input(): ...\n"
    assert plain_words.riddling_names(source) == ["Whose", "test_whatever_comes"]


def test_a_word_with_a_hyphen_or_an_apostrophe_is_one() -> None:
    assert plain_words.words("Kifu's hash-chain isn't 3.5 words, or 10,000 – it is ten") == 10


def test_a_sentence_is_long_from_one_word_too_many_on() -> None:
    just = " ".join(["word"] * plain_words.LONGEST)
    assert plain_words.long_sentences(f"{just}. Short.\n\n{just} more.") == [f"{just} more"]


@cases(
    ("subject", "bad"),
    [
        ("Fix the cursor of an empty feed", False),
        ("Add a route for merges", False),
        ("Fix", True),
        ("Fixes the cursor", True),
        ("the cursor is fixed", True),
        ("Know streams of analyses in a test by what knows them already", True),
        ("Tell whoever asks", True),
        ("Send a hint to whoever follows", True),
        ("Fix " + "x" * 69, True),
        ("Fix " + "x" * 68, False),
    ],
)
def test_a_subject_is_a_verb_and_a_thing(subject: str, bad: bool) -> None:
    assert bool(plain_words.bad_subject(subject)) is bad


@pytest.mark.programs
def test_a_clone_without_history_has_no_subjects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_words, "BASE", "0" * 40)
    assert plain_words.subjects() == []
    monkeypatch.setenv("PATH", "")
    assert plain_words.subjects() == []


def test_the_names_of_places_in_messages_are_no_words() -> None:
    found = dict(plain_words.messages())
    assert "{whose}" in (plain_words.ROOT / "games/kahuna/words.ja.po").read_text(encoding="utf-8")
    assert "it is X's turn, not X's" in found["games/kahuna/words.ja.po"]


def test_texts_and_names_that_are_held_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wordy() -> list[tuple[str, str]]:
        return [("a.md", "Whoever reads this, whatever it is. " + " ".join(["word"] * 31) + ".")]

    monkeypatch.setattr(plain_words, "HELD", (wordy,))
    monkeypatch.setattr(plain_words, "SHORT", (wordy,))
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "a.py").write_text("class Whose: ...\n")
    monkeypatch.setattr(plain_words, "ROOT", tmp_path)
    monkeypatch.setattr(plain_words, "PACKAGES", ("package",))
    first, *riddles, name, last = plain_words.faults()
    assert first.startswith("wordy: 2 words like “whoever” in 37")
    assert riddles == ["  a.md: Whoever", "  a.md: whatever"]
    assert name == "package/a.py: Whose: use plain words"
    assert last.startswith("a.md: 31 words, at most 30: ")


@pytest.mark.parametrize("kind", plain_words.KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_text_can_be_held(kind: Callable[[], Iterator[tuple[str, str]]]) -> None:
    """A few texts of each are read here. `make lint` holds all of them to plain words."""
    counts = itertools.accumulate(plain_words.words(text) for _, text in kind())
    assert any(count > 1000 for count in counts)


def test_docstrings_of_attributes_and_comments_are_held_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "a.py").write_text('"""Whoever."""\nA = 1  # whatever\n"""Wherever."""\n')
    monkeypatch.setattr(plain_words, "ROOT", tmp_path)
    (found,) = plain_words.docstrings_of("package")()
    assert found == ("package/a.py", "Whoever.\n\nWherever.\n\nwhatever")
