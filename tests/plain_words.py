"""Plain words: checks the English that people read. `make lint` runs it (`python -m tests.plain_words`).

Readers in Tokyo and Porto read English as a second language. So sentences are short, and words such as "whoever" and
"of which" are rare. To hold the docstrings of another package to this, add it to `PACKAGES`. `--all` measures all.
"""

from __future__ import annotations

import ast
import functools
import inspect
import io
import re
import subprocess
import sys
import tokenize
from typing import TYPE_CHECKING

import click

from service.languages.po import Catalog
from tests.documents import ROOT, TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RIDDLES = re.compile(
    r"\b(?:whoever|whomever|whatever|whichever|wherever|whose|(?:of|by|from|for|with) (?:which|whom))\b", re.IGNORECASE
)
"""Words that make a sentence hard to read."""
RIDDLES_PER_1000 = 0.5
"""The most riddling words in 1,000 words. The documents of Flask, Datasette and python-chess have 0.0 to 0.2."""
LONGEST = 30
"""The most words of a sentence."""

BASE = "6549bae28c4e"
"""The last commit before subjects were checked."""
SUBJECT = 72
"""The most characters of a commit's subject."""
_VERBS = """
Accept Add Adopt Align Allow Answer Apply Ask Avoid Benchmark Bound Bring Build Bump Cache Call Cancel Catch Chain
Change Check Clarify Clean Clear Close Collect Combine Compare Complete Compress Compute Convert Copy Correct Count
Cover Create Cut Declare Defer Define Delete Deny Describe Detect Disable Document Drop Enable End Ensure Enter
Erase Escape Expect Explain Export Expose Extend Extract Fetch Fill Find Fix Flag Fold Follow Forbid Format Generate
Give Grant Group Guard Handle Hide Hold Ignore Implement Import Improve Include Index Initialise Inline Insert
Introduce Invite Isolate Join Judge Keep Let Limit Link List Load Localise Lock Log Make Mark Match Measure Mend
Merge Migrate Move Name Narrow Note Number Offer Open Optimise Order Parse Pass Pin Play Prefer Prepare Preserve
Prevent Print Promote Protect Prove Publish Purge Put Query Queue Raise Rank Reach Read Rebuild Recheck Recognise
Record Recover Redact Redirect Reduce Refactor Refresh Refuse Regenerate Reject Release Reload Remove Rename Render
Renew Reorder Repair Replace Report Require Reset Resolve Respect Restart Restore Restrict Resume Retry Return Reuse
Revert Reword Rewrite Rotate Round Run Save Say Scale Scan Scope Seal Search Secure Select Send Separate Serve Set
Settle Share Shed Shorten Show Sign Simplify Skip Sort Speed Split Start Step Stop Store Stream Strip Support Swap
Switch Sync Tag Take Test Thin Throttle Tidy Tighten Time Trace Track Translate Treat Trim Trust Tune Turn Type Undo
Unify Unseal Upcast Update Upgrade Use Vacuum Validate Vary Verify View Wait Warn Watch Withdraw Wrap Write
"""
VERBS = frozenset(_VERBS.split())
"""The verbs that a commit's subject may begin with. A verb that is missing can be added."""

_PLACE = re.compile(r"%\(\w+\)s|\{\w+\}")
"""A place in a message for a value. Readers never see its name."""
_CODE = re.compile(r"^ *(```|~~~).*?^ *\1", re.DOTALL | re.MULTILINE)
_SESSION = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)
"""A session of Python in a docstring."""
_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
"""A comment in JavaScript."""
_TAGS = re.compile(r"@(?:typedef|template|type|param|returns|extends)\b.*", re.DOTALL)
"""The types at the end of a comment in JavaScript."""
_STAR = re.compile(r"^ *(?:/\*+|\*/|\*|//) ?|\*/$")
"""The frame of a line of a comment in JavaScript."""
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_BLOCK = re.compile(r"^#+ .*$|^ *(?:[*+-]|\d+\.) ", re.MULTILINE)
_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?][\"”’)*_]*(?=\s|$)|:\s*$")
_WORD = re.compile(r"[^\W_][\w'’.,/-]*")


def prose(markdown: str) -> list[str]:
    """The paragraphs, list items and headings of a Markdown text, without code and tables."""
    text = _CODE.sub("", markdown)
    text = re.sub(r"^ *\|.*$", "", text, flags=re.MULTILINE)
    text = _LINK.sub(r"\1", re.sub(r"`[^`]+`", "code", text))
    text = _BLOCK.sub(lambda found: f"\n\n{found[0].strip('#*+- ')}\n\n" if found[0].startswith("#") else "\n\n", text)
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]


def sentences(markdown: str) -> list[str]:
    """The sentences of a Markdown text."""
    found = (re.sub(_END, "\0", paragraph).split("\0") for paragraph in prose(markdown))
    return [sentence.strip() for parts in found for sentence in parts if sentence.strip()]


def words(text: str) -> int:
    """The number of words of a text."""
    return len(_WORD.findall(text))


def long_sentences(markdown: str) -> list[str]:
    """The sentences with more than `LONGEST` words."""
    return [sentence for sentence in sentences(markdown) if words(sentence) > LONGEST]


def riddles(text: str) -> list[str]:
    """The riddling words of a text."""
    return RIDDLES.findall(text)


def bad_subject(subject: str) -> str | None:
    """The fault of a commit's subject; None for a good one."""
    verb, _, thing = subject.partition(" ")
    if verb not in VERBS or not thing:
        return "begin with a verb and a thing, such as “Fix …” (VERBS in tests/plain_words.py lists the verbs)"
    if len(subject) > SUBJECT:
        return f"{len(subject)} characters, at most {SUBJECT}"
    return "use plain words" if riddles(subject) else None


def documents() -> Iterator[tuple[str, str]]:
    """README, CONTRIBUTING and the documents, by name."""
    yield from TEXTS.items()


def changelog() -> Iterator[tuple[str, str]]:
    """The changelog."""
    yield "CHANGELOG.md", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def messages() -> Iterator[tuple[str, str]]:
    """The English texts of the pages, the API and the commands, from the catalogues."""
    for path in [*ROOT.glob("service/languages/ja/**/*.po"), *ROOT.glob("games/**/words.ja.po")]:
        messages = Catalog(path.read_text(encoding="utf-8")).messages
        found = [f"{each.id} {each.more}" if each.more else each.id for each in messages]
        yield path.relative_to(ROOT).as_posix(), _PLACE.sub("X", "\n\n".join(found))


def rules() -> Iterator[tuple[str, str]]:
    """The rules of the games, in English, and those of the examples."""
    for path in sorted(
        {
            *ROOT.glob("games/*/RULES.md"),
            *ROOT.glob("examples/**/RULES.md"),
            *ROOT.glob("service/cli/skeleton/**/RULES.md.txt"),
        }
    ):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


@functools.cache
def _said_in(source: str) -> str:
    """All docstrings of a module, even of attributes, and its comments."""
    said = [
        _SESSION.sub("", inspect.cleandoc(node.value.value))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n\n".join([*said, *(each.string.lstrip("#! ") for each in tokens if each.type == tokenize.COMMENT)])


def docstrings_of(package: str) -> Callable[[], Iterator[tuple[str, str]]]:
    """The docstrings and comments of a package, as a kind of text."""

    def docstrings() -> Iterator[tuple[str, str]]:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(NOT_YET):
                yield name, _said_in(path.read_text(encoding="utf-8"))

    docstrings.__name__ = f"docstrings of {package}"
    return docstrings


def riddling_names(source: str) -> list[str]:
    """The names of functions and classes in a module that are riddles."""
    named = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return [node.name for node in named if riddles(node.name.replace("_", " "))]


def page_comments() -> Iterator[tuple[str, str]]:
    """The comments of the code of pages."""
    for path in sorted(ROOT.glob("service/pages/static/js/**/*.js")):
        found = _COMMENT.findall(path.read_text(encoding="utf-8"))
        lines = ([_STAR.sub("", line) for line in _TAGS.sub("", block).splitlines()] for block in found)
        yield path.relative_to(ROOT).as_posix(), "\n\n".join("\n".join(block) for block in lines)


PACKAGES = ("events", "games", "projections", "workers", "service", "benchmarks", "tests")
"""The packages whose docstrings must have plain words and short sentences. Add a package when it is clean."""
NOT_YET = ("games/scoresheet/",)
"""Parts of packages that are not checked yet."""
DOCSTRINGS = tuple(map(docstrings_of, PACKAGES))

HELD: tuple[Callable[[], Iterator[tuple[str, str]]], ...] = (
    documents,
    changelog,
    rules,
    messages,
    page_comments,
    *DOCSTRINGS,
)
"""The kinds of text that must have few riddling words."""
SHORT: tuple[Callable[[], Iterator[tuple[str, str]]], ...] = (documents, rules, page_comments, *DOCSTRINGS)
"""The kinds of text that must have short sentences."""
KINDS = (documents, changelog, rules, messages, page_comments, *DOCSTRINGS)


def faults() -> Iterator[str]:
    """Every fault in the checked texts."""
    for kind in HELD:
        texts = dict(kind())
        found = [(name, riddle) for name, text in texts.items() for riddle in riddles("\n".join(prose(text)))]
        total = sum(words(paragraph) for text in texts.values() for paragraph in prose(text))
        if len(found) * 1000 > total * RIDDLES_PER_1000:
            yield f"{kind.__name__}: {len(found)} words like “whoever” in {total}, more than {RIDDLES_PER_1000} in 1000"
            yield from (f"  {name}: {riddle}" for name, riddle in found)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for name in riddling_names(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(ROOT).as_posix()}: {name}: use plain words"
    for kind in SHORT:
        for name, text in kind():
            yield from (f"{name}: {words(each)} words, at most {LONGEST}: {each}" for each in long_sentences(text))


def subjects() -> list[str]:
    """The subjects of the commits since `BASE`; none without the history."""
    command = ["git", "log", "--no-merges", "--format=%s", f"{BASE}..HEAD"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def measured() -> Iterator[str]:
    """The figures of every kind of text."""
    for kind in KINDS:
        texts = [text for _, text in kind()]
        paragraphs = [paragraph for text in texts for paragraph in prose(text)]
        total, found = sum(map(words, paragraphs)), sum(len(riddles(paragraph)) for paragraph in paragraphs)
        lengths = sorted(words(sentence) for text in texts for sentence in sentences(text))
        yield (
            f"{kind.__name__:25} {total:6} words, {1000 * found / total:.1f} riddles in 1,000; "
            f"9 of 10 sentences have at most {lengths[len(lengths) * 9 // 10]} words, the longest {lengths[-1]}"
        )


def main() -> None:
    """Print all faults, and fail if there are any. With `--all`, print the figures."""
    if "--all" in sys.argv:
        click.echo("\n".join(measured()))
        return
    complaints = [*faults(), *(f"{each}: {why}" for each in subjects() if (why := bad_subject(each)))]
    click.echo("\n".join(complaints) or "The words are plain.")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
