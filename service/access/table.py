"""The table: which operation needs which scope. Nothing else says so, and there is no operation that is not in it."""

from __future__ import annotations

import msgspec

from events.types import ADOPTED, CORRECTIONS, TYPES
from service.access.scopes import SCOPES


class Need(msgspec.Struct, frozen=True):
    """What an operation asks for: a scope, of the game that it is about if it is about one.

    `everybody`: it is there for all, and shows them of games what they may see. Without a scope it is the same for
    everybody, whatever they send.
    """

    scope: str = ""
    besides: str = ""
    """A scope of the service that it takes, too."""
    everybody: bool = False
    known: bool = False
    """Whether it takes anybody who is known here, whatever they may do."""
    always: bool = False
    """Whether strangers are answered, too, while nobody is let in because the store of access is not believed."""

    @property
    def scopes(self) -> list[str]:
        """The scopes that a token needs."""
        return [scope for scope in (self.scope, self.besides) if scope]


OPEN = Need()
"""The same for everybody, whatever they send."""

SEEN = Need("games:read", everybody=True)
"""For everybody, as far as they may see it. A token that is not known is refused."""

KNOWN = Need(known=True)
"""For whoever is known here: it is about themselves."""

_NEEDS: dict[str, str | Need] = {
    # the games whose rules are known
    "list_rulesets": OPEN,
    "show_ruleset": OPEN,
    # the games that are recorded
    "list_games": SEEN,
    "open_a_game": "games:open",
    "show_game": SEEN,
    # entries: what each of them needs is in `ENTRIES`
    "record_entries": "games:record",
    "list_entries": "hidden:read",
    "erase_part_of_an_entry": "games:erase",
    "read_feed": "hidden:read",
    # what follows from them
    "show_state": SEEN,
    "list_moves": SEEN,
    "show_score": SEEN,
    "show_timeline": SEEN,
    "show_board": SEEN,
    "picture_board": SEEN,
    "sketch_board": SEEN,
    "show_claims": SEEN,
    "show_revisions": SEEN,
    "list_snapshots": SEEN,
    "follow_game": SEEN,
    "follow_all": SEEN,
    "ask_for_analysis": "analyses:run",
    "list_analyses": SEEN,
    "show_analysis": SEEN,
    "follow_analysis": SEEN,
    "cancel_analysis": "analyses:run",
    "compare_games": SEEN,
    "fork_a_game": Need("hidden:read", besides="games:open"),
    # the tree: with the hash of an entry that is not sealed, guesses at what it hides could be tested
    "show_checkpoint": "tree:read",
    "show_tree_key": "tree:read",
    "show_tree_entries": "tree:read",
    "show_tile": "tree:read",
    "prove_consistency": "tree:read",
    "prove_entry": SEEN,
    "show_receipt": SEEN,
    "draw_receipt": SEEN,
    # games out of here and into here
    "export_a_game": SEEN,  # the whole record needs `EXPORTING`
    "import_a_game": "imports:write",
    # people, boxes, the service
    "list_players": "people:read",
    "name_player": "people:write",
    "erase_player": "people:write",
    "show_player": "people:read",
    "list_merges": "people:read",
    "merge_player": "people:write",  # and `admin`, where either has a role: the other one gets it
    "split_player": "people:write",
    "list_components": OPEN,
    "show_components": OPEN,
    "list_templates": OPEN,
    "show_template": OPEN,
    "put_components": "components:write",
    "remove_components": "components:write",
    "show_health": Need("games:read", everybody=True, always=True),
    "show_metrics": "admin",
    "show_openapi": OPEN,
    # access itself
    "show_token": KNOWN,
    "end_token": KNOWN,
    "rotate_token": KNOWN,
    "test_tokens": OPEN,
    "list_tokens": KNOWN,
    "make_token": "tokens:write",
    "revoke_token": KNOWN,
    "show_token_family": KNOWN,
    "make_login_link": "tokens:write",
    "list_invitations": "admin",
    "invite": "admin",
    "withdraw_invitation": "admin",
    "list_seat_invitations": "games:share",
    "invite_to_seat": "games:share",
    "withdraw_seat_invitation": "games:share",
    "end_sessions": KNOWN,
    "authorize_device": OPEN,
    "take_token": OPEN,
    "show_authorization_server": OPEN,
    "list_roles": "admin",
    "give_role": "admin",
    "take_role": "admin",
    "list_game_roles": "games:share",
    "give_game_role": "games:share",
    "take_game_role": "games:share",
    "list_all_links": "admin",
    "list_links": "games:share",
    "make_link": "games:share",
    "revoke_link": "games:share",
    "list_webhooks": "webhooks:write",
    "make_webhook": "webhooks:write",
    "show_webhook": "webhooks:write",
    "change_webhook": "webhooks:write",
    "remove_webhook": "webhooks:write",
    "rotate_webhook_secret": "webhooks:write",
    "test_webhook": "webhooks:write",
    "replay_webhook": "webhooks:write",
    "list_deliveries": "webhooks:write",
    "retry_delivery": "webhooks:write",
    "show_visibility": SEEN,
    "set_visibility": "games:share",
    "read_trail": "admin",
}

NEEDS: dict[str, Need] = {name: need if isinstance(need, Need) else Need(need) for name, need in _NEEDS.items()}
"""What every operation of the API needs, by its name (`operationId`)."""

PAGES: dict[str, Need] = {
    "list_games": SEEN,
    "show_last_game": SEEN,
    "show_draft": Need("games:open"),
    "show_game": SEEN,
    "show_scoreboard": SEEN,
    "show_manifest": OPEN,
    "show_worker": OPEN,
    "list_rulesets": OPEN,
    "show_ruleset": OPEN,
    "edit_template": OPEN,
    "list_problems": OPEN,
    "show_problem": OPEN,
    "show_login": OPEN,
    "log_in": OPEN,
    "log_out": OPEN,
    "choose_language": OPEN,
    "show_access": KNOWN,
    "show_join": OPEN,
    "join": OPEN,
    "draw_join": KNOWN,
    "show_device": OPEN,
    "decide_on_device": Need("tokens:write"),
    "show_app": OPEN,
    "decide_on_app": KNOWN,  # to let it in takes `tokens:write`
    "show_shared": OPEN,
    "draw_shared": OPEN,
    "draw_shared_card": OPEN,
    "draw_card": SEEN,
    "follow_shared": OPEN,
    "show_shared_scoreboard": OPEN,
    "static": OPEN,
}
"""What every page needs, by the name of its function."""

_CLOSING = dict.fromkeys(("game.closed", "game.reopened"), "games:close")
_RULING = dict.fromkeys(("ruling.given", "ruling.revoked", ADOPTED), "games:rule")

ENTRIES: dict[str, str] = dict.fromkeys(TYPES, "games:record") | _CLOSING | _RULING
"""What recording an entry of each type needs."""

CORRECTING = "games:correct"
"""What it needs besides to correct an entry that somebody else recorded."""

EXPORTING = "exports:read"
"""What it needs besides to export a whole record, and not only what one may know of it."""

CORRECTED = CORRECTIONS - _RULING.keys()
"""The types of entries of which that is asked."""

if missing := {need.scope for need in (*NEEDS.values(), *PAGES.values()) if need.scope} - SCOPES.keys():
    raise LookupError(f"the table names scopes that do not exist: {missing}")
