from __future__ import annotations

import pytest

from pages.ui.escape import label, markdown, plain


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("costs $5 and $6", r"costs \$5 and \$6"),
        (r"already \$5", r"already \$5"),
        ("code `$5` stays", "code `$5` stays"),
        ("```sh\necho $HOME\n```\nand $5", "```sh\necho $HOME\n```\nand \\$5"),
        ("```\nopen $fence", "```\nopen $fence"),
        ("![alt](https://evil.example/x.png)", "! \u2060[alt](https://evil.example/x.png)"),
        (r"\![alt](https://evil.example/x.png)", "\\! \u2060[alt](https://evil.example/x.png)"),
        (":red[text] and :material/delete:", ":\u2060red[text] and :\u2060material/delete:"),
        ("a ratio of 3:2 at 10:30", "a ratio of 3:2 at 10:30"),
        ("plain", "plain"),
    ],
)
def test_markdown(text: str, safe: str) -> None:
    assert markdown(text) == safe


def test_labels_are_one_plain_line() -> None:
    assert label("a *b*\n![c](d) $5 `e`") == r"a \*b\* \!\[c\]\(d\) \$5 \`e\`"
    assert label("x" * 300) == "x" * 99 + "…"
    assert label("x" * 50, most=10) == "x" * 9 + "…"


def test_what_was_typed_stays_as_it_was_typed() -> None:
    assert plain("# head\n- a\n$5 and <b>") == "\\# head  \n\\- a  \n\\$5 and \\<b\\>"
