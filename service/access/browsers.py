"""Names of browsers, from their own headers, so that people can tell their devices apart."""

from __future__ import annotations

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
"""What stands in a User-Agent, the particular before what others say as well."""

_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux"),
)


def browser_name(agent: str) -> str:
    """Such as `Firefox, Android`; empty for unknown browsers. All words are ours: a client can send any text."""
    found = (next((name for mark, name in known if mark in agent), None) for known in (_BROWSERS, _SYSTEMS))
    return ", ".join(filter(None, found))
