"""Keys of model servers as people paste them, and whose one is by its looks."""

from __future__ import annotations

import re

from agent.text.regex import regex

# Its name in an environment or a header, and the word before it there.
_NAMED = regex(r"(?:export\s+)?[A-Z][A-Z\d_]*\s*=\s*(?=['\"]|\S{8})")
_BEARER = regex(r"(?:authorization|(?:x-)?api-key)\s*:\s*|bearer\s+", re.I)
_QUOTES = "\"'`“”‘’,;"
# What the keys of a maker begin with, and where they are used.
_MAKERS = (
    ("sk-ant-", "Anthropic", "anthropic.com"),
    ("sk-or-", "OpenRouter", "openrouter.ai"),
    ("sk-proj-", "OpenAI", "openai.com"),
    ("gsk_", "Groq", "groq.com"),
    ("AIza", "Google", "googleapis.com"),
    ("xai-", "xAI", "x.ai"),
    ("hf_", "Hugging Face", "huggingface.co"),
    ("nvapi-", "NVIDIA", "nvidia.com"),
    ("pplx-", "Perplexity", "perplexity.ai"),
    ("csk-", "Cerebras", "cerebras.ai"),
)


def plain_key(text: str) -> str:
    """The key alone, without what is copied with it: white space, quotes, ``NAME=``, ``Authorization: Bearer``."""
    before, key = "", text
    while key != before:
        before, key = key, key.strip().strip(_QUOTES)
        for around in (_NAMED, _BEARER):
            if found := around.match(key):
                key = key[found.end() :]
    return key


def foreign_maker(key: str, host: str) -> str:
    """Who has made the key, where its looks tell that it is not for ``host``; else ""."""
    for beginning, maker, home in _MAKERS:
        if key.startswith(beginning):
            return "" if f".{host}".endswith(f".{home}") else maker
    return ""
