"""Addresses: the host name in the request, and the URL where a phone finds the service."""

from __future__ import annotations

import string
from urllib.parse import quote, urlsplit

from flask import request

from service.api.endpoints import context
from service.server import hosts

_PORTS = {"http": 80, "https": 443}


def requested_host() -> tuple[str, int]:
    """The host name and port of a request. The name is empty if it is not a valid host name."""
    usual = _PORTS[request.scheme]
    try:
        found = urlsplit(f"//{request.host}")
        return found.hostname or "", found.port or usual
    except ValueError:
        return "", usual


def phone_url() -> str:
    """The URL of this service for a phone: that of this request, unless it leads to the caller's own machine."""
    settings, (name, port) = context().settings, requested_host()
    found = hosts.network_urls(settings.host, port, https=settings.https) if hosts.resolves_to_loopback(name) else []
    return found[0] if found else f"{request.scheme}://{request.host}"


def requested_target() -> str:
    """The requested path and query."""
    query = quote(request.query_string, safe=string.punctuation)
    return f"{quote(request.path)}?{query}" if query else quote(request.path)
