"""What the demo says about itself: greetings, help, and the sentence for all it cannot do."""

from __future__ import annotations

import re

from agent.demo.rules.plan import Question, Said
from agent.text.sums.phrases import either

_CONNECT = {
    "en": "To ask anything, open ‘Connect a model’ under the question box: a key for OpenAI or another service, or the "
    "address of a local server such as Ollama.",
    "ja": "何でも質問するには、入力欄の下の「モデルを接続」を開き、OpenAI などのキーか、Ollama "
    "などローカルサーバーのアドレスを入力してください。",
}
EXAMPLES = {
    "en": ("What is the square root of 25?", "What is 15% of 80?", "How many days until Christmas?"),
    "ja": ("25の平方根は？", "100円の8%は？", "クリスマスまであと何日？"),
}
_CAN = {
    "en": "I can do sums in figures or words, percentages, units (“5 km in miles”), dates (“how many days until "
    "Christmas?”) and look things up (“what is the capital of France?”).",
    "ja": "計算（「25の平方根は？」）、割合、単位（「5キロは何マイル？」）、日付（「クリスマスまであと何日？」）、"
    "調べもの（「フランスの首都は？」）ができます。",
}
_GREETING = re.compile(
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day))(?: there)?|こんにちは|こんばんは|"
    r"おはよう(?:ございます)?|やあ",
    re.I,
)
_THANKS = re.compile(
    r"(?:ok(?:ay)?|great|cool|nice|perfect)?,? ?(?:thanks?|thank you|thx)(?: (?:a lot|so much|very much|you))?|"
    r"ありがとう(?:ございます|ございました)?|どうも",
    re.I,
)
_HELP = re.compile(
    r"help(?: me)?|what can you do(?: for me)?|who are you|what are you|how do(?:es)? (?:this|you) work|what is this"
    r"|何ができますか?|何ができるの?|使い方(?:は|を教えて)?|ヘルプ|あなたは誰(?:ですか)?",
    re.I,
)


def small_talk(question: Question) -> Said | None:
    """ "hi", "thanks", "what can you do?": answered shortly, without a tool."""
    text = re.sub(r"[ !?.。]+$", "", question.text)
    language = question.language
    if _GREETING.fullmatch(text):
        hello = either(
            language, "Hello! I am the demo: rules, not AI.", "こんにちは。デモです。AI ではなく規則で動いています。"
        )
        return Said(f"{hello} {_CAN[language]}", None, EXAMPLES[language])
    if _THANKS.fullmatch(text):
        return Said(either(language, "You are welcome!", "どういたしまして。"), None, EXAMPLES[language])
    if _HELP.fullmatch(text):
        what = either(language, "I am a demo that works by rules, without AI.", "AI ではなく規則で動くデモです。")
        return Said(f"{what} {_CAN[language]} {_CONNECT[language]}", None, EXAMPLES[language])
    return None


def decline(question: Question) -> Said:
    """The end of every question that no ability takes."""
    language = question.language
    sorry = either(
        language,
        "I am a demo that works by rules, without AI, and that question is beyond my rules.",
        "AI ではなく規則で動くデモなので、その質問には答えられません。",
    )
    return Said(f"{sorry} {_CAN[language]} {_CONNECT[language]}", None, EXAMPLES[language], declined=True)
