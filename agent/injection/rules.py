"""What an instruction to a model looks like, in English and Japanese. Texts come in lower case with single spaces."""

from __future__ import annotations

import re

_WHO = (
    r"(?:ai|a\.i\.|llm|language model|assistant|chat ?bot|chatgpt|gpt(?:-?\d\w*)?|claude|gemini|copilot|glassbox|"
    r"(?:ai|autonomous|research|browsing|web) (?:assistant|agent|model|system|bot|reader|crawler)|agent|bot|model)s?"
)
_SURELY = (
    r"(?:(?:ai|llm)s?|language models?|ai[ -](?:assistants?|agents?|models?|systems?|bots?|readers?|crawlers?)|"
    r"chatgpt|chat ?bots?|glassbox|(?:gpt|claude|gemini|copilot)(?:-?\d\w*)?|virtual assistants?)"
)
_ORDERS = (
    r"(?:instruction|prompt|rule|direction|guideline|directive|command|constraint|order|system message|training)s?"
)
_TAKING_OFF = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|overrule|bypass|discard|abandon|set aside|"
    r"pay no attention to|do not (?:follow|obey)|don't (?:follow|obey)|stop (?:following|obeying)|erase|drop)"
)
_EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|former|past|all|any|every|your|"
    r"system|developer|other|those|these|safety)"
)
_SECRETS = (
    r"(?:(?:the |this |our |whole |entire |full |complete )*(?:conversation|chat history|chat log|dialogue|context window|"
    r"conversation history|message history)|(?:your |the )?(?:hidden |initial |full )?system prompt|"
    r"(?:the |any |all |this )*(?:user|visitor|customer|person|human|owner|victim)s?'?s? (?:\w+ ){0,2}(?:data|questions?|"
    r"messages?|api keys?|keys?|passwords?|credentials?|names?|emails?|files?|tables?|secrets?|details|history|query|"
    r"tokens?|address(?:es)?|information|salary|salaries)|everything (?:you|above|in)|what the user (?:asked|wrote|said)|"
    r"(?:the )?(?:previous|prior|earlier) messages|your (?:instructions|prompt|memory|context|configuration|api keys?|keys|"
    r"credentials|secrets)|environment variables|(?:all|any|every) (?:of )?(?:the |your )?(?:rows?|records?|tables?|secrets?|"
    r"api keys?|keys|passwords|credentials|tokens)|(?:the )?(?:table|database|spreadsheet)(?:'s)? (?:contents?|rows|data)|"
    r"(?:the )?contents? of (?:the |your |this |each |every |all )*(?:\w+ )?(?:tables?|files?|databases?|context|"
    r"documents?|spreadsheets?)|(?:the )?(?:api|secret|access|private) keys?|serpapi_api_key|openai_api_key)"
)
_SENDING = (
    r"(?:send|sends|post|forward|e-?mail|upload|transmit|leak|exfiltrate|append|attach|include|submit|report|copy|put|"
    r"encode|paste|pass|deliver|insert|add|write)"
)
_PLACE = (
    r"(?:https?://|www\.|\w@\w|\burl\b|\blink\b|\bendpoint\b|\bserver\b|\bwebhook\b|\baddress\b|"
    r"query (?:string|parameter)|\bparameter\b)"
)
_TOOL = r"(?:read_url|query_database|send_\w+|\w+_(?:file|url|email|mail|data)|the \w+ (?:tool|function)|tools?\b|functions?\b)"

# name, what must be in the text for the rule to be tried, the rule
_RULES: tuple[tuple[str, str, str], ...] = (
    ("override", "", rf"\b{_TAKING_OFF}\b[^.]{{0,30}}\b{_EARLIER}\b[^.]{{0,30}}\b{_ORDERS}\b(?! (?:manual|of thumb|booklet))"),
    ("override", "", rf"\b{_TAKING_OFF} (?:everything|all|anything|whatever)\b[^.]{{0,25}}\b(?:told|said|above|before|so far|learned)"),
    ("override", "instruct", r"\b(?:new|updated|revised|real|actual|true|secret|hidden|special|additional) "
     r"(?:system |task |urgent )?instructions?(?: for (?:you|the \w+|ai\w*))?\s*(?::|follow|are as|supersede|override|replace)"),
    ("override", "instruct", r"\binstructions?\b[^.]{0,40}\b(?:supersede|override|replace|take (?:precedence|priority) over)"
     r"\b[^.]{0,40}\b(?:previous|prior|all|any|other|system|earlier|your|user)"),
    ("override", "task|goal|objective", r"\byour (?:new|real|true|actual|only|next|primary) "
     r"(?:task|goal|objective|mission|job|purpose) (?:is|will be)\b"),
    ("role", "you", r"\byou(?:'re| are) (?:now|no longer) (?:in |an? |the |dan\b|free|bound|operating|acting|required|"
     r"restricted|called|unrestricted|evil|root|admin)"),
    ("role", "from now on|henceforth|effective immediately", r"\b(?:from now on|henceforth|effective immediately),? you\b"),
    ("role", "pretend|act as|roleplay|behave", r"\b(?:you (?:must|should|will|shall) (?:now )?(?:act as|behave as|"
     r"pretend|roleplay)|pretend (?:that )?you(?:'re| are) (?:an? )?(?:\w+ )?(?:ai|admin|root|unrestricted|developer)|"
     r"act as (?:an? )?(?:unrestricted|jailbroken|uncensored))"),
    ("role", "mode|jailbr", r"\b(?:(?:enter|enable|activate|switch (?:in)?to|entering|enabled?)\W{1,3}(?:the )?"
     r"(?:developer|debug|admin|god|dan|maintenance|unrestricted|sudo) mode\b.{0,60}\b(?:you|all|dump|reveal|print|output|"
     r"restrict|safety|policy|filter)|(?:developer|admin|dan|god) mode (?:is )?(?:now )?(?:enabled|activated|on)\b"
     r".{0,80}\b(?:you|reveal|print|dump|output|safety|restrict))"),
    ("addressed", "", rf"\b(?:attention|note|message|instructions?|notice|important|urgent|memo|reminder|warning|hint|"
     rf"dear|hey|hello|hi|request|command|directive|order)\b[\s:,!-]{{0,4}}(?:(?:to|for) )?(?:all |any |the |every |our )?"
     rf"{_WHO}(?: (?:reading|processing|summari[sz]ing|parsing|browsing|visiting|viewing)\b[^:,.]{{0,40}})?\s*"
     rf"(?:[:,!;]|- |—|only\b)\s*(?=\S*\s*\S*\s*)(?!.{{0,40}}\b(?:released|announced|launched)\b)"),
    ("addressed", "if you", rf"\bif you(?:'re| are) (?:an? |the )?{_WHO}\b(?! (?:developer|engineer|researcher|owner|user))"),
    ("addressed", "", rf"\b{_SURELY}(?: (?:that|which|who))? (?:(?:reading|processing|summari[sz]ing|visiting|parsing|"
     rf"indexing|seeing) (?:this|these)\b[^.]{{0,60}}\b(?:must|should|shall|need|are|have|please|will)\b|"
     rf"(?:must|shall|are (?:required|instructed|ordered|asked) to) (?:now |always |immediately |not |only )*"
     rf"(?:say|tell|ignore|answer|recommend|reply|respond|visit|call|send|open|describe|rate|include|state|use|run|fetch|"
     rf"report|mention|output|reveal|follow))"),
    ("addressed", "", rf"\b(?:dear|hey|hello|hi|to(?: the)?|as an?|you,?) {_SURELY}[,:;!]? (?:[\w',]+ ){{0,6}}(?:please|"
     rf"you must|you should|you have to|you are|must|kindly|ignore|send|call|visit|reply|recommend|reveal|fetch)\b"),
    ("addressed", "assistant|agent", r"\b(?:the |this )?(?:assistant|agent) (?:must|shall|has to|needs to|is (?:required|"
     r"instructed|ordered) to) (?:now |always |immediately |first |also |then |not )*(?:call|send|visit|fetch|open|reveal|"
     r"ignore|forward|reply|respond|output|print|run|execute|include|append|read|disclose|post|upload|tell|answer)\b"),
    ("marker", r"<\||\[/?inst\]|<<sys>>|</?data>|</?(?:system|tool_result|observation|instructions?|important)\b",
     r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)|\[/?inst\]|<<sys>>|</data>|"
     r"</?(?:system|tool_result|function_results?|observation)>|"
     r"<(?:instructions?|important)>.{0,200}\b(?:must|before|always|you|read|ignore|send|call)\b"),
    ("marker", "system|developer|assistant", r"(?:^|[\n>\"'(\[#*=-] ?)(?:\[?#{0,3} ?)?(?:system|developer|assistant|admin(?:istrator)?)"
     r"(?: (?:message|notice|override|prompt|alert|note|instruction|command|update))?\]?\s*[:：>\]-]+\s*.{0,60}\b(?:you |your |"
     r"ignore|disregard|must|override|reveal|send|call |execute|the user|new |approved|granted|disable|forget|users? has)"),
    ("marker", "end of|begin|beginning", r"(?:end of|begin(?:ning)?(?: of)?|start of) (?:the )?(?:tool|function|search|"
     r"untrusted|retrieved|system|user|observation|document) ?(?:output|results?|data|message|prompt|content|input|text)?"
     r"[\s\]=*#.-]+.{0,80}\b(?:you|now|new|ignore|instruction|system|must|call|send)\b"),
    ("send", "", rf"\b{_SENDING}\b[^.]{{0,40}}{_SECRETS}\b.{{0,90}}{_PLACE}"),
    ("send", "", rf"(?:\b(?:visit|fetch|open|request|load|call|read_url|get|go to|navigate to|browse to|access|ping)\b|{_TOOL})"
     rf".{{0,100}}https?://\S*.{{0,80}}\b(?:with|append|plus|followed by|replac\w+|contain\w*|includ\w*|where|and add)\b.{{0,50}}{_SECRETS}"),
    ("send", r"https?://|!\[", r"https?://\S*[?&=/]\S{0,40}(?:[{<\[(]|%7b|\$)[\w ':_-]*(?:secret|api.?key|password|"
     r"conversation|prompt|history|user|answer|question|data|context|token|table|salary|name|email|result)[\w ':_-]*(?:[}>\])]|%7d)"),
    ("send", r"!\[|image|markdown", r"\b(?:include|add|append|embed|render|insert|display|output|end (?:your|the|every) \w+ with|"
     r"put|start|show|write|use)\b.{0,80}(?:!\[|(?:markdown|tracking|invisible|hidden|1x1) (?:image|link|pixel)|<img)"),
    ("reveal", "prompt|instruct|rules", r"\b(?:reveal|print|repeat|output|show|display|disclose|dump|recite|quote|return|list|tell me|"
     r"write out|give me)\b[^.]{0,30}\b(?:your|the) (?:full |entire |whole |complete |exact |hidden |initial |original |secret )*"
     r"(?:system (?:prompt|message|instructions)|initial (?:prompt|instructions)|prompt|hidden instructions|instructions "
     r"(?:above|verbatim|you were given)|developer message)\b"),
    ("conceal", "user|human|person|anyone|operator|owner", r"\b(?:do not|don't|never|without) (?:ever )?(?:tell|mention|inform|"
     r"reveal|telling|mentioning|informing|say|let|alert|alerting|notify|show|disclose|report|warn)\b[^.]{0,40}\b(?:this|these|"
     r"that|it|instructions?|message|know|anything|about)\b[^.]{0,25}\b(?:to )?(?:the |your )?(?:user|human|person|operator|owner)\b"),
    ("conceal", "user|human|operator", r"\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|alert|alerting|"
     r"notify|ask|asking|warn|warning) (?:the|your) (?:user|human|person|operator|owner)\b[^.]{0,60}\b(?:this|these|instruction|"
     r"about|that you|permission|confirm|approval|first|what you|why)"),
    ("steer", "user", r"\b(?:tell|inform|convince|advise|instruct|persuade|ask|urge|direct|warn) the (?:user|human|person|customer|reader)"
     r" (?:that |to )(?:[^.]{0,60})\b(?:visit|click|call|enter|download|install|pay|transfer|log ?in|sign in|https?://|password|"
     r"expired|compromised|card|account)"),
    ("steer", "answer|respon|reply|summar|question", r"\b(?:before|instead of|while|when) (?:you )?(?:answer|respond|reply|continu|"
     rf"summari[sz]|proceed|us|call)\w*\b.{{0,80}}\b(?:call|visit|fetch|open|use|run|execute|invoke|send|read|post|load|request)\b"
     rf".{{0,60}}(?:https?://|{_TOOL}|~/|\.env\b)"),
    ("steer", "answer|respon|reply|output|summar", r"\b(?:reply|respond|answer|output|summari[sz]e)\b[^.]{0,30}\b(?:only|just|exactly|"
     r"nothing but|solely)\b[^.]{0,20}(?:with|:|the (?:word|words|text|phrase|following))\b.{0,60}(?:\"|'|“|:|\bword|\bphrase)"
     r"(?=.{0,120}\b(?:user|ignore|regardless|no matter|whatever|instead|hacked|pwned|nothing else|assistant|any question))"),
    ("tool", "", rf"\b(?:call|invoke|execute|use|run|trigger)\b (?:the )?`?(?:{_TOOL}|python|terminal|shell|query|search)`?\b.{{0,60}}"
     rf"\b(?:immediately|right now|at once|without (?:asking|confirm|approval|permission)|silently|secretly|on every|each time)\b"),
    ("tool", "", r"\b(?:immediately|silently|secretly|now) (?:call|invoke|execute|use|run|trigger|fetch|visit|open)\b.{0,50}"
     r"(?:read_url|terminal|shell|\btool\b|\bfunction\b|https?://|rm -rf|curl |drop table|delete )"),
    ("tool", r"\.ssh|id_rsa|\.env|secrets\.toml|/etc/passwd|mcp\.json|credentials|private key", r"\b(?:read|open|include|pass|provide|"
     r"attach|cat|load|send|contents? of|put)\b.{0,80}(?:~/\.|id_rsa|\.env\b|secrets\.toml|/etc/passwd|mcp\.json|\.ssh/|"
     r"credentials file|private key).{0,120}\b(?:pass|as|in|to|into|otherwise|sidenote|parameter|argument|will not work|answer|with)\b"),
    ("tool", "tool", r"\b(?:this tool|these tools?|any (?:other )?tool|every (?:other )?tool)\b.{0,40}\b(?:must|should|always|has to|"
     r"needs? to)\b.{0,60}\b(?:call(?:ed)? (?:first|before|instead|this)|first|before any|instead of|also (?:call|send|include)|"
     r"pass|conversation|history|system prompt)\b"),
    ("tool", "tool|function", r"\b(?:when|before|after|whenever|each time) (?:using|calling|you (?:use|call)|running) (?:this|the|any)\b.{0,40}"
     r"\b(?:tool|function)\b.{0,60}\b(?:read|send|include|pass|call|copy|forward|also)\b.{0,80}"
     r"(?:conversation|history|file|secret|key|~/|system prompt|previous|user|bcc|https?://)"),
    # Japanese
    ("override", "無視|忘れ|破棄|上書き|従わ|取り消|リセット", r"(?:これまで|以前|前|上記|今まで|いままで|すべて|全て|全部|元|最初|システム|他|既存|与えられた)"
     r".{0,16}(?:指示|命令|プロンプト|ルール|規則|制約|設定|指令|ガイドライン).{0,10}(?:無視|忘れ|破棄|上書き|従わ|取り消|リセット)"),
    ("override", "指示|命令|プロンプト", r"(?:無視|忘れ|破棄)(?:して|て|せよ|しろ).{0,24}(?:指示|命令|プロンプト).{0,12}(?:従|実行|守)"),
    ("override", "指示|命令|任務|タスク", r"(?:新しい|新たな|本当の|真の|隠された|次の|以下の)(?:システム)?(?:指示|命令|任務|タスク|プロンプト).{0,3}"
     r"(?:[:：]|は(?:次|以下|こ)|に(?:のみ|だけ)?従|を(?:実行|優先))"),
    ("role", "あなた|君|きみ", r"(?:あなた|君|きみ)は(?:これから|今から|今後|いまから|もはや|もう|今や).{0,40}(?:です|だ|なり|ふるま|振る舞|ありません|ない|応答|行動)"),
    ("addressed", "ai|人工知能|アシスタント|エージェント|モデル|チャットボット|llm|gpt", r"(?:ai|人工知能|アシスタント|エージェント|言語モデル|チャットボット|llm|chatgpt|"
     r"aiモデル)(?:の(?:皆さん|方|みなさん))?(?:への|へ|宛|向けの|に対する|用の|さんへ)(?:の)?.{0,12}(?:指示|命令|お願い|連絡|次|以下|必ず|警告|メッセージ|注意|重要)"),
    ("addressed", "ai|人工知能|アシスタント|エージェント|モデル|チャットボット|llm|gpt", r"(?:ai|人工知能|アシスタント|エージェント|言語モデル|チャットボット|llm|chatgpt)"
     r"(?:アシスタント|エージェント|モデル)?(?:は|なら|であれば|の場合は?|が)、?(?:必ず|ただちに|直ちに|今すぐ|すぐに|次の|以下の|この(?:ページ|文|指示)).{0,60}"
     r"(?:ください|なさい|せよ|しろ|こと|しなければ|ねばならない|べき)"),
    ("addressed", "あなたが", r"あなたが(?:もし)?(?:ai|人工知能|アシスタント|エージェント|言語モデル|llm|チャットボット).{0,12}(?:なら|であれば|場合)"),
    ("reveal", "プロンプト|指示|秘密", r"(?:システムプロンプト|システムメッセージ|初期(?:指示|プロンプト)|内部(?:指示|設定)).{0,16}(?:表示|出力|教え|公開|送信|開示|書き出|見せ|貼)"),
    ("conceal", "ユーザ|利用者|使用者|人間|本人", r"(?:ユーザー?|利用者|使用者|人間|本人)(?:に|には|へ).{0,20}(?:言わな|言わず|知らせな|知らせず|伝えな|伝えず|"
     r"教えな|教えず|秘密|内緒|報告しな|報告せず|気づかれ|確認せず|確認を取らず|許可を(?:求め|得)(?:ず|な))"),
    ("send", "送|転送|アップロード|付け|含め|追加|投稿|埋め込", r"(?:会話|履歴|apiキー|キー|パスワード|秘密|個人情報|データ|表の(?:内容|中身)|すべての行|全ての行|全行|"
     r"認証情報|ユーザーの|利用者の|システムプロンプト|給与).{0,40}(?:https?://|url|アドレス|サーバー|メール|宛|@).{0,70}(?:送信|送って|送れ|送る|転送|アップロード|"
     r"付けて|付け加え|追加|含め|投稿|埋め込)"),
    ("send", r"https?://|url|@|メール", r"(?:https?://\S+|url|メール|\S+@\S+).{0,24}(?:に|へ|で|の).{0,30}(?:会話|履歴|apiキー|パスワード|秘密|個人情報|データ|"
     r"表の内容|全ての行|すべての行|認証情報|ユーザーの|利用者の|システムプロンプト|給与).{0,30}(?:送|転送|アップロード|付け|含め|追加|投稿|埋め込|つけて)"),
    ("steer", "回答|答え|返答|応答|要約", r"(?:回答|答え|返答|応答|要約)(?:する|を始める|の)?(?:前に|最後に|には必ず|の中に|時に).{0,50}(?:リンク|画像|https?://|url|ツール|"
     r"read_url|関数).{0,40}(?:開|アクセス|呼び出|実行|含め|追加|表示|埋め込|付け|読)"),
    ("tool", "ツール|関数|read_url|terminal|ターミナル", r"(?:必ず|今すぐ|直ちに|ただちに|すぐに|まず|先に|黙って|こっそり).{0,30}(?:ツール|関数|read_url|query|"
     r"ターミナル|terminal|python).{0,20}(?:呼び出|実行|使って|使え|使用)"),
    ("steer", "ユーザ|利用者", r"(?:ユーザー?|利用者)(?:に|へ)(?:は)?.{0,40}(?:https?://|パスワード|カード|口座|クリック|ログイン|電話).{0,40}(?:入力|伝え|案内|勧め|"
     r"指示|誘導|教え)(?:て|る|し).{0,12}(?:ください|なさい|せよ|こと)"),
)  # fmt: skip
_COMPILED = tuple((name, re.compile(needs), re.compile(rule)) for name, needs, rule in _RULES)
# Nothing of the sort can be said without one of these.
_ANY = re.compile(
    r"instruct|prompt|ignor|disregard|forget|overr|assistant|agent|\bai\b|\ba\.i\.|llm|language model|bot\b|gpt|claude|gemini|copilot"
    r"|glassbox|you|user|system|https?://|tool|function|read_url|~/|\.env|<\||\[/?inst|</?\w|!\[|secret|key|password"
    r"|immediately|silently|secretly|指示|命令|プロンプト|ユーザ|利用者|アシスタント|エージェント|モデル|人工知能|ツール|送|あなた|君|ai|回答|答え|ルール|規則|設定|制約"
)
# Two of the labels of the text wire, one of which nobody writes who does not mean it.
LABELS = re.compile(
    r"^[ \t>*#-]*(?:(?:Thought|Action|Observation|思考|行動|観察)[ \t]*[:：].*\n(?:.*\n){0,4}?[ \t>*#-]*"
    r"(?:Action Input|Final Answer|行動の入力|最終的な答え)[ \t]*[:：].*"
    r"|(?:Action Input|行動の入力)[ \t]*[:：].*)",
    re.I | re.M,
)


def matching(text: str) -> str:
    """The name of the first rule that ``text`` fits, or ""."""
    if not _ANY.search(text):
        return ""
    return next((name for name, needs, rule in _COMPILED if needs.search(text) and rule.search(text)), "")
