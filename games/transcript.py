"""A whole game as text, for any ruleset: headers as in PGN, then one move per line in the ruleset's notation.

    [Ruleset "kahuna"]
    [Black "Aiko"]
    [Result "Black"]

    deal black BARI COCO DUDA
    BARI-DUDA
    + ! white drew before black was done
    ; breaks kahuna:SET-2
    ; a comment belongs to the move above it
    ; "one that could be misread:\\nhere two lines"
    ; bookmark: the turning point
    * points seat=White points=-1 + turn seat=Black ! a card was looked at
    * ! from here on nobody talks
    #6
    #revoke #6 ! nobody heard it

`!` and a reason mark a move that broke a rule and stands anyway. `breaks` names the rules for readers; a replay finds
them again. `*` begins a ruling: its adjustments, if any, and after `!` its reason. `#` and a word begin any other entry
of a record, and `#` with a number names the entry above: see `games.transcript_lines`. Comments, reasons and moves that
would be misread are written as JSON strings. A text can hold many games.
"""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from games import adjustments
from games.contract import JSON, Adjustment, Effect, Move, State, option_text
from games.errors import BadOpeningError, NotationError, RulesetError, TranscriptError
from games.rulebook import CITATION
from games.transcript_lines import (
    CORRECTIONS,
    HASH,
    Name,
    decoded,
    quoted,
    read_line,
    read_name,
    write_line,
    write_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.contract import Outcome, Ruleset


LONGEST_LINE = 1 << 18
"""The most characters of a line: more than components in a header can have."""

_TAG = re.compile(r'^\[(?P<name>[A-Za-z][\w.]*) "(?P<value>(?:[^"\\]|\\["\\])*)"\]$')
_ESCAPED = re.compile(r'(["\\])')
_UNESCAPED = re.compile(r'\\(["\\])')
_NUMBER = re.compile("[1-9][0-9]{0,14}")
_OPTION = "Option."
_RULING = "*"
_BREAKS = "breaks "
_BROKEN = re.compile(f"{_BREAKS}{CITATION}(, {CITATION})*")
_BOOKMARK = "bookmark"
_LINE_END = re.compile(r"\r\n|\r|\n")
_PART = re.compile(rf"(?P<blanks>\s{{1,{LONGEST_LINE}}})|\S[^\r\n]{{0,{LONGEST_LINE}}}")
"""The next line that is not blank, or the blanks before it. Each match is short, so that other threads can run."""
_NOTATION = re.compile(r'(?:"[^"]*"|[^!;])*')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


class Comment(msgspec.Struct, frozen=True):
    """A note about the game or a move; a `bookmark` marks the moment."""

    text: str
    bookmark: bool = False


class WrittenEntry(msgspec.Struct, frozen=True):
    """One written move, its reason if it broke a rule, and the comments below it, at `line`.

    `broken` are the rules that the text names as broken. For a `ruling` the text holds its adjustments, and there is
    always a reason. An entry that is neither has a `word` for its kind, and further `words`. Other entries refer to the
    entry by its `name`.
    """

    text: str
    reason: str | None = None
    comments: tuple[Comment, ...] = ()
    line: int = 0
    ruling: bool = False
    broken: tuple[str, ...] = ()
    word: str = ""
    words: tuple[str, ...] = ()
    name: Name | None = None


class Transcript(msgspec.Struct, frozen=True):
    """A game's headers in order, the comments before its first entry, and its entries. `line` is its first line."""

    tags: dict[str, str]
    entries: tuple[WrittenEntry, ...] = ()
    comments: tuple[Comment, ...] = ()
    line: int = 1


class Opening(msgspec.Struct, frozen=True):
    """The opening of a game."""

    options: dict[str, bool | int | str] = {}
    components: JSON | None = None
    seats: int = 2
    revision: int | None = None
    """The revision of its rules; None for the newest."""


class TranscriptStep(msgspec.Struct, frozen=True, kw_only=True):
    """A move, with its reason if it broke a rule; or, without a move, a ruling with its reason."""

    move: Move | None = None
    adjustments: tuple[Adjustment, ...] = ()
    reason: str | None = None


class Replayed(TranscriptStep, frozen=True, kw_only=True):
    """An entry after it was applied: the step, its broken rules and effects, and the state that all entries share."""

    entry: WrittenEntry
    broken: tuple[str, ...]
    effects: list[Effect]
    state: Any


# Reading


def read(text: str, most: int | None = None) -> Iterator[Transcript]:
    """Read the games of a text, one after the other. Each may have at `most` this number of entries and comments.

    Raises `TranscriptError`.
    """
    game = _Draft(most)
    for number, line in _written_lines(text.removeprefix("\ufeff")):
        if line.startswith("["):
            if game.entries:
                yield game.finish()
                game = _Draft(most)
            game.tag(line, number)
        else:
            game.add(line, number)
    if game.tags:
        yield game.finish()


def _written_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers. Raises `TranscriptError` for a line that is too long."""
    number = 1
    for part in _PART.finditer(text):
        start, end = part.span()
        if part["blanks"]:
            number += text.count("\n", start, end) + text.count("\r", start, end)
            number -= text.count("\r\n", max(start - 1, 0), end)
        elif end - start > LONGEST_LINE:
            raise TranscriptError(number, f"a line has at most {LONGEST_LINE} characters")
        else:
            yield number, part[0].rstrip()


def lines_of(text: str) -> list[str]:
    """The lines of a text as `read` counts them. Other line breaks of Unicode may be part of a title or a note."""
    return _LINE_END.split(text.removeprefix("\ufeff"))


class _Draft:
    """A transcript while it is being read."""

    def __init__(self, most: int | None) -> None:
        self.tags: dict[str, str] = {}
        self.entries: list[WrittenEntry] = []
        self.line = 0
        self._comments: dict[int, list[Comment]] = defaultdict(list)
        """The comments by the number of the entry above them, 0 before all entries."""
        self._most, self._count = most, 0
        self._names: set[int] = set()

    def tag(self, line: str, number: int) -> None:
        found = _TAG.match(line)
        if not found:
            raise TranscriptError(number, f'a header is written [Name "value"], not {line}')
        if found["name"] in self.tags:
            raise TranscriptError(number, f"{found['name']} stands here twice")
        self.line = self.line or number
        self.tags[found["name"]] = _UNESCAPED.sub(r"\1", found["value"])

    def add(self, line: str, number: int) -> None:
        if not self.tags:
            raise TranscriptError(number, 'a game begins with its headers: [Ruleset "name"]')
        if line.startswith(HASH) and (name := read_name(line, number)):
            self._name(name, number)
            return
        self._count += 1
        if self._most is not None and self._count > self._most:
            raise TranscriptError(number, f"a game has at most {self._most} moves, rulings and comments")
        start, word, words = read_line(line, number) if line.startswith(HASH) else (0, "", ())
        found = _NOTATION.match(line, start)
        text = found[0] if found else ""
        why, comment = _after(line[start + len(text) :], number)
        ruling = text.startswith(_RULING) and not word
        if ruling and why is None:
            raise TranscriptError(number, "a ruling needs a reason: write ! and the reason after it")
        if ruling or word or text.strip():
            text = decoded(text.removeprefix(_RULING).strip() if ruling else text.strip(), number)
            self.entries.append(WrittenEntry(text, why, (), number, ruling, word=word, words=words))
        elif why is not None:
            raise TranscriptError(number, "write a move, or * and a ruling, before !")
        if comment is not None:
            self._comment(comment)

    def _name(self, name: Name, number: int) -> None:
        if not self.entries:
            raise TranscriptError(number, f"{HASH}{name.number} names the entry above it, and there is none")
        if name.number in self._names or name.number == 1:
            raise TranscriptError(number, f"{HASH}{name.number} is the name of an entry above")
        if self.entries[-1].name:
            raise TranscriptError(number, f"the entry above is {HASH}{self.entries[-1].name.number} already")
        self._names.add(name.number)
        self.entries[-1] = msgspec.structs.replace(self.entries[-1], name=name)

    def _comment(self, text: str) -> None:
        if self.entries and _BROKEN.fullmatch(text):
            broken = tuple(text.removeprefix(_BREAKS).split(", "))
            self.entries[-1] = msgspec.structs.replace(self.entries[-1], broken=broken)
        else:
            self._comments[len(self.entries)].append(_commented(text))

    def finish(self) -> Transcript:
        if "Ruleset" not in self.tags:
            raise TranscriptError(self.line, "the header Ruleset is missing")
        comments = {number: tuple(found) for number, found in self._comments.items()}
        entries = [
            msgspec.structs.replace(entry, comments=comments[number]) if number in comments else entry
            for number, entry in enumerate(self.entries, 1)
        ]
        return Transcript(self.tags, tuple(entries), comments.get(0, ()), self.line)


def _commented(text: str) -> Comment:
    """The text after a `;`."""
    word, sign, rest = text.partition(":")
    if word == _BOOKMARK and sign:
        return Comment(_unquoted(rest.strip()), bookmark=True)
    return Comment(_unquoted(text))


def _unquoted(text: str) -> str:
    """The text of a comment, which is a JSON string if all of it is one."""
    if _STRING.fullmatch(text):
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(text, type=str)
    return text


def _after(rest: str, number: int) -> tuple[str | None, str | None]:
    """The reason and the comment after the notation, if there are any."""
    mark, reason = rest[:1], rest[1:]
    if mark != "!":
        return None, reason.strip() if mark else None
    if reason.lstrip().startswith('"'):
        why, sign, comment = _quoted(reason, number)
    else:
        why, sign, comment = (part.strip() for part in reason.partition(";"))
    if not why:
        raise TranscriptError(number, "write the reason after !: why the move counts, or why the ruling was given")
    return why, comment.strip() if sign else None


def _quoted(text: str, number: int) -> tuple[str, str, str]:
    """A reason in a JSON string, and the comment after it."""
    text = text.lstrip()
    found = _STRING.match(text)
    rest = text[found.end() :].lstrip() if found else ""
    if not found or (rest and not rest.startswith(";")):
        raise TranscriptError(number, "the quotation marks around the reason do not match")
    try:
        return msgspec.json.decode(found[0], type=str), rest[:1], rest[1:]
    except msgspec.DecodeError as error:
        raise TranscriptError(number, f"the reason is no JSON string: {error}") from None


def opening(ruleset: Ruleset, transcript: Transcript) -> Opening:
    """The options, components, seats and revision of the headers. Raises `TranscriptError`, `BadOpeningError`."""
    tags = transcript.tags
    if tags["Ruleset"] != ruleset.name:
        raise TranscriptError(transcript.line, f"this is a game of {tags['Ruleset']}, not of {ruleset.name}")
    choices = {option.name: {option_text(choice): choice for choice in option.choices} for option in ruleset.options}
    options: dict[str, bool | int | str] = {}
    for tag, value in tags.items():
        name = tag.removeprefix(_OPTION)
        if tag.startswith(_OPTION):
            options[name] = choices.get(name, {}).get(value, value)
    try:
        components = msgspec.json.decode(tags["Components"], type=dict[str, Any]) if "Components" in tags else None
    except (ValueError, RecursionError) as error:
        raise TranscriptError(transcript.line, f"Components: they are not one object of JSON: {error}") from None
    seats = _number(transcript, "Seats", ruleset.seats.start)
    ruleset.check_seats(seats)
    revision = ruleset.effective_revision(_number(transcript, "Revision", 1)) if "Revision" in tags else None
    return Opening(options, components, seats, revision)


def _number(transcript: Transcript, tag: str, default: int) -> int:
    """The number in a header. Raises `TranscriptError`."""
    text = transcript.tags.get(tag, str(default))
    if not _NUMBER.fullmatch(text):
        raise TranscriptError(transcript.line, f"{tag}: {text[:20]!r} is not a number from 1 on")
    return int(text)


def replay(ruleset: Ruleset, transcript: Transcript) -> Iterator[Replayed]:
    """Play the game through, without entries about the record only.

    Raises `TranscriptError` for the first line that does not fit, with the cause, and for a correction.
    """
    try:
        game = opening(ruleset, transcript)
        state = ruleset.open(game.options, game.components, game.seats, game.revision)
    except BadOpeningError as error:
        raise TranscriptError(transcript.line, str(error), error) from error
    for entry in transcript.entries:
        if entry.word in CORRECTIONS:
            raise TranscriptError(entry.line, f"{HASH}{entry.word} corrects a record: only an import carries it out")
        if entry.word:
            continue
        try:
            yield _play(ruleset, state, entry)
        except RulesetError as error:
            why = f"{error.why}, at character {error.at + 1}" if isinstance(error, NotationError) else str(error)
            raise TranscriptError(entry.line, f"{entry.text}: {why}", error) from error


def _play(ruleset: Ruleset, state: State, entry: WrittenEntry) -> Replayed:
    broken = []
    if entry.ruling:
        step = TranscriptStep(adjustments=adjustments.parse_all(ruleset, entry.text), reason=entry.reason)
    else:
        step = TranscriptStep(move=(move := state.parse(entry.text)), reason=entry.reason)
        broken = list(state.breaches(move))
    if broken and entry.reason is None:
        raise broken[0]
    effects = _execute(state, step)
    return Replayed(
        move=step.move,
        adjustments=step.adjustments,
        reason=step.reason,
        entry=entry,
        broken=tuple(breach.rule for breach in broken),
        effects=effects,
        state=state,
    )


def _execute(state: State, step: TranscriptStep) -> list[Effect]:
    return state.adjust(step.adjustments) if step.move is None else state.apply(step.move)


# Writing


def write(transcript: Transcript) -> str:
    """The transcript as text, which `read` reads back."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in transcript.tags.items()]
    lines += ["", *_comments(transcript.comments)]
    for entry in transcript.entries:
        text = _text(entry)
        lines += [text if entry.reason is None else f"{text} ! {_reason(entry.reason)}"]
        lines += [write_name(entry.name)] if entry.name else []
        lines += [f"; {_BREAKS}{', '.join(entry.broken)}"] if entry.broken else []
        lines += _comments(entry.comments)
    return "\n".join(lines) + "\n"


def _text(entry: WrittenEntry) -> str:
    """An entry without its reason. Notation that would be misread is a JSON string."""
    if entry.word:
        return write_line(entry.word, entry.words, _notation(entry.text))
    if entry.ruling:
        return f"{_RULING} {_notation(entry.text)}".rstrip()
    return quoted(entry.text) if entry.text[:1] in {"[", HASH, _RULING} else _notation(entry.text)


def _notation(text: str) -> str:
    plain = text == text.strip() and _NOTATION.fullmatch(text) and not _STRING.fullmatch(text)
    return text if plain else quoted(text)


def _escaped(value: str) -> str:
    return _ESCAPED.sub(r"\\\1", _LINE_END.sub(" ", value))


def _comments(comments: Sequence[Comment]) -> list[str]:
    return [_comment(comment) for comment in comments]


def _comment(comment: Comment) -> str:
    """A comment, with its text as a JSON string if it would be misread."""
    before = f"; {_BOOKMARK}:" if comment.bookmark else ";"
    plain = f"{before} {comment.text}".rstrip()
    read = plain.removeprefix(";").strip()
    same = not _LINE_END.search(plain) and not _BROKEN.fullmatch(read) and _commented(read) == comment
    return plain if same else f"{before} {_string(comment.text)}"


def _reason(reason: str) -> str:
    """A reason, as a JSON string if it could be misread."""
    plain = reason == reason.strip() and reason and not re.search(r'[;"\r\n]', reason)
    return reason if plain else _string(reason)


def _string(text: str) -> str:
    return msgspec.json.encode(text).decode()


def tags(
    ruleset: Ruleset, game: Opening, players: Mapping[int, str], outcome: Outcome | None, **others: str
) -> dict[str, str]:
    """The headers of a game in their order: its opening, `others`, the players by seat, the result."""
    found = {"Ruleset": ruleset.name, "Revision": str(game.revision or ruleset.revision), "Seats": str(game.seats)}
    found |= {f"{_OPTION}{name}": option_text(value) for name, value in game.options.items()}
    if game.components is not None:
        found["Components"] = msgspec.json.encode(game.components).decode()
    found |= others
    found |= {ruleset.seat_tag(seat): players.get(seat, "?") for seat in range(game.seats)}
    found["Result"] = result(ruleset, outcome)
    if outcome:
        found["Termination"] = outcome.reason
    return found


def result(ruleset: Ruleset, outcome: Outcome | None) -> str:
    """The winners' seats by name, `draw`, `nobody`, or `*` for a game that goes on."""
    if outcome is None:
        return "*"
    if not outcome.winners:
        return "nobody"
    if outcome.is_draw:
        return "draw"
    return ", ".join(ruleset.seat_tag(seat) for seat in outcome.winners)


def transcribe(ruleset: Ruleset, game: Opening, steps: Iterable[TranscriptStep]) -> tuple[WrittenEntry, ...]:
    """Moves and rulings as entries in notation."""
    state = ruleset.open(game.options, game.components, game.seats, game.revision)
    entries = []
    for step in steps:
        if step.move is None:
            entries.append(WrittenEntry(adjustments.write_all(ruleset, step.adjustments), step.reason, ruling=True))
        else:
            broken = tuple(dict.fromkeys(breach.rule for breach in state.breaches(step.move)))
            entries.append(WrittenEntry(state.notation(step.move), step.reason, broken=broken))
        _execute(state, step)
    return tuple(entries)
