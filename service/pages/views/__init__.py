"""The pages, one file a subject. Each file adds its views to the blueprint."""

from service.pages.blueprint import pages
from service.pages.views import (
    access,
    clubs,
    consent,
    embed,
    files,
    game,
    games,
    language,
    login,
    merges,
    people,
    plays,
    problems,
    rulesets,
    shares,
    statistics,
    years,
)

__all__ = [
    "access",
    "clubs",
    "consent",
    "embed",
    "files",
    "game",
    "games",
    "language",
    "login",
    "merges",
    "pages",
    "people",
    "plays",
    "problems",
    "rulesets",
    "shares",
    "statistics",
    "years",
]
