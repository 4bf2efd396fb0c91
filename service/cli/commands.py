"""The command `kifu` with all its parts."""

from __future__ import annotations

from service.cli.exchange import exporting, plays, tables, transfers
from service.cli.games import analyses, components, games, learning, replay, rulesets
from service.cli.people import clubs, links, login, players, seasons, sharing, statistics, tokens, tournaments, webhooks
from service.cli.proof import tree, witness
from service.cli.recording import claims, closing, corrections, entries, erasing, forks, pasting, record, rulings
from service.cli.shell.group import kifu
from service.cli.upkeep import access, backup, lists, moving, prepare, rebuild, revisions, serve, verify

__all__ = ["kifu"]

PARTS = (
    serve.serve,
    games.open_game,
    record.record,
    corrections.undo,
    corrections.redo,
    corrections.replace,
    corrections.insert,
    corrections.reveal,
    rulings.rule,
    rulings.revoke,
    pasting.paste,
    entries.note,
    claims.claim,
    claims.claims,
    players.seat,
    closing.close,
    closing.reopen,
    games.show,
    replay.replay,
    games.score,
    games.list_games,
    forks.fork,
    forks.forks,
    forks.compare,
    analyses.analyse,
    learning.learn,
    exporting.export,
    tables.tables,
    tables.dataset,
    statistics.stats,
    statistics.show_ratings,
    statistics.show_year,
    transfers.import_games,
    plays.import_plays,
    erasing.erase,
    verify.verify,
    access.access,
    rebuild.rebuild,
    revisions.revisions,
    backup.backup,
    lists.copy_lists,
    moving.move,
    prepare.prepare_database,
    tree.tree,
    witness.witness,
    sharing.share,
    links.links,
    rulesets.rulesets,
    players.players,
    clubs.clubs,
    tournaments.tournaments,
    seasons.seasons,
    sharing.invite,
    sharing.people,
    tokens.tokens,
    webhooks.webhooks,
    login.login,
    login.logout,
    components.components,
)

for part in PARTS:
    kifu.add_command(part)
