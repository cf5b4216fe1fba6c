"""Texts that try to make a page fetch something, restyle itself or lie about where a link leads.

``CANARY`` in a text stands for an address that nobody may ask for; ``hostile_texts(address)`` puts it in, with the
name of the text as its path, so that the canary's log says which text got through.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

TEXTS: dict[str, str] = {
    # Images of every Markdown form
    "image": "![a picture](CANARY)",
    "image-in-words": "before ![a](CANARY) after ![b](CANARY?2)",
    "image-empty-alt": "![](CANARY)",
    "image-title": '![a](CANARY "a title")',
    "image-title-single": "![a](CANARY 'a title')",
    "image-title-round": "![a](CANARY (a title))",
    "image-angled": "![a](<CANARY>)",
    "image-spaces": "![a](   CANARY   )",
    "image-long-alt": "![" + "very " * 60 + "long](CANARY)",
    "image-marked-alt": "![**bold** `code` $5 [x] :smile:](CANARY)",
    "image-escaped-alt": r"![a\]b\[c](CANARY)",
    "image-backslash": r"\![a](CANARY)",
    "image-two-backslashes": r"\\![a](CANARY)",
    "image-three-backslashes": r"\\\![a](CANARY)",
    "image-two-bangs": "!![a](CANARY)",
    "image-many-bangs": "!!!!![a](CANARY)!",
    "image-bang-before-link": "![![a](CANARY)](CANARY)",
    "image-in-link": "[![a](CANARY)](CANARY)",
    "image-in-image": "![a ![b](CANARY) c](CANARY)",
    "image-link-in-alt": "![a [b](CANARY) c](CANARY)",
    "image-reference": "![a][b]\n\n[b]: CANARY",
    "image-collapsed": "![b][]\n\n[b]: CANARY",
    "image-shortcut": "![b]\n\n[b]: CANARY 'title'",
    "image-reference-first": "[b]: <CANARY>\n\ntext\n\n![a][B]",
    "image-reference-split": "[b]:\nCANARY\n\n![a][b]",
    "image-reference-in-quote": "> [b]: CANARY\n\n![b]",
    "image-reference-in-list": "- [b]: CANARY\n\n![b]",
    "image-reference-folded": "![ẞ  x][]\n\n[ss x]: CANARY\n[ẞ x]: CANARY",
    "image-over-lines": "![a\nb](CANARY)",
    "image-address-over-lines": "![a](\nCANARY\n)",
    "image-entity-address": "![a](CANARY&amp;x&#61;1)",
    "image-escaped-address": r"![a](CANARY\_x\&y)",
    "image-nested-brackets": "![a [b [c] d] e](CANARY?(x))",
    "image-deep-round": "![a](CANARY?((((x)))))",
    "image-bare-scheme": "![a](CANARY) ![b](//127.0.0.1:1/x) ![c](HTTP:CANARY)",
    "image-user": "![a](http://example.com@127.0.0.1:1/x) ![b](CANARY)",
    # The same in every block
    "image-heading": "# ![a](CANARY)\n## b ![b](CANARY)\n\n![c](CANARY)\n===",
    "image-list": "- ![a](CANARY)\n  - ![b](CANARY)\n\n1. ![c](CANARY)\n2) ![d](CANARY)",
    "image-task": "- [ ] ![a](CANARY)\n- [x] ![b](CANARY)\n- [x]![c](CANARY)",
    "image-quote": "> ![a](CANARY)\n> > ![b](CANARY)\nlazy ![c](CANARY)",
    "image-table": "| a | b |\n|---|---|\n| ![a](CANARY) | ![b](CANARY) |",
    "image-table-head": "| ![a](CANARY) | b |\n|:--|--:|\n| 1 | 2 |",
    "image-table-bare": "![a](CANARY) | b\n--- | ---\n1 | ![c](CANARY)",
    "image-emphasis": "**![a](CANARY)** _![b](CANARY)_ ~~![c](CANARY)~~ ***![d](CANARY)***",
    "image-footnote": "text[^1]\n\n[^1]: ![a](CANARY)\n\n    ![b](CANARY)",
    "image-rule": "---\n![a](CANARY)\n***",
    "image-break": "text  \n![a](CANARY)\\\n![b](CANARY)",
    "image-carriage-return": "text\r![a](CANARY)\r\n![b](CANARY)",
    "image-separators": "a\u2028![a](CANARY)\u2029![b](CANARY)\x0b![c](CANARY)\x0c![d](CANARY)\x85![e](CANARY)",
    "image-unseen": "!\u200b[a](CANARY) !\x00[b](CANARY) !\u2060[c](CANARY) !\U000e0041[d](CANARY)",
    "image-bidi": "!\u202e[a](CANARY) !\u2066[b](CANARY)\u2069 \u202d![c](CANARY)\u202c",
    "image-half-character": "\ud800![a](CANARY)\udfff",
    # Code that is none
    "code-unclosed": "`![a](CANARY)",
    "code-uneven": "``![a](CANARY)`",
    "code-escaped": r"\`![a](CANARY)`",
    "code-escaped-twice": r"`a\` ![a](CANARY) `",
    "code-in-title": '[a](u "`") ![x](CANARY "`")',
    "code-in-web-title": '[a](CANARY "`") ![x](CANARY "`")',
    "code-in-address": "[a](<u`>) ![x](CANARY) `",
    "code-in-autolink": "<http://a.test/`> ![x](CANARY) `",
    "code-in-html": '<a title="`"> ![x](CANARY) `',
    "code-in-html-block": "<div>\n`\n</div>\n\n![x](CANARY) `",
    "code-in-definition": "[a]: u '`'\n![x](CANARY) `",
    "code-in-math": "$`$ ![x](CANARY) $`$",
    "code-over-blocks": "- a `\n- ![x](CANARY) `",
    "code-over-quote": "> `\n![x](CANARY)\n\n`",
    "code-over-cells": "| a | b | c |\n|---|---|---|\n| ` | ![x](CANARY) | ` |",
    "code-over-cells-escaped": "| a | b |\n|---|---|\n| ` \\\\| ![x](CANARY) | ` |",
    "code-over-paragraphs": "`\n\n![x](CANARY)\n\n`",
    "code-over-heading": "# `\n![x](CANARY)\n`",
    "fence-backtick-info": "``` a`b\n![x](CANARY)\n```",
    "fence-closed-early": "```\ncode\n````\n![x](CANARY)\n```",
    "fence-other-mark": "~~~\ncode\n```\n~~~\n![x](CANARY)\n```\n~~~",
    "fence-left-list": "- ```\n![x](CANARY)\n```\n",
    "fence-left-nested-list": "- a\n\n  - ```\n  ![x](CANARY)\n    ```\n![y](CANARY)",
    "fence-left-inner": "- a\n\n  ```\n![x](CANARY)\n  ```",
    "fence-left-quote": "> ```\n![x](CANARY)\n> ```",
    "fence-left-deep-quote": "> > ```\n> ![x](CANARY)\n> > ```\n![y](CANARY)",
    "fence-quote-in-list": "- > ```\n- ![x](CANARY)\n  > ```\n![y](CANARY)",
    "fence-list-in-quote": "> - ```\n> ![x](CANARY)\n> ```\n![y](CANARY)",
    "fence-too-deep": "a\n    ```\n![x](CANARY)\n    ```\n![y](CANARY)",
    "fence-numbered": "a\n2. ```\n![x](CANARY)\n   ```\n![y](CANARY)",
    "fence-tabs": "-\t```\n![x](CANARY)\n\t```\n![y](CANARY)",
    "fence-closer-tab": "- ```\n```\t\n\n![x](CANARY)",
    "fence-closer-after-tab": "```\n\t```\n```\n![x](CANARY)\n```",
    "fence-closer-deep": "```\n    ```\ncode\n```\n![x](CANARY)\n```",
    "fence-closer-words": "```\n``` no\n```\n![x](CANARY)\n```",
    "indented-after-list": "- a\n\n    ![x](CANARY)",
    "indented-lazy": "- a\nb\n\n    ![x](CANARY)",
    "indented-first": "    ![x](CANARY)\n\n    ![y](CANARY)",
    "indented-all": "  a\n\n      ![x](CANARY)\n\n  b",
    "indented-below-definition": "[a]: CANARY\n\n    ![x](CANARY)\n\n    [a]",
    "indented-in-quote": "> a\n>\n>     ![x](CANARY)\n\n    ![y](CANARY)",
    "indented-in-footnote": "[^1]: a\n\n    ![x](CANARY)",
    "indented-with-tab": "a\n\n\t![x](CANARY)\n \t![y](CANARY)\n\n![z](CANARY)",
    # HTML and CSS
    "html-img": '<img src="CANARY">',
    "html-img-bare": "<img src=CANARY onerror=fetch('CANARY')>",
    "html-picture": '<picture><source srcset="CANARY"><img srcset="CANARY 2x"></picture>',
    "html-svg": '<svg><image href="CANARY"/><use xlink:href="CANARY#a"/></svg>',
    "html-iframe": '<iframe src="CANARY" srcdoc="<img src=CANARY>"></iframe>',
    "html-script": '<script src="CANARY"></script><script>fetch("CANARY")</script>',
    "html-style": "<style>@import url(CANARY); body{background:url(CANARY)}</style>",
    "html-style-attribute": '<div style="background-image:url(CANARY)">x</div>',
    "html-link": '<link rel="stylesheet" href="CANARY"><link rel="preload" as="image" href="CANARY">',
    "html-media": '<video poster="CANARY" src="CANARY"></video><audio src="CANARY" autoplay></audio>',
    "html-object": '<object data="CANARY"></object><embed src="CANARY"><base href="CANARY">',
    "html-meta": '<meta http-equiv="refresh" content="0;url=CANARY">',
    "html-input": '<input type="image" src="CANARY"><body background="CANARY">',
    "html-comment": "<!-- \n\n![a](CANARY) --> <![CDATA[ ![b](CANARY) ]]> <? ![c](CANARY) ?>",
    "html-block": "<div>\n![a](CANARY)\n\n![b](CANARY)\n</div>",
    "html-entities": "&lt;img src=CANARY&gt; &#33;[a](CANARY) !&#91;b](CANARY) &#x21;&lbrack;c&rsqb;(CANARY)",
    # LaTeX
    "latex-image": r"$\includegraphics{CANARY}$ $$\includegraphics[width=1em]{CANARY}$$",
    "latex-html": r"$$\htmlStyle{background:url(CANARY)}{x}$$ $\htmlClass{a}{x}$",
    "latex-link": r"$\href{CANARY}{x}$ $\url{CANARY}$ \(\href{CANARY}{y}\)",
    "latex-block": "$$\n\\frac{1}{2}\n![a](CANARY)\n$$\n![b](CANARY)",
    "latex-escapes": r"\\$x$ \\\\$y$ \$z$ ![a](CANARY) $",
    "money": "It costs $5 and $6, US$7 or $$8$$. ![a](CANARY)",
    # What Streamlit adds
    "directive-colour": ':red[![a](CANARY)] :blue-background[![b](CANARY)] :color[x]{foreground="url(CANARY)"}',
    "directive-badge": ":green-badge[![a](CANARY)] :small[![b](CANARY)] :shimmer[x] :help[x]",
    "directive-block": ":::red\n![a](CANARY)\n:::\n\n::img[a]{src=CANARY}\n\n:img[a]{src=CANARY}",
    "directive-tab": ":\t[![a](CANARY)] x:\t[paypal.com](CANARY) ::\twww.paypal.com",
    "directive-icon": ":material/delete: ![a](CANARY) :streamlit: \\:streamlit: :streamlit\\: :smile: \\:smile:",
    "mermaid-image": '```mermaid\nflowchart TD\n  A@{ img: "CANARY", label: "a", w: 60, h: 60 }\n  A --> B\n```',
    "mermaid-html": '```mermaid\ngraph TD\n  A["<img src=\'CANARY\'/>"] --> B\n  click A href "CANARY"\n```',
    "mermaid-css": '~~~Mermaid\n%%{init: {"themeCSS": "* {background:url(CANARY)} @import url(CANARY);"}}%%\n'
    "graph TD\n  A --> B\n  style A fill:url(CANARY)\n~~~",
    "mermaid-disguised": '``` &#109;ermaid\nflowchart TD\n  A@{ img: "CANARY", w: 60, h: 60 }\n```\n\n'
    '```!language-mermaid\nflowchart TD\n  A@{ img: "CANARY", w: 60, h: 60 }\n```\n\n'
    '```mermaid-x {a}\nflowchart TD\n  A@{ img: "CANARY", w: 60, h: 60 }\n```',
    # Links that lie
    "link-other-text": "[paypal.com](CANARY) [https://paypal.com/login](CANARY) [PayPal](CANARY)",
    "link-user": "[a](http://paypal.com@127.0.0.1:1/) <http://paypal.com@127.0.0.1:1/> http://paypal.com@127.0.0.1:1/",
    "link-script": "[a](javascript:fetch('CANARY')) [b](JaVaScRiPt:fetch('CANARY')) [c](java&#115;cript:x('CANARY'))",
    "link-data": "[a](data:text/html,<img src=CANARY>) [b](vbscript:x) ![c](data:image/svg+xml,<image href='CANARY'/>)",
    "link-file": "[a](file:///etc/passwd) ![b](file:///etc/passwd) [c](blob:CANARY) ![d](blob:CANARY)",
    "link-here": "![a](/app/static/x.png) ![b](?c=1) ![c](../x) [d](/_stcore/health) ![e](#x)",
    "link-many-brackets": "[[[[[[a](CANARY)](CANARY)](CANARY)]]]![[[b](CANARY)",
    # Where a table, a chart or a name is shown
    "formula": '=IMAGE("CANARY") ![a](CANARY)',
    "json": '{"image": "CANARY", "a": "![x](CANARY)", "url": "CANARY"}',
    "vega": '{"mark": "image", "encoding": {"url": {"value": "CANARY"}}, "data": {"url": "CANARY"}}',
    "label-of-icon": ":material/home: ![a](CANARY) [b](CANARY) CANARY",
    "html-of-markdown": "**a**<br>![a](CANARY)<br/><b>![b](CANARY)</b>",
}
_PARTS = (
    *("![a](CANARY)", "![a][b]", "[b]: CANARY", "[a](CANARY)", "![", "](CANARY)", "[", "]", "!", "(CANARY)"),
    *("`", "``", "```", "````", "~~~", "~", "$", "$$", "\\", "\\\\", "<", ">", "|", "&", ":", "::", "*", "_", "**"),
    *("\n", "\n", "\n", "\n\n", "\n\n", "\r", "  \n", "\t", " ", "  ", "   ", "    ", "      "),
    *("- ", "* ", "1. ", "2. ", "10) ", "> ", ">", "# ", "---\n", "|---|---|\n", "| a | b |\n|---|---|\n", "===\n"),
    *(
        "- ```\n",
        "> ```\n",
        "1. ```\n",
        "   ```\n",
        "     ```\n",
        "- [ ] ",
        "[^1]: ",
        "<div>\n",
        "</div>",
        "<!--",
        "-->",
    ),
    *(
        '"',
        "'",
        " 'title'",
        "word",
        "http://a.test/`x",
        "www.a.test",
        "```mermaid\n",
        "```\n",
        "\t```\n",
        "```\t\n",
        "&#33;",
        ":red[",
        "\u202e",
    ),
)


def hostile_texts(address: str) -> dict[str, str]:
    """Every text by its name, with its own path below ``address``."""
    return {name: text.replace("CANARY", f"{address}/{name}") for name, text in TEXTS.items()}


def mixtures(address: str, seed: int, count: int) -> Iterator[str]:
    """``count`` texts made of the parts of hostile ones by chance; the same for the same ``seed``."""
    chance = random.Random(seed)
    for number in range(count):
        text = "".join(chance.choice(_PARTS) for _ in range(chance.randint(4, 24)))
        yield text.replace("CANARY", f"{address}/mixture-{seed}-{number}")
