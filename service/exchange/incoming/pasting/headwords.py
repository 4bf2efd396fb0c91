"""The words in the heads of tables, in the languages of their spreadsheets."""

from __future__ import annotations

import re

from events.folding import search_form
from service.exchange.incoming.numbers import with_common_signs

TOTALS = frozenset(
    {"total", "totals", "sum", "grand total", "final", "final score", "points total", "total points", "total score"}
    | {"gesamt", "summe", "gesamtpunkte", "gesamtsumme", "gesamtpunktzahl", "endstand", "endergebnis", "somme"}
    | {"score final", "score total", "total des points", "suma", "total puntos", "total de puntos", "puntos totales"}
    | {"puntuacion total", "puntuacion final", "total geral", "soma", "total de pontos", "pontuacao total"}
    | {"pontuacao final", "totale", "totale punti", "punti totali", "punteggio totale", "punteggio finale", "totaal"}
    | {"eindtotaal", "eindstand", "eindscore", "totaalscore", "合計", "計", "総計", "総合計", "合計点", "総合得点"}
    | {"得点合計", "総得点", "最終得点", "最終スコア", "トータル", "σ", "∑"}
)
"""Heads of totals, without accents."""

FOLLOWING = frozenset(
    {"subtotal", "rank", "place", "position", "average", "winner", "zwischensumme", "zwischenstand", "platz", "rang"}
    | {"platzierung", "schnitt", "durchschnitt", "sieger", "siegerin", "gewinner", "sous total", "moyenne"}
    | {"classement", "gagnant", "vainqueur", "puesto", "posicion", "clasificacion", "promedio", "ganador", "media"}
    | {"posicao", "classificacao", "vencedor", "subtotale", "posizione", "classifica", "vincitore", "subtotaal"}
    | {"tussenstand", "plaats", "gemiddelde", "winnaar", "小計", "順位", "平均", "平均点", "勝者"}
)
"""Heads of other values that the sheet computes, without accents."""

SCORES = frozenset(
    {"score", "scores", "points", "pts", "value", "result", "punkte", "wert", "punktzahl", "ergebnis"}
    | {"valeur", "puntos", "puntuacion", "valor", "pontos", "pontuacao", "punti", "punteggio", "valore", "punten"}
    | {"waarde", "得点", "点", "点数", "スコア", "値"}
)
"""Heads of the column with the value of each row, without accents."""

_PUNCTUATION = re.compile(r"[\s:.,;#()/_|&+・、：（）-]+")
_ROUNDS = (
    "round|runde|durchgang|hand|deal|turn|game|spiel|manche|tour|donne|ronda|mano|rodada|mao|turno|giro|ronde|beurt"
)
"""Words for a round, without accents."""

ROUND = re.compile(
    rf"(?:r|{_ROUNDS}|ラウンド|第|no)? ?([0-9]{{1,4}}) ?"
    rf"(?:(?:st|nd|rd|th|re|er|e|eme|a|o)? ?(?:{_ROUNDS})?|ラウンド|回戦|回|局|戦)"
)
ROUND_WORD = re.compile(rf"(?:{_ROUNDS}|r|no|nr|num|ラウンド|回戦|回|局|戦)?")
"""Heads of a line with round numbers: nothing, or a word for a round."""

AND = frozenset({"and", "und", "et", "y", "e", "en", "と"})
"""The separators between two names in the head of a pair."""

SEAT = re.compile(
    r"(?:p|player|seat|spieler|spielerin|jogador|jogadora|joueur|joueuse|jugador|jugadora|giocatore|giocatrice|speler|"
    r"プレイヤー|プレーヤー|席) ?([0-9]{1,2})"
)
TEAM = re.compile(r"(?:t|team|mannschaft|equipe|equipo|squadra|チーム) ?([0-9]{1,2})")
MOST_WORDS = 8
"""The most words of a head that are examined."""


def head_form(text: str) -> str:
    """A head as it is compared: without case, accents and punctuation."""
    return _PUNCTUATION.sub(" ", search_form(with_common_signs(text))).strip()
