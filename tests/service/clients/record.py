"""Record a game with the generated client: `python record.py <url> <token> <moves, one a line>`."""

import json
import sys
from uuid import uuid4

from kifu_client import AuthenticatedClient, models
from kifu_client.api.entries import record_entries
from kifu_client.api.games import open_a_game
from kifu_client.api.states import list_moves, show_score, show_state, show_timeline

url, token, lines = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)
game = uuid4()
seats = [models.Seat(name="Anna"), models.Seat(name="Ben")]
opened = open_a_game.sync(client=client, body=models.Opening(id=game, ruleset="kahuna", seats=seats, title="Python"))
assert isinstance(opened, models.RecordedEntries), opened
version = opened.version


def send(move):
    """Record one move; the answer, whatever it is."""
    entries = models.Entries(events=[models.Draft(id=uuid4(), data=models.DraftData(move=move))])
    return record_entries.sync(str(game), client=client, body=entries, if_match=f'"v{version}"')


def typed(legal):
    """A legal move as an object of the class that is generated for it."""
    move = legal.move.to_dict()
    return getattr(models, f"Kahuna{move['type'].title()}").from_dict(move)


objects = 0
for line in lines.split("\n"):
    found = list_moves.sync(str(game), client=client)
    legal = next((legal for legal in found.moves if legal.notation == line), None)
    objects += legal is not None
    recorded = send(line if legal is None else typed(legal))
    assert isinstance(recorded, models.RecordedEntries), recorded
    version = recorded.version

against = send(models.KahunaDecline(type_=models.KahunaDeclineType.DECLINE, seat=models.KahunaDeclineSeat.SEAT_0))
assert isinstance(against, models.Problem), against
score = show_score.sync(str(game), client=client)
told = {
    "game": str(game),
    "version": version,
    "objects": objects,
    "problem": against.type_.value,
    "then": show_state.sync(str(game), client=client, at=3).version,
    "scores": score.scores,
    "winners": score.outcome.winners,
    "entries": len(show_timeline.sync(str(game), client=client).entries),
}
sys.stdout.write(json.dumps(told))
