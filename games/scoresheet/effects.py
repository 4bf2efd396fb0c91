"""The effects of entries on a sheet: their kinds, each with its sentence."""

from __future__ import annotations

KINDS = {
    "cell.entered": "{seat} entered {at}",
    "cell.changed": "{seat} changed {at}",
    "cell.shared": "All share {at}",
    "cells.filled": "Empty cells count as: {at}",
    "bonus.given": "{seat} gained {count} for {at}",
    "penalty.given": "{seat} lost {count} for {at}",
    "marker.given": "{at}: {seat}",
    "marker.taken": "{at}: not {seat} any more",
    "seat.left": "{seat} dropped out",
    "seat.added": "{seat} has a seat now",
    "seat.joined": "{seat} joined with {count}",
    "target.reached": "{seat} reached the target of {count}",
    "end.reached": "{seat} ended the game",
    "game.stopped": "The game was stopped early",
    "game.won": "{seat} won",
    "game.tied": "{seat} shares the victory",
    "game.lost": "Nobody won",
}
"""Every kind of effect, with its sentence."""
