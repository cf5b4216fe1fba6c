"""Keys as people paste them, and whose one is by its looks."""

from __future__ import annotations

from agent.text.pasted_keys import foreign_maker, plain_key
from tests.support.cases import each

KEY = "sk-proj-AbC_123-xyz0987654321"


@each(
    "pasted",
    [
        KEY,
        f"  {KEY}\n",
        f"\u3000{KEY}\u00a0",
        f"Bearer {KEY}",
        f"bearer  {KEY} ",
        f'"{KEY}"',
        f"“{KEY}”",
        f"`{KEY}`,",
        f"OPENAI_API_KEY={KEY}",
        f'export OPENAI_API_KEY="{KEY}"',
        f'export OPENAI_API_KEY="Bearer {KEY}"',
        f"OPENAI_API_KEY = '{KEY}';",
        f"Authorization: Bearer {KEY}",
        f'"Authorization: Bearer {KEY}"',
        f"x-api-key: {KEY}",
    ],
)
def test_what_is_copied_with_a_key_goes(pasted: str) -> None:
    assert plain_key(pasted) == KEY


@each("key", ["", "bearer", "secret", "QUJDREVGR0g=", "ABC==", "id:secret", "two words", "hunter2=hunter2"])
def test_other_keys_stay_as_they_are(key: str) -> None:
    assert plain_key(key) == key


@each(
    "key, host, maker",
    [
        ("sk-ant-api03-abc", "api.openai.com", "Anthropic"),
        ("sk-ant-api03-abc", "api.anthropic.com", ""),
        ("gsk_abc", "localhost", "Groq"),
        ("gsk_abc", "api.groq.com", ""),
        ("sk-proj-abc", "api.openai.com", ""),
        ("sk-proj-abc", "evilopenai.com", "OpenAI"),
        ("AIzaSyabc", "openrouter.ai", "Google"),
        ("sk-abc", "api.deepseek.com", ""),
        ("", "api.openai.com", ""),
    ],
)
def test_a_key_of_another_maker_is_told_by_its_beginning(key: str, host: str, maker: str) -> None:
    assert foreign_maker(key, host) == maker
