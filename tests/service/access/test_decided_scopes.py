"""The right that each operation, page, type of entry and role has, as it was decided.

The tables stand here once more, apart from the code. So a weaker right does not come with a change of something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import service.pages.views  # noqa: F401 - registers the pages
from service.access.needs import ENTRIES as NEEDS_OF_ENTRIES
from service.access.scopes import OF_A_GAME, PLAYER, PUBLIC, ROLES
from service.api.routes import PARTS
from service.pages.blueprint import NEEDS as NEEDS_OF_PAGES

if TYPE_CHECKING:
    from service.access.needs import Need

EVERYBODY, SHOWN, KNOWN = "everybody", "everybody, as far as they may see it", "everybody with a token"
"""Who may ask where no scope is needed."""

OPERATIONS = {
    EVERYBODY: """
        authorize_device list_components list_rulesets list_schemas list_templates print_blank_sheet
        request_token show_authorization_server show_components show_openapi show_ruleset show_schema
        show_template test_tokens
    """,
    SHOWN: """
        compare_games draw_receipt export_club export_game export_games export_season export_tournament
        follow_all follow_analysis follow_game link_to_bgstats list_analyses list_club_entries list_clubs
        list_exports list_games list_games_behind list_moves list_playable list_ratings list_season_entries
        list_seasons list_snapshots list_tournament_entries list_tournaments picture_board prove_entry
        show_analysis show_board show_claims show_club show_game show_health show_move_statistics show_receipt
        show_revisions show_score show_season show_state show_statistics show_timeline show_tournament
        show_visibility show_year_in_review sketch_board
    """,
    KNOWN: """
        end_sessions end_token invite_to_club list_club_invitations list_player list_tokens record_club_entry
        record_season_entry record_tournament_entry revoke_token rotate_token show_held show_token
        show_token_family withdraw_club_invitation
    """,
    "admin": """
        give_role invite list_all_links list_invitations list_roles read_trail remove_role show_metrics
        sign_archive withdraw_invitation
    """,
    "analyses:run": "ask_for_analysis cancel_analysis",
    "components:write": "put_components remove_components",
    "games:erase": "erase_entry",
    "games:open": "create_club create_season create_tournament open_club_game open_game open_tournament_game",
    "games:record": "paste_table record_entries",
    "games:share": """
        give_game_role invite_to_seat list_game_roles list_links list_seat_invitations make_link
        remove_game_role revoke_link set_visibility withdraw_seat_invitation
    """,
    "hidden:read": "list_entries read_feed",
    "hidden:read and games:open": "fork_game",
    "imports:write": "import_game import_plays",
    "people:read": "list_merges list_players show_player",
    "people:read and people:write": "preview_merge propose_merges",
    "people:write": "erase_player merge_player name_player split_player",
    "tokens:write": "make_login_link make_token",
    "tree:read": "prove_consistency show_checkpoint show_tile show_tree_entries show_tree_key",
    "webhooks:write": """
        change_webhook list_deliveries list_webhooks make_webhook remove_webhook replay_webhook retry_delivery
        rotate_webhook_secret show_webhook test_webhook
    """,
}
"""The operations of the API, by the scopes that they need."""

PAGES = {
    EVERYBODY: """
        choose_language describe_embedding draw_shared draw_shared_card edit_template follow_shared join
        list_problems list_rulesets log_in log_out show_app show_device show_join show_login show_manifest
        show_notation show_problem show_ruleset show_shared show_shared_scoreboard show_worker static
    """,
    SHOWN: """
        draw_card draw_year draw_year_as_svg list_clubs list_games list_games_behind list_people
        list_tournaments save_person save_ratings save_season_table save_statistics save_tournament_table
        save_year show_bgstats show_club show_embedded show_exports show_game show_last_game show_person
        show_scoreboard show_season show_statistics show_tournament show_wall show_year
    """,
    KNOWN: """
        change_club change_listing change_season change_tournament decide_on_app draw_join invite_to_club
        save_held show_access show_held withdraw_club_invitation
    """,
    "games:open": "found_club found_season found_tournament open_tournament_game play_again show_draft",
    "games:record": "paste_table show_table",
    "imports:write": "import_file show_import",
    "people:read and people:write": "list_merges show_merge",
    "people:write": "change_merges",
    "tokens:write": "decide_on_device",
}
"""The pages and their forms, by the scopes that they need."""

ENTRIES = {
    "games:record": """
        entry.inserted entry.replaced entry.withdrawn game.opened move.made move.revealed note.added
        record.signed score.claimed seat.changed
    """,
    "games:rule": "revision.adopted ruling.given ruling.revoked",
    "games:close": "game.closed game.reopened",
    "games:erase": "entry.erased",
}
"""The types of entries, by the scopes that recording one needs."""

RIGHTS = {
    "viewer": "exports:read games:read tokens:write",
    "recorder": """
        analyses:run components:write exports:read games:open games:read games:record hidden:read people:read
        tokens:write webhooks:write
    """,
    "referee": """
        analyses:run components:write exports:read games:close games:correct games:open games:read games:record
        games:rule hidden:read people:read tokens:write webhooks:write
    """,
    "owner": """
        admin analyses:run components:write exports:read games:close games:correct games:erase games:open
        games:read games:record games:rule games:share hidden:read imports:write people:read people:write
        seats:read tokens:write tree:read webhooks:write
    """,
    "the player of a seat": "analyses:run exports:read games:read games:record seats:read",
    "everybody, in a game that they may see": "exports:read games:read",
    "a role in one game, at most": """
        analyses:run exports:read games:close games:correct games:erase games:read games:record games:rule
        games:share hidden:read seats:read
    """,
}
"""The scopes that a role has."""


def decided(table: dict[str, str]) -> dict[str, str]:
    """What each name of a table needs. Raises `AssertionError` if a name is there twice."""
    needs = {name: needed for needed, names in table.items() for name in names.split()}
    assert len(needs) == sum(len(names.split()) for names in table.values())
    return needs


def words(need: Need) -> str:
    """A need in the words of the tables."""
    if need.everybody:
        assert need.scopes == ["games:read"]
        return SHOWN
    return KNOWN if need.known else " and ".join(need.scopes) or EVERYBODY


def test_each_operation_needs_the_scope_that_was_decided() -> None:
    described = [each for part in PARTS for each in part.described]
    assert {each.name: words(each.need) for each in described} == decided(OPERATIONS)
    assert [each.name for each in described if each.need.always] == ["show_health"]


def test_each_page_needs_the_scope_that_was_decided() -> None:
    assert {name.removeprefix("pages."): words(need) for name, need in NEEDS_OF_PAGES.items()} == decided(PAGES)


def test_each_type_of_entry_needs_the_scope_that_was_decided() -> None:
    assert decided(ENTRIES) == NEEDS_OF_ENTRIES


def test_each_role_has_the_scopes_that_were_decided() -> None:
    others = (PLAYER, PUBLIC, OF_A_GAME)
    assert [set(each) for each in (*ROLES.values(), *others)] == [set(names.split()) for names in RIGHTS.values()]
    assert [*ROLES] == [*RIGHTS][: len(ROLES)]
