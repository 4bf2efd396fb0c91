"""Plays from a CSV file: one row per play and player, or one row per play. Rows with the same play id are one play.

In a file with one row per play, the heads of players are numbered or repeated: *Player 1*, *Score 1*, *Player 2*,
*Score 2*. Or each person has a column of points with their name as its head. The heads are guessed in English, German,
French, Spanish, Portuguese, Italian, Dutch and Japanese, and the user can name them.
"""

from __future__ import annotations

import csv
import io
import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from events.folding import same_name, search_form
from service.exchange.incoming.days import day_first, parse_moment
from service.exchange.incoming.encodings import encoding_of
from service.exchange.incoming.numbers import guessed_decimal
from service.exchange.incoming.plays import (
    BadFileError,
    BadPlayError,
    IncomingPlay,
    Result,
    UnreadPlay,
    one_line,
    parse_points,
    parse_rank,
    parse_score,
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
        *("勝", "勝ち", "勝者", "勝敗", "勝利"),
    ),
    "comment": (
        *("comment", "comments", "note", "notes", "kommentar", "bemerkung", "commentaire", "commentaires", "remarque"),
        *("comentario", "comentarios", "nota", "notas", "commento", "commenti", "opmerking", "コメント", "メモ"),
    ),
}
"""The parts of a play, each with its possible heads, without accents, in order of preference."""

NEEDED = ("game", "player")
"""The required parts of a play."""

NUMBERED = (*GUESSES["player"], "p", "name", "nom", "nombre", "nome", "naam")
"""Heads of numbered players: *P1*, *Name 2*."""
OF_A_PLAYER = ("player", "points", "rank", "won")
"""The parts that every player of a play has."""

MOST_COLUMNS = 500
NOWHERE = 2 * MOST_COLUMNS
"""The index for a missing cell, also behind appended names."""
MOST_ROWS = 500_000
"""The most rows with one player each. A row with a whole play counts once per seat, including empty seats."""
MOST_CELLS = 100 * MOST_COLUMNS
"""The most cells of a line, checked before parsing. Quoted texts can contain the separator, too."""

_Row = tuple[str, ...]
"""The parts of a play in a row, in the order of `GUESSES`."""
_PLACES = {part: at for at, part in enumerate(GUESSES)}
BETWEEN_PEOPLE = "/"
"""The separator between the heads of several people, as in *player=Ada/Bob*."""
SUGGESTED = 12
"""The most columns that an error suggests as columns of people."""

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
    "勝",
    "勝ち",
    "○",
    "◯",
    "✓",
    "✔",
}
NO = {
    "",
    "0",
    "no",
    "n",
    "false",
    "nein",
    "falsch",
    "non",
    "faux",
    "nao",
    "nee",
    "lost",
    "loss",
    "いいえ",
    "負",
    "負け",
    "×",
    "●",
}
"""A text of a cell, without accents."""
_BETWEEN = re.compile(r"[\s_.#:()-]+")
_NUMBER = re.compile(r"(?<![0-9])[0-9]{1,2}(?![0-9])")
_NAMES = re.compile(r"\s*(?:[,;/&+、]|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b)\s*", re.IGNORECASE)
"""The separators between the names of several winners."""
_SEPARATOR = re.compile('"?sep=([,;|\t])"?', re.IGNORECASE)
_RULED = " \t:-"
"""The characters of a line below the heads, as in Markdown."""
_VALUE = re.compile("[-+0-9./:, ]*[0-9][-+0-9./:, ]*")
"""A day or a number, which cannot be a head."""
_QUOTED = re.compile('"[^"]*"')


class _Head(NamedTuple):
    """A head of a table: its words without accents and player number, and this number."""

    words: str
    number: int | None


def _parse_head(told: str) -> _Head:
    """Parse a head: *Player 1 score* and *score_1* both mean the score of player 1."""
    plain = _BETWEEN.sub(" ", search_form(told)).strip()
    found = _NUMBER.findall(plain)
    if len(found) != 1:
        return _Head(plain, None)
    words = " ".join(_NUMBER.sub(" ", plain).split())
    return _Head(_without_player(words), int(found[0]))


def _without_player(words: str) -> str:
    """The words of a numbered head without the word for the player: *score* for *player score* or *score player*."""
    first, _, after = words.partition(" ")
    before, _, last = words.rpartition(" ")
    for rest in (after if first in NUMBERED else "", before if last in NUMBERED else ""):
        if rest in NUMBERED:
            return GUESSES["player"][0]
        if any(rest in GUESSES[part] for part in OF_A_PLAYER):
            return rest
    return words


def guess_columns(heads: Sequence[str], named: Mapping[str, str]) -> dict[str, str]:
    """The head for each part of a play: `named` heads, or else guesses. Raises `BadFileError`."""
    found = dict[str, str]()
    for part, head in named.items():
        if part not in GUESSES:
            raise BadFileError(f"columns: there is no {one_line(part, 40)}; choose one of {', '.join(GUESSES)}")
        if head not in heads and not (part == "player" and split_people(head, heads)):
            raise BadFileError(f"columns: no column is called {one_line(head, 80)!r}")
        found[part] = head
    taken = {*found.values(), *split_people(found.get("player", ""), heads)}
    for part, heads_of_part in _guesses(heads).items():
        guessed = next((head for head in heads_of_part if head not in taken), None)
        if part not in found and guessed:
            found[part] = guessed
            taken.add(guessed)
    return {part: found[part] for part in GUESSES if part in found}


def split_people(named: str, heads: Sequence[str]) -> list[str]:
    """The heads of people given as one text, as *Ada/Bob*; empty for a single column. Raises `BadFileError`."""
    people, begun = list[str](), ""
    for piece in named.split(BETWEEN_PEOPLE) if named not in heads else ():
        begun = f"{begun}{BETWEEN_PEOPLE}{piece}".removeprefix(BETWEEN_PEOPLE)
        if begun.strip() in heads:
            people.append(begun.strip())
            begun = ""
    if begun or len(people) < 2:
        return []
    if twice := next((head for head in people if people.count(head) + heads.count(head) > 2), None):
        raise BadFileError(f"columns: {one_line(twice, 80)!r} is there twice; a person has one column")
    return people


def _refuse_missing(columns: Mapping[str, str], people: Sequence[str]) -> None:
    """Refuse a table without the game or the players. `people` lists columns that may be points of people."""
    missing = [part for part in NEEDED if part not in columns]
    if not missing:
        return
    why = f"no column says the {' or the '.join(missing)}; name one, as in {missing[0]}=Title"
    if "player" not in missing or not 2 <= len(people) <= SUGGESTED:
        raise BadFileError(why)
    raise BadFileError(f"{why}. If each person has a column of points, name these: player={'/'.join(people)}")


def _guesses(heads: Sequence[str]) -> dict[str, list[str]]:
    """The possible heads for each part of a play, best first. Numbered heads belong to players.

    They come first if no other head can name players.
    """
    plain, numbered = dict[str, str](), dict[str, str]()
    for told in heads:
        head = _parse_head(told)
        (plain if head.number is None else numbered).setdefault(head.words, told)
    of_players = {part: NUMBERED if part == "player" else GUESSES[part] for part in OF_A_PLAYER}
    found = {
        part: (
            [plain[word] for word in words if word in plain],
            [numbered[word] for word in of_players.get(part, ()) if word in numbered],
        )
        for part, words in GUESSES.items()
    }
    wide = not found["player"][0]
    return {part: of_player + shared if wide else shared + of_player for part, (shared, of_player) in found.items()}


def _columns_by_player(heads: Sequence[str], head: str) -> dict[int, int]:
    """The columns with a head, by the number of the player. Repeated heads are numbered in their order.

    A head without a number among numbered ones is the first, or comes before the first: some programs write this.
    """
    words = _parse_head(head).words
    at = [place for place, told in enumerate(heads) if _parse_head(told).words == words]
    known = [_parse_head(heads[place]).number for place in at]
    first = 0 if 1 in known else 1
    numbers = [first if number is None else number for number in known]
    return dict(zip(numbers if len(set(numbers)) == len(at) else range(1, len(at) + 1), at, strict=True))


class CsvPlays:
    """The plays of a CSV file. `columns` has the head for each part of a play.

    Each iteration reads the file anew, row by row. Without a column for the play id, only one play is in memory.
    """

    def __init__(self, content: bytes, named: Mapping[str, str]) -> None:
        """Read the heads. Raises `BadFileError`."""
        self._content, self._encoded = content, encoding_of(content)
        self._head, self._delimiter = _head_and_delimiter(self._lines())
        heads = next_row(self._reader(), self._head)
        if heads is None:
            raise BadFileError("the table is empty")
        if len(heads) > MOST_COLUMNS:
            raise BadFileError(f"it has {len(heads):,} columns; {MOST_COLUMNS} are taken at most")
        told = [one_line(head) for head in heads]
        self._width = len(told)
        self.columns = guess_columns(told, named)
        if not self.columns and (value := next(filter(_VALUE.fullmatch, told), None)):
            raise BadFileError(
                f"its first line has no column names ({value} is none); write date,game,player,points above it"
            )
        if "player" not in self.columns:
            self._find_people(told)
        self._people = split_people(self.columns["player"], told)
        if self._people:
            self._indexes_by_person(told, named)
        else:
            self._indexes_by_seat(told, named)
        self._day_first: bool | None = None
        self._decimal: Decimal = "point"

    def _find_people(self, heads: Sequence[str]) -> None:
        """Use columns of numbers as columns of people, if another column names each of them as a winner.

        A length, a year or a price never wins. Raises `BadFileError` if nothing confirms the guess.
        """
        points = self._columns_of_points(heads)
        people = [heads[at] for at in points]
        if "game" in self.columns and "won" in self.columns and len(people) > 1:
            at = heads.index(self.columns["won"])
            told = [said for cells in self._cells() if (said := _text_at(cells, at))]
            won = [_winners_in(said, people) for said in told]
            if all(won) and set().union(*won) == set(map(same_name, people)):
                self.columns["player"] = BETWEEN_PEOPLE.join(people)
        _refuse_missing(self.columns, people)

    def _columns_of_points(self, heads: Sequence[str]) -> list[int]:
        """The columns that contain only numbers and no known part of a play."""
        free = {at for at, head in enumerate(heads) if head and head not in self.columns.values()}
        numbers = set[int]()
        for cells in self._cells():
            for at in [at for at in free if _has_value(_text_at(cells, at))]:
                if parse_points(_text_at(cells, at)) is None:
                    free.discard(at)
                else:
                    numbers.add(at)
        return sorted(free & numbers)

    def _indexes_by_person(self, heads: Sequence[str], named: Mapping[str, str]) -> None:
        """The indexes of the parts of a play, with one column per person. The names are appended to each row."""
        for part in ("points", "rank"):
            if part in named:
                raise BadFileError(f"columns: {part}: each person has a column of points, and no other one counts")
            self.columns.pop(part, None)
        _refuse_missing(self.columns, ())
        self._wide, self._names_winners = True, "won" in self.columns
        shared = {part: heads.index(head) for part, head in self.columns.items() if part != "player"}
        self._at = [
            [{**shared, "player": self._width + at, "points": heads.index(name)}.get(part, NOWHERE) for part in GUESSES]
            for at, name in enumerate(self._people)
        ]

    def _indexes_by_seat(self, told: Sequence[str], named: Mapping[str, str]) -> None:
        """The indexes of the parts of a play, with heads for players."""
        _refuse_missing(self.columns, ())
        places = {part: _columns_by_player(told, self.columns[part]) for part in OF_A_PLAYER if part in self.columns}
        self._wide = len(places["player"]) > 1
        for part in ("points", "rank"):
            if self._wide and len(places.get(part, ())) == 1 and _parse_head(self.columns[part]).number is None:
                if part in named:
                    raise BadFileError(f"columns: {self.columns[part]!r} does not say the number of its player")
                del places[part], self.columns[part]
        self._names_winners = self._wide and len(places.get("won", ())) == 1
        shared = {part: told.index(head) for part, head in self.columns.items() if part not in places}
        if self._names_winners:
            shared["won"] = next(iter(places.pop("won").values()))
        self._at = [
            [shared.get(part, places.get(part, {}).get(number, NOWHERE)) for part in GUESSES]
            for number in places["player"]
        ]

    def __iter__(self) -> Iterator[UnreadPlay]:
        """The plays, in the order of their first rows. Raises `BadFileError` if the file is not CSV."""
        self._day_first = day_first(self._values_of("date"))
        self._decimal = guessed_decimal(self._values_of("points"))
        seen = dict[str, int]()
        for rows in self._rows_by_play():
            key = _key(rows[0])
            seen[key] = seen.get(key, 0) + 1
            own = key if seen[key] == 1 or (self._wide and _cell(rows[0], "play")) else f"{key}/{seen[key]}"
            yield UnreadPlay(own, partial(self._play, rows, own))

    def _rows_by_play(self) -> Iterator[list[_Row]]:
        """The rows, grouped by play."""
        if self._wide:
            return self._filled_rows()
        return self._plays_by_id() if "play" in self.columns else self._plays_in_order()

    def _plays_by_id(self) -> Iterator[list[_Row]]:
        """The rows, grouped by their play id, in any order."""
        plays = dict[str, list[_Row]]()
        for row in self._rows():
            plays.setdefault(_key(row), []).append(row)
        yield from plays.values()

    def _plays_in_order(self) -> Iterator[list[_Row]]:
        """The rows of each play, one after the other. A repeated player begins the next play."""
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

    def _values_of(self, part: str) -> Iterator[str]:
        """All values of a part of a play, without splitting rows by player. Raises `BadFileError`."""
        at = {places[_PLACES[part]] for places in self._at} - {NOWHERE}
        return (_text_at(cells, each) for cells in self._limited_rows() for each in at)

    def _rows(self) -> Iterator[_Row]:
        """The results of each player, row by row. Raises `BadFileError`."""
        for rows in self._filled_rows():
            yield from rows

    def _filled_rows(self) -> Iterator[list[_Row]]:
        """The results of each row that is not empty. Raises `BadFileError`."""
        return filter(None, map(self._results_in, self._limited_rows()))

    def _limited_rows(self) -> Iterator[list[str]]:
        """The cells of each row. Raises `BadFileError` for too many. Rows with several players count several times."""
        count = 0
        for cells in self._cells():
            count += len(self._at)
            if count > MOST_ROWS:
                raise BadFileError(f"it has more than {MOST_ROWS:,} rows; import it in several files")
            yield cells

    def _cells(self) -> Iterator[list[str]]:
        """The cells of each row below the heads. Raises `BadFileError`."""
        reader = self._reader()
        next_row(reader)
        while (cells := next_row(reader, self._head)) is not None:
            yield cells

    def _results_in(self, cells: Sequence[str]) -> list[_Row]:
        """The results in a row: one without a player if the row only names the play, none if it is empty."""
        if not any(cell.strip(_RULED) for cell in cells):
            return []
        if self._people:
            cells = [*cells[: self._width], *[""] * (self._width - len(cells)), *self._people]
        rows = [tuple(_text_at(cells, at) for at in places) for places in self._at]
        return [row for row in rows if self._is_seated(row)] or rows[:1]

    def _is_seated(self, row: _Row) -> bool:
        """Whether somebody sat at a seat. For empty seats, formulas write 0, and boxes for the winner say no."""
        points = _cell(row, "points")
        if self._people:
            return _has_value(points)
        if _cell(row, "player") or parse_rank(_cell(row, "rank"))[0]:
            return True
        return _has_value(points) and parse_points(points) != 0

    def _reader(self) -> Reader:
        return csv.reader(self._checked_lines(), delimiter=self._delimiter, strict=True)

    def _checked_lines(self) -> Iterator[str]:
        """The lines of the file. Raises `BadFileError` for one with too many cells."""
        for number, line in enumerate(islice(self._lines(), self._head, None), self._head + 1):
            if (cells := line.count(self._delimiter) + 1) > MOST_CELLS:
                raise BadFileError(f"line {number} has {cells:,} columns; {MOST_COLUMNS} are taken at most", number)
            yield line

    def _lines(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(self._content), self._encoded, newline="")

    def _play(self, rows: Sequence[_Row], key: str) -> IncomingPlay:
        first = rows[0]
        if not (game := one_line(_cell(first, "game"))):
            raise BadPlayError("game: the row does not say what was played")
        if self._wide and not self._is_seated(first):
            raise BadPlayError("player: the row names nobody")
        self._refuse_several(rows)
        names = [_cell(row, "player") for row in rows]
        return IncomingPlay(
            source=SOURCE,
            key=key,
            game=game,
            results=tuple(self._result(row, names) for row in rows),
            played_at=parse_moment(_cell(first, "date"), day_first=self._day_first),
            place=one_line(_cell(first, "place")),
            comment=_cell(first, "comment"),
        )

    def _refuse_several(self, rows: Sequence[_Row]) -> None:
        """Raise `BadPlayError` for rows that cannot be one play: they have two games, or two days."""
        for part, compared in (("game", same_name), ("date", self._day_of)):
            said = {compared(cell): cell for row in rows if (cell := _cell(row, part))}
            if len(said) > 1:
                first, other, *_ = said.values()
                raise BadPlayError(f"{part}: the rows of this play say {first[:40]!r} and {other[:40]!r}")

    def _day_of(self, told: str) -> str:
        return (parse_moment(told, day_first=self._day_first) or "")[:10]

    def _result(self, row: _Row, names: Sequence[str]) -> Result:
        told, place = _cell(row, "points"), _cell(row, "rank")
        points, more = parse_score(told, self._decimal)
        rank, odd = parse_rank(place)
        return Result(
            name=one_line(_cell(row, "player")) or None,
            points=points,
            rank=rank,
            won=self._has_won(row, names) if "won" in self.columns else None,
            more=one_line(", ".join((*more, *odd))),
        )

    def _has_won(self, row: _Row, names: Sequence[str]) -> bool | None:
        """Whether a player has won: the cell says yes or no, or lists the winners. Raises `BadPlayError`."""
        said = _cell(row, "won")
        if not self._names_winners and (found := _parse_yes(said)) is not None:
            return found
        if self._names_winners and not said:
            return None
        if winners := _winners_in(said, names):
            return same_name(_cell(row, "player")) in winners
        if self._names_winners:
            raise BadPlayError(f"won: {said[:20]!r} is not a player of this play")
        raise BadPlayError(f"won: {said[:20]!r} is neither yes nor no")


def _text_at(cells: Sequence[str], at: int) -> str:
    """The text of a cell; empty if the row is too short."""
    return without_apostrophe(cells[at]).strip() if at < len(cells) else ""


def _key(row: _Row) -> str:
    parts = ("play",) if _cell(row, "play") else ("date", "game", "place")
    return ", ".join(cell for part in parts if (cell := _cell(row, part)))[:400]


def _cell(row: _Row, part: str) -> str:
    return row[_PLACES[part]]


def _has_value(cell: str) -> bool:
    """Whether a cell has a value: it is not empty, a dash, or a formula error such as `#N/A`."""
    return any(map(str.isalnum, cell)) and not cell.startswith("#")


def _parse_yes(text: str) -> bool | None:
    """True for yes, False for no, None for anything else."""
    said = search_form(text).strip()
    return said in YES if said in YES or said in NO else None


def _winners_in(text: str, names: Iterable[str]) -> set[str]:
    """The winners that a cell lists, normalized; none if it holds anything else than `names`."""
    known = {same_name(name) for name in names if name}
    whole = {same_name(text)}
    several = {same_name(name) for name in _NAMES.split(text)}
    return next((found for found in (whole, several) if found <= known), set())


def _head_and_delimiter(lines: Iterable[str]) -> tuple[int, str]:
    """The number of lines before the heads, and the delimiter: the most frequent separator outside of quotes.

    These lines can be empty, or `sep=;`, which spreadsheets read and write.
    """
    said = None
    for before, line in enumerate(lines):
        if found := _SEPARATOR.fullmatch(line.strip("\r\n")):
            said = found[1]
        elif line.strip("\r\n,;\t| "):
            return before, said or max(",;\t|", key=_QUOTED.sub("", line).count)
    raise BadFileError("the table is empty")


def next_row(rows: Reader, before: int = 0) -> list[str] | None:
    """The next row of a CSV file, None at its end; `before` it are this many lines. Raises `BadFileError`."""
    line = before + rows.line_num + 1
    try:
        return next(islice(rows, 1), None)
    except csv.Error as error:
        why = f"it is not CSV: line {line}: {error}"
        if str(error) == "unexpected end of data":
            why = f"it is not CSV: a quotation mark in the row of line {line} is never closed"
        raise BadFileError(why, line) from None


def without_apostrophe(cell: str) -> str:
    """A cell without the apostrophe against formulas."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULAS) else cell
