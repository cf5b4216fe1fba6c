"""Greetings and thanks, which need no history."""

from __future__ import annotations

import re

from agent.text.regex import regex

SMALL_TALK = regex(
    r"^\W*(?:hi|hello|hey|thanks?|thank you|thx|ok|okay|great|bye|good (?:morning|evening|night)|help|"
    r"こんにちは|ありがとう|どうも|おはよう|こんばんは|さようなら|你好|谢谢)"
    r"(?:\s+(?:there|you|a lot|so much|very much))?\W*$",
    re.I,
)
