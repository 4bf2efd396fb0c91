"""Access: the page of devices and people, and the page that lets a device in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import make_response, render_template, request

from service.access.devices import Approval
from service.access.gate import gate, missing_scope, require_principal
from service.access.needs import KNOWN, OPEN, Need
from service.access.scopes import ROLES, SCOPES, meanings
from service.api import addresses
from service.api.endpoints import context
from service.languages import gettext
from service.pages.blueprint import FORM, page

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as AnyResponse


@page("GET", "/access", scope=KNOWN)
def show_access() -> str:
    """The visitor's own devices; with permission also people, invitations, tokens, share links, and the trail."""
    who = require_principal()
    return render_template(
        "access.html",
        scopes={name: gettext(what) for name, what in SCOPES.items()},
        roles=list(ROLES),
        page={
            "me": who.person,
            "people": sorted(who.people),
            "credential": who.credential.id,
            "owner": context().access.owner,
            "base": addresses.phone_url(),
        },
    )


@page("GET", "/device", scope=OPEN)
def show_device() -> str:
    """The page to type the code of a device. The waiting program is only shown after the form is sent."""
    return render_template("device.html", code=request.args.get("user_code", ""))


@page("POST", "/device", scope=Need("tokens:write"), limit=FORM)
def decide_on_device() -> AnyResponse:
    """Show the program that waits with a code and its request. With a `decision`, approve or refuse it."""
    code, decision = (request.form.get(name, "").strip() for name in ("user_code", "decision"))
    who = require_principal()
    asked = gate().find_by_code(code, gate().devices.find)
    if asked is None:
        return _device_page(404, code=code, wrong=True)
    scopes = asked.scopes & gate().reach(who)
    if decision not in {"approve", "refuse"}:
        return _device_page(
            200, code=code, asked=asked, scopes=meanings(scopes), beyond=meanings(asked.scopes - scopes)
        )
    if decision == "approve" and not scopes:
        raise missing_scope(min(asked.scopes), who, None)
    approval = Approval(
        person=who.person, by=who.id, credential=who.credential.id, scopes=scopes, ends=who.credential.ends
    )
    if not gate().devices.decide(code, approval if decision == "approve" else None):
        return _device_page(404, code=code, wrong=True)
    return _device_page(200, asked=asked, decision=decision)


def _device_page(status: int, **more: Any) -> AnyResponse:
    return make_response(render_template("device.html", **more), status)
