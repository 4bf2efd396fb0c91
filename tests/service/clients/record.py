"""Record a game with the generated client: `python record.py <url> <token> <moves, one a line>`."""

import json
import sys
from typing import TypeVar
from uuid import uuid4

from kifu_client import AuthenticatedClient, models
from kifu_client.api.entries import record_entries
from kifu_client.api.games import open_game
from kifu_client.api.states import list_moves, show_score, show_state, show_timeline

Answer = TypeVar("Answer")
KahunaMove = (
    models.KahunaBuild
    | models.KahunaDeal
    | models.KahunaDecline
    | models.KahunaDraw
    | models.KahunaRemove
    | models.KahunaTake
)
MOVES: dict[str, type[KahunaMove]] = {
    "build": models.KahunaBuild,
    "deal": models.KahunaDeal,
    "decline": models.KahunaDecline,
    "draw": models.KahunaDraw,
    "remove": models.KahunaRemove,
    "take": models.KahunaTake,
}

url, token, lines = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)
game = uuid4()


def expect_type(answer: object, kind: type[Answer]) -> Answer:
    """The answer, which is of that kind."""
    assert isinstance(answer, kind), answer
    return answer


def send(move: KahunaMove | str, version: int) -> models.RecordedEntries | models.Problem | None:
    """Record one move after that version."""
    entries = models.Entries(events=[models.Draft(id=uuid4(), data=models.DraftData(move=move))])
    return record_entries.sync(str(game), client=client, body=entries, if_match=f'"v{version}"')


def typed(legal: models.LegalMove) -> KahunaMove | None:
    """A legal move as an object of the class that is generated for it, if it is one of these."""
    move = legal.move.to_dict()
    kind = MOVES.get(move["type"])
    return kind.from_dict(move) if kind else None


seats = [models.Seat(name="Anna"), models.Seat(name="Ben")]
opening = models.Opening(id=game, ruleset="kahuna", seats=seats, title="Python")
version = expect_type(open_game.sync(client=client, body=opening), models.RecordedEntries).version

objects = 0
for line in lines.split("\n"):
    found = expect_type(list_moves.sync(str(game), client=client), models.LegalMoves)
    move = next((typed(legal) for legal in found.moves if legal.notation == line), None)
    objects += move is not None
    version = expect_type(send(move or line, version), models.RecordedEntries).version

against = expect_type(
    send(models.KahunaDecline(type_="decline", seat=models.KahunaSeat.SEAT_0), version), models.Problem
)
score = expect_type(show_score.sync(str(game), client=client), models.Score)
summary = {
    "game": str(game),
    "version": version,
    "objects": objects,
    "problem": against.type_,
    "then": expect_type(show_state.sync(str(game), client=client, at=3), models.StateInfo).version,
    "scores": score.scores,
    "winners": expect_type(score.outcome, models.Outcome).winners,
    "entries": len(expect_type(show_timeline.sync(str(game), client=client), models.Timeline).entries),
}
sys.stdout.write(json.dumps(summary))
