"""The table as an SVG document."""


def draw(state):
    return "<svg/>"
