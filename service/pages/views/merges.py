"""People who were entered twice: proposed merges, their effects, and existing merges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import redirect, render_template, request, url_for

from service.access.needs import NAMING, Need
from service.access.scopes import meanings
from service.api.answers.people import MERGE_REASONS
from service.api.endpoints import archive
from service.api.routes.merges import PROPOSING, merge_into, preview, proposals, split_off
from service.api.routes.players import merge_infos
from service.api.schemas.fields import check_id
from service.languages import gettext
from service.pages.blueprint import page

if TYPE_CHECKING:
    from uuid import UUID

    from werkzeug.wrappers import Response as AnyResponse


@page("GET", "/people/merges", scope=PROPOSING)
def list_merges() -> str:
    """The proposed and the existing merges."""
    people = archive().log.people
    standing = people.merges().active()
    return render_template(
        "merges.html",
        proposals=proposals(),
        why={reason: gettext(text) for reason, text in MERGE_REASONS.items()},
        merges=merge_infos(standing),
        names=people.names([merge.person for merge in standing]),
    )


@page("GET", "/people/<uuid:player>/merge/<uuid:into>", scope=PROPOSING)
def show_merge(player: UUID, into: UUID) -> str:
    """The effects of a merge."""
    found = preview(str(player), str(into))
    return render_template("merge.html", found=found, shares=meanings(frozenset(found.shares)).values())


@page("POST", "/people/merges", scope=Need(NAMING))
def change_merges() -> AnyResponse:
    """Merge two people, or undo a merge."""
    player, into = request.form.get("player", ""), request.form.get("into", "")
    check_id(player, "player")
    if into:
        merge_into(player, into)
    else:
        split_off(player)
    return redirect(url_for("pages.list_merges"), 303)
