"""Sample games for a first look."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from service.api.answers.access import GameVisibility
from service.api.answers.exchange import Imported
from service.cli.exchange.transfers import TEXT, game_of
from service.cli.shell import screen
from service.cli.shell.connection import Place, connect
from service.cli.shell.failures import explain
from service.cli.shell.references import all_games
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from service.cli.shell.client import Client


def sample_texts() -> Iterator[str]:
    """The sample games as text."""
    folder = files("service.cli") / "samples"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".txt"):
            yield file.read_text(encoding="utf-8")


def put_samples(client: Client) -> None:
    """Record the sample games if there are no other games, visible for everybody unless set otherwise.

    Repeated, it records nothing twice.
    """
    samples = {game_of(text): text for text in sample_texts()}
    here = {listed.game: listed.version for listed in all_games(client)}
    if here.keys() <= samples.keys():
        for game, text in samples.items():
            if here.get(game, 0) < 2:  # an opening alone is what an interrupted start left
                client.send("POST", "/v1/imports", Imported, text.encode(), media=TEXT, id=game)
            where = f"/v1/games/{game}/visibility"
            if client.get(where, GameVisibility).since is None:
                client.send("PUT", where, GameVisibility, {"visibility": "public"})


def bring_samples(data: Path) -> None:
    """Put the sample games into an empty folder. The service starts without them if that fails."""
    try:
        with connect(Place(data, None, None), makes=True) as client:
            put_samples(client)
    except Exception as error:  # noqa: BLE001 - none of it is needed to serve
        why, *_ = explain(error)
        screen.warn(gettext("The sample games are left out: %(why)s", why=why))
