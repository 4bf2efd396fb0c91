"""Plays from a CSV file: one row a play and a player. Rows with the same play are one play.

The heads are guessed in English, German, French, Spanish, Portuguese, Italian, Dutch and Japanese, and can be named by
the user.
"""

from __future__ import annotations

import csv
import io
import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from events.folding import searched
from service.exchange.incoming.days import day_first, moment_of
from service.exchange.incoming.numbers import guessed_decimal
from service.exchange.incoming.plays import (
    BadFileError,
    BadPlayError,
    IncomingPlay,
    Result,
    Unread,
    one_line,
    rank_of,
    score_of,
)
from service.exchange.spreadsheets import FORMULAS

if TYPE_CHECKING:
    from _csv import Reader
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from service.exchange.incoming.numbers import Decimal

csv.field_size_limit(2**31 - 1)  # the file has a limit; a cell that is too long spoils its own play alone

SOURCE = "csv"

GUESSES = {
    "play": ("play", "play id", "game id", "id", "uuid", "partie", "partida", "partita", "プレイ"),
    "game": (
        *("game name", "name", "game", "title", "spiel", "titel", "jeu", "nom du jeu", "titre", "juego", "titulo"),
        *(
            "nombre del juego",
            "jogo",
            "nome do jogo",
            "gioco",
            "nome del gioco",
            "titolo",
            "spel",
            "ゲーム",
            "ゲーム名",
        ),
    ),
    "date": (
        *("played at", "date", "day", "played", "datum", "tag", "jour", "joue le", "fecha", "dia", "data", "giorno"),
        *("dag", "日付", "プレイ日", "日時"),
    ),
    "place": (
        *(
            "place",
            "location",
            "ort",
            "lieu",
            "endroit",
            "lugar",
            "sitio",
            "local",
            "luogo",
            "plaats",
            "locatie",
            "場所",
        ),
    ),
    "player": (
        *("player name", "player", "spieler", "spielerin", "person", "joueur", "joueuse", "nom du joueur", "jugador"),
        *("jugadora", "jogador", "jogadora", "giocatore", "giocatrice", "speler", "プレイヤー", "プレーヤー", "名前"),
    ),
    "points": (
        *(
            "points",
            "score",
            "punkte",
            "punktzahl",
            "puntos",
            "puntuacion",
            "pontos",
            "pontuacao",
            "punti",
            "punteggio",
        ),
        *("punten", "得点", "点数", "スコア"),
    ),
    "rank": (
        *("rank", "position", "platz", "rang", "classement", "puesto", "posicion", "posicao", "posizione", "順位"),
    ),
    "won": (
        *("won", "win", "winner", "sieger", "gewonnen", "gagne", "gagnant", "vainqueur", "victoire", "gano", "ganador"),
        *("victoria", "venceu", "ganhou", "vencedor", "vitoria", "vinto", "vincitore", "vittoria", "winnaar"),
        *("勝ち", "勝者", "勝敗"),
    ),
    "comment": (
        *("comment", "comments", "note", "notes", "kommentar", "bemerkung", "commentaire", "commentaires", "remarque"),
        *("comentario", "comentarios", "nota", "notas", "commento", "commenti", "opmerking", "コメント", "メモ"),
    ),
}
"""What a play is made of, and the heads that say it, without accents, in the order in which they are looked for."""

NEEDED = ("game", "player")
"""What no play can do without."""

MOST_COLUMNS = 500
MOST_ROWS = 500_000
MOST_CELLS = 100 * MOST_COLUMNS
"""Cells of a line, which is taken apart before anybody looks at it. A text can hold what separates cells, too."""

_Row = tuple[str, ...]
"""What a row says of the parts of a play, in the order of `GUESSES`."""
_PLACES = {part: at for at, part in enumerate(GUESSES)}

YES = {
    "1",
    "yes",
    "y",
    "true",
    "x",
    "ja",
    "wahr",
    "oui",
    "vrai",
    "si",
    "sim",
    "won",
    "win",
    "はい",
    "勝ち",
    "○",
    "◯",
    "✓",
}
NO = {"", "0", "no", "n", "false", "nein", "falsch", "non", "faux", "nao", "nee", "lost", "loss", "いいえ", "負け", "×"}
"""What cells say without accents."""
_SEPARATOR = re.compile('"?sep=([,;|\t])"?', re.IGNORECASE)
_QUOTED = re.compile('"[^"]*"')
_SIGNS = re.compile(rb"([\x81-\x9f][\x40-\x7e\x80-\xfc])|[\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\xa1-\xdf]")
"""A sign of Shift_JIS beyond ASCII. Kana and usual characters are of the group; western letters are read as others."""
SAMPLE = 1 << 20
"""Bytes of a file that tell how it is encoded."""


def decoded(content: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 with its mark, or what spreadsheets write. Raises `BadFileError`."""
    return content.decode(_encoding(content))


def _encoding(content: bytes) -> str:
    """How a file is encoded: UTF-8, or what Japanese and western spreadsheets write. UTF-16 says so by its mark.

    Western letters stand alone, so that no Japanese encoding has them in this order. Raises `BadFileError`.
    """
    others = ("cp932", "euc_jp", "cp1252") if _is_shift_jis(content) else ("euc_jp", "cp1252", "cp932")
    for encoding in ("utf-16",) if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else ("utf-8-sig", *others):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return encoding
    raise BadFileError("its letters are neither in UTF-8 nor in UTF-16, Shift_JIS or Windows-1252")


def _is_shift_jis(content: bytes) -> bool:
    """Whether bytes beyond ASCII are rather kana and usual characters than western letters."""
    found = [sign[1] is not None for sign in _SIGNS.finditer(content[:SAMPLE])]
    return 2 * sum(found) > len(found)


def guess(heads: Sequence[str], named: Mapping[str, str]) -> dict[str, str]:
    """The head for each part of a play: what is `named`, or else a guess. Raises `BadFileError`."""
    found = dict[str, str]()
    for part, head in named.items():
        if part not in GUESSES:
            raise BadFileError(f"columns: there is no {one_line(part, 40)}; a play has {', '.join(GUESSES)}")
        if head not in heads:
            raise BadFileError(f"columns: no column is called {one_line(head, 80)!r}")
        found[part] = head
    plain = {searched(head).replace("_", " ").strip(): head for head in reversed(heads)}
    for part, words in GUESSES.items():
        guessed = next((plain[word] for word in words if word in plain and plain[word] not in found.values()), None)
        if part not in found and guessed:
            found[part] = guessed
    if missing := [part for part in NEEDED if part not in found]:
        raise BadFileError(f"no column says the {' or the '.join(missing)}; name one, as in {missing[0]}=Title")
    return {part: found[part] for part in GUESSES if part in found}


class CsvPlays:
    """The plays of a CSV file. `columns` says which head stands for which part of a play.

    The file is read anew for each look, row by row. Without a column for the play, the rows of one play alone are held.
    """

    def __init__(self, content: bytes, named: Mapping[str, str]) -> None:
        """Read the heads. Raises `BadFileError`."""
        self._content, self._encoded = content, _encoding(content)
        self._head, self._delimiter = _head_and_delimiter(self._lines())
        heads = next_row(self._reader(), self._head)
        if heads is None:
            raise BadFileError("the table is empty")
        if len(heads) > MOST_COLUMNS:
            raise BadFileError(f"it has {len(heads):,} columns; {MOST_COLUMNS} are taken at most")
        told = [one_line(head) for head in heads]
        self.columns = guess(told, named)
        at = {head: number for number, head in reversed([*enumerate(told)])}
        self._at = [at[self.columns[part]] if part in self.columns else MOST_COLUMNS for part in GUESSES]
        self._day_first: bool | None = None
        self._decimal: Decimal = "point"

    def __iter__(self) -> Iterator[Unread]:
        """The plays, in the order of their first rows. Raises `BadFileError` for what is no CSV."""
        self._day_first = day_first(_cell(row, "date") for row in self._rows())
        self._decimal = guessed_decimal(_cell(row, "points") for row in self._rows())
        seen = dict[str, int]()
        for rows in self._scattered() if "play" in self.columns else self._adjacent():
            key = _key(rows[0])
            seen[key] = seen.get(key, 0) + 1
            own = key if seen[key] == 1 else f"{key}/{seen[key]}"
            yield Unread(own, partial(self._play, rows, own))

    def _scattered(self) -> Iterator[list[_Row]]:
        """The rows of each play, by the column for it: they can stand anywhere."""
        plays = dict[str, list[_Row]]()
        for row in self._rows():
            plays.setdefault(_key(row), []).append(row)
        yield from plays.values()

    def _adjacent(self) -> Iterator[list[_Row]]:
        """The rows of each play, one after the other. A player who comes again begins the next play."""
        rows, seated = list[_Row](), set[str]()
        for row in self._rows():
            player = _cell(row, "player")
            if rows and (_key(row) != _key(rows[0]) or (player and player in seated)):
                yield rows
                rows, seated = [], set()
            rows.append(row)
            seated.add(player)
        if rows:
            yield rows

    def _rows(self) -> Iterator[_Row]:
        """The rows with anything in them. Raises `BadFileError`."""
        reader = self._reader()
        next_row(reader)
        count = 0
        while (cells := next_row(reader, self._head)) is not None:
            count += 1
            if count > MOST_ROWS:
                raise BadFileError(f"it has more than {MOST_ROWS:,} rows; import it in several files")
            if any(map(str.strip, cells)):
                yield tuple(unguarded(cells[at]).strip() if at < len(cells) else "" for at in self._at)

    def _reader(self) -> Reader:
        return csv.reader(self._checked_lines(), delimiter=self._delimiter, strict=True)

    def _checked_lines(self) -> Iterator[str]:
        """The lines of the file. Raises `BadFileError` for one with too many cells."""
        for number, line in enumerate(islice(self._lines(), self._head, None), self._head + 1):
            if (cells := line.count(self._delimiter) + 1) > MOST_CELLS:
                raise BadFileError(f"line {number} has {cells:,} columns; {MOST_COLUMNS} are taken at most")
            yield line

    def _lines(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(self._content), self._encoded, newline="")

    def _play(self, rows: Sequence[_Row], key: str) -> IncomingPlay:
        first = rows[0]
        if not (game := one_line(_cell(first, "game"))):
            raise BadPlayError("game: the row does not say what was played")
        return IncomingPlay(
            source=SOURCE,
            key=key,
            game=game,
            results=tuple(map(self._result, rows)),
            played_at=moment_of(_cell(first, "date"), day_first=self._day_first),
            place=one_line(_cell(first, "place")),
            comment=_cell(first, "comment"),
        )

    def _result(self, row: _Row) -> Result:
        told, place, won = (_cell(row, part) for part in ("points", "rank", "won"))
        points, more = score_of(told, self._decimal)
        rank, odd = rank_of(place)
        return Result(
            name=one_line(_cell(row, "player")) or None,
            points=points,
            rank=rank,
            won=_yes(won) if "won" in self.columns else None,
            more=one_line(", ".join((*more, *odd))),
        )


def _key(row: _Row) -> str:
    parts = ("play",) if _cell(row, "play") else ("date", "game", "place")
    return ", ".join(cell for part in parts if (cell := _cell(row, part)))[:400]


def _cell(row: _Row, part: str) -> str:
    return row[_PLACES[part]]


def _yes(text: str) -> bool:
    """Whether a cell says yes. Raises `BadPlayError`."""
    said = searched(text).strip()
    if said in YES:
        return True
    if said in NO:
        return False
    raise BadPlayError(f"won: {text[:20]!r} is neither yes nor no")


def _head_and_delimiter(lines: Iterable[str]) -> tuple[int, str]:
    """How many lines stand before the heads, and what separates cells: what is in them most, outside of quotes.

    Empty lines can stand there, and `sep=;`, which spreadsheets read and write.
    """
    said = None
    for before, line in enumerate(lines):
        if found := _SEPARATOR.fullmatch(line.strip("\r\n")):
            said = found[1]
        elif line.strip("\r\n,;\t| "):
            return before, said or max(",;\t|", key=_QUOTED.sub("", line).count)
    raise BadFileError("the table is empty")


def next_row(rows: Reader, before: int = 0) -> list[str] | None:
    """The next row of a CSV file; None at its end. So many lines stand `before` the rows. Raises `BadFileError`."""
    line = before + rows.line_num + 1
    try:
        return next(islice(rows, 1), None)
    except csv.Error as error:
        if str(error) == "unexpected end of data":
            raise BadFileError(f"it is no CSV: a quotation mark in the row of line {line} is never closed") from None
        raise BadFileError(f"it is no CSV: line {line}: {error}") from None


def unguarded(cell: str) -> str:
    """A cell without the apostrophe that keeps spreadsheets from running it."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULAS) else cell
