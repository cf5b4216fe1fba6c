"""When chunks are gathered and looked at together, so that a text full of marks costs few looks."""

from __future__ import annotations

MOST_LOOKS = 500  # a text that had to be looked at closely so often is gathered from there on
PIECE = 48  # characters that are looked at together; an empty chunk asks for what there is
