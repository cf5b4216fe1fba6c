"""Testing a connection against servers that are right, wrong, slow, half-dead or odd."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from agent.application.connection_test import fixes
from agent.application.connection_test.checks import check
from agent.application.connection_test.diagnosis import NAMES, Diagnosis, Finding
from agent.application.connection_test.trial import Heard
from agent.errors import ModelFailed
from agent.models.capabilities import Capabilities
from agent.models.model_failures import Failures
from agent.models.presets import PRESETS
from agent.settings import ApiChoice
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.servers.strict_responses import StrictResponses

pytestmark = pytest.mark.slow

KEY = "sk-planted-1234567890abcdef"
TWENTY = " ".join(map(str, range(1, 21)))
WORDS = "apple banana cherry damson"
CALL = Reply(calls=(Call("get_time", '{"city": "Tokyo"}'),))
HTML = Reply(body=b"<!DOCTYPE html><html>Welcome</html>", content_type="text/html")
Found = dict[str, Finding]


def found(endpoint: str, model: str = "scripted-model", key: str = "", seconds: float = 20.0, **more: Any) -> Found:
    """The findings by name; what holds for every test is checked here."""
    began = time.monotonic()
    findings = list(check(endpoint, model, key, seconds, **more))
    assert time.monotonic() - began < seconds + 20
    assert tuple(finding.name for finding in findings) == NAMES
    for finding in findings:
        assert finding.state in ("works", "fails", "unknown") and finding.detail and finding.seconds >= 0
        assert finding.detail.endswith((".", "”")) and len(finding.detail) < 500
        assert not finding.fix or finding.fix.endswith((".", "…).", ")."))
        assert not finding.fix or finding.state != "works" or finding.name == "tools"
        for text in (finding.detail, finding.fix):
            assert text.isprintable()
            assert not key or len(key) < 6 or key not in text
    return {finding.name: finding for finding in findings}


def states(findings: Found) -> str:
    """One letter a line: w(orks), f(ails), u(nknown)."""
    return "".join(findings[name].state[0] for name in NAMES)


def play(body: dict[str, Any]) -> str | Reply:
    """A model that does as it is told."""
    if body.get("tools"):
        return CALL
    return WORDS if "apple" in body["messages"][-1]["content"] else TWENTY


def test_all_works() -> None:
    with ModelServer(play, key=KEY, models=("scripted-model", "other")) as server:
        findings = found(server.endpoint, key=f" {KEY} ")
        assert states(findings) == "wwwwww"
        assert len(server.requests) == 3
        assert {sent.get("authorization") for sent in server.headers} == {f"Bearer {KEY}"}
        assert all(body["max_tokens"] <= 64 for body in server.requests)
    assert findings["reachable"].detail.endswith("lists 2 models.")
    assert findings["key"].detail == "Accepted."
    assert findings["model"].detail == "‘scripted-model’ answers."
    assert re.fullmatch(r"The reply came in \d+ pieces\.", findings["streaming"].detail)
    assert "own way" in findings["tools"].detail
    assert not any(finding.fix for finding in findings.values())


def test_no_key_is_asked_for_and_the_model_is_not_listed() -> None:
    with ModelServer(play) as server:
        findings = found(server.endpoint, "another")
    assert states(findings) == "wwwwww"
    assert findings["key"].detail == "None is set, and none is asked for."
    assert findings["model"].detail == "‘another’ answers, though the server does not list it."


def test_lines_come_one_by_one() -> None:
    with ModelServer(play) as server:
        findings = check(server.endpoint, "scripted-model")
        assert next(findings).name == "reachable"
        assert server.requests == []
        findings.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(("key", "fix"), [("sk-wrong-1234567890abcdef", "Copy it again"), ("", "Enter a key")])
def test_wrong_or_missing_key(key: str, fix: str) -> None:
    with ModelServer(play, key=KEY) as server:
        findings = found(server.endpoint, key=key)
        assert states(findings) == "wfuuuu"
        assert server.requests == []
    assert findings["key"].fix.startswith(fix)
    assert findings["model"].detail == "Not tried."


@pytest.mark.parametrize("preset", ["openai", "vllm"])
def test_the_key_is_wrong_although_the_list_is_open(preset: str) -> None:
    refused = Reply(status=401, body={"error": {"message": f"Incorrect API key provided: {KEY}"}})
    with ModelServer([refused]) as server:
        findings = found(server.endpoint, key=KEY, preset=preset)
    assert states(findings) == "wfuuuu"
    assert ("platform.openai.com/api-keys" in findings["key"].fix) == (preset == "openai")
    assert ("--api-key" in findings["key"].fix) == (preset == "vllm")


def test_403_is_no_wrong_key() -> None:
    refused = Reply(status=403, body={"error": {"message": "Project has no access to model"}})
    with ModelServer([refused]) as server:
        findings = found(server.endpoint, key=KEY)
    assert states(findings) == "wfuuuu"
    assert "does not let this key use" in findings["key"].detail and "Allow ‘scripted-model’" in findings["key"].fix


@pytest.mark.parametrize("key", ["sk with space", "sk-ключ", "a\nb"])
def test_a_key_that_cannot_be_sent(key: str) -> None:
    findings = found("http://127.0.0.1:9/v1", key=key)
    assert states(findings) == "ufuuuu" and "Copy it again" in findings["key"].fix


@pytest.mark.parametrize("address", ["", "ftp://x", "http://me:pw@host/v1", "http://169.254.169.254", "http://☃.test"])
def test_an_unusable_address(address: str) -> None:
    findings = found(address)
    assert states(findings) == "fuuuuu" and findings["reachable"].fix and "pw" not in findings["reachable"].fix


@pytest.mark.parametrize(
    ("preset", "fix"),
    [
        ("ollama", "Get it with “ollama pull qwen3”, or choose one that is there, such as ‘qwen3:8b’."),
        ("lmstudio", "Download it in LM Studio and load it in the Developer tab, or"),
        ("llamacpp", "llama-server has the model it was started with"),
        ("vllm", "--served-model-name"),
        ("openai", "Choose one that is there, such as ‘qwen3:8b’."),
    ],
)
def test_wrong_model(preset: str, fix: str) -> None:
    missing = Reply(status=404, body={"error": {"message": "The model `qwen3` does not exist", "code": 404}})
    with ModelServer([missing], models=["qwen3:8b", "llama"]) as server:
        findings = found(server.endpoint, "qwen3", preset=preset)
    assert states(findings) == "wwfuuu"
    assert fix in findings["model"].fix and "It said: “The model `qwen3` does not exist”" in findings["model"].detail


def test_no_model_chosen() -> None:
    with ModelServer(play) as server:
        findings = found(server.endpoint, " ")
        assert states(findings) == "wufuuu" and server.requests == []
        assert findings["model"].fix == "Choose one from the list."
    with ModelServer(play, models=()) as server:
        findings = found(server.endpoint, "", preset="ollama")
        assert "ollama pull" in findings["model"].fix
    with ModelServer(play, listing=HTML) as server:
        assert states(found(server.endpoint, "")) == "fuuuuu"


def test_wrong_path_is_answered_with_the_right_one() -> None:
    with ModelServer(play, key=KEY) as server:
        findings = found(f"{server.endpoint}/deeper", key=KEY)
        assert states(findings) == "fuuuuu"
        assert findings["reachable"].fix == f"Use {server.endpoint}: there is a list of models there."
        assert f"Use {server.endpoint}" in found(f"http://127.0.0.1:{server.port}/api", "", KEY)["reachable"].fix


def test_a_web_page() -> None:
    with ModelServer([HTML] * 2, listing=HTML) as server:
        findings = found(server.endpoint)
        assert states(findings) == "fuuuuu"
        assert "a web page" in findings["reachable"].detail and "host and port" in findings["reachable"].fix
        assert "most addresses end in /v1" in found(f"http://127.0.0.1:{server.port}/api")["reachable"].fix


def test_sent_on_to_another_address() -> None:
    moved = Reply(status=308, body=b"", headers={"Location": "https://elsewhere.invalid/v1"})
    with ModelServer([moved], listing=moved) as server:
        findings = found(server.endpoint)
    assert states(findings) == "fuuuuu" and "Write https://" in findings["reachable"].fix


def test_a_server_without_a_list_works() -> None:
    for listing in (Reply(status=404, body={"detail": "Not Found"}), Reply(status=500, body=b"oh"), HTML):
        with ModelServer(play, listing=listing) as server:
            findings = found(server.endpoint)
        assert states(findings) == "wwwwww" and findings["reachable"].detail.endswith("answers.")


def test_https_to_a_plain_server() -> None:
    with ModelServer(play) as server:
        findings = found(server.endpoint.replace("http://", "https://"), key=KEY)
    assert states(findings) == "fuuuuu" and "Write http://" in findings["reachable"].fix


def test_an_address_in_other_digits_is_the_same_server() -> None:
    with ModelServer(play) as server:
        for host in ("0x7f000001", "①②⑦.0.0.1", "127.1"):
            findings = found(f"http://{host}:{server.port}")
            assert states(findings) == "wwwwww" and "//127.0.0.1:" in findings["reachable"].detail


Serve = Callable[[socket.socket], None]


@contextmanager
def raw_server(serve: Serve) -> Iterator[str]:
    """Accepts connections and leaves each, in a thread, to ``serve``."""
    threads: list[threading.Thread] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def one(connection: socket.socket) -> None:
        with connection:
            try:
                serve(connection)
            except OSError:
                return

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threads.append(threading.Thread(target=one, args=(connection,)))
            threads[-1].start()

    accepting = threading.Thread(target=accept)
    accepting.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join()
        for thread in threads:
            thread.join()


def silent(connection: socket.socket) -> None:
    while connection.recv(65_536):
        pass


def hangs_up(connection: socket.socket) -> None:
    connection.recv(65_536)


def talks_otherwise(connection: socket.socket) -> None:
    connection.sendall(b"SSH-2.0-OpenSSH_9.9\r\n")
    connection.recv(65_536)


def trickles(connection: socket.socket) -> None:
    """A head that never ends, byte by byte: no silence is ever long."""
    connection.recv(65_536)
    for _ in range(250):
        connection.sendall(b"HTTP/1.1 200 OK\r\nx: y"[:1])
        time.sleep(0.02)


def lists_then_trickles(connection: socket.socket) -> None:
    """Comments without end, which are no silence and no reply."""
    asked = connection.recv(65_536)
    if asked.startswith(b"GET"):
        body = b'{"data": [{"id": "m"}]}'
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
        connection.sendall(head % len(body) + body)
        return
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
    for _ in range(1_000):
        connection.sendall(b": wait\n\n")
        time.sleep(0.03)


@pytest.mark.slow
@pytest.mark.parametrize("serve", [silent, hangs_up, talks_otherwise, trickles])
def test_half_dead_servers(serve: Serve) -> None:
    with raw_server(serve) as endpoint:
        findings = found(endpoint, key=KEY, seconds=1.5)
    assert states(findings) == "fuuuuu"
    assert ("still be loading" in findings["reachable"].fix) == (serve is silent or serve is trickles)
    assert ("https://" in findings["reachable"].fix) == (serve in (hangs_up, talks_otherwise))


def test_a_reply_that_never_comes_to_its_first_word() -> None:
    with raw_server(lists_then_trickles) as endpoint:
        findings = found(endpoint, "m", seconds=1.0)
    assert states(findings) == "wufuuu" and "still be loading" in findings["model"].fix


def test_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for preset, fix in (
        ("ollama", "“ollama serve”"),
        ("lmstudio", "Developer tab"),
        ("llamacpp", "“llama-server"),
        ("vllm", "“vllm serve"),
        ("custom", "check the port"),
    ):
        findings = found(f"localhost:{port}", preset=preset)
        assert states(findings) == "fuuuuu" and fix in findings["reachable"].fix
        assert findings["reachable"].detail == f"Nothing answers at http://localhost:{port}."
    assert "spelling" in found("https://nothing.invalid")["reachable"].fix


def test_a_model_that_is_silent() -> None:
    with ModelServer([Reply(silent=True)]) as server:
        findings = found(server.endpoint, key=KEY, seconds=1.0)
    assert states(findings) == "wufuuu" and "still be loading" in findings["model"].fix


def test_a_model_that_is_still_loading() -> None:
    loading = Reply(status=503, body={"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}})
    with ModelServer([loading], listing=loading) as server:
        findings = found(server.endpoint, key=KEY)
        assert len(server.requests) == 1
    assert states(findings) == "wufuuu" and "still be loading" in findings["model"].fix


def test_slow_but_alive() -> None:
    with ModelServer(play, wait=0.2, delay=0.01) as server:
        findings = found(server.endpoint)
    assert states(findings) == "wwwwww"
    assert re.search(r"answers after (?!0\.[01])\d+(\.\d)? s\.", findings["model"].detail)
    assert findings["model"].seconds > 0.2


def test_too_slow_in_the_middle() -> None:
    with ModelServer([Reply(TWENTY * 9, delay=0.3)]) as server:
        findings = found(server.endpoint, seconds=1.5)
        assert server.hung_up.wait(30), "the request that was given up goes on"
    assert states(findings) == "wwwfuu" and "choose a smaller one" in findings["streaming"].fix


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(TWENTY, die_after=6), "wwwfuu"),
        (Reply(TWENTY, die_after=0), "wufuuu"),
        (Reply(body={"choices": []}), "wufuuu"),
        (Reply(body=b"\x00\xff garbage"), "wufuuu"),
        (Reply(events=[b"data: {garbage\n\n"]), "wufuuu"),
        (Reply(events=[{"choices": [{"delta": {"content": "1 2 3"}}]}, b"data: {garbage\n\n"]), "wwwfuu"),
        (Reply(events=[{"error": {"message": "CUDA out of memory", "code": 500}}]), "wufuuu"),
        (Reply(status=500, body={"error": "llama runner process has terminated"}), "wufuuu"),
        (Reply(status=402, body={"error": {"message": "Insufficient credits"}}), "wfuuuu"),
        (Reply(status=429, body={"error": {"message": "Rate limit reached"}}), "wuuuuu"),
        (Reply(status=400, body={"error": {"message": "no"}}), "wwfuuu"),
        (Reply(status=404, body={"detail": "Not Found"}), "wufuuu"),
        (HTML, "wufuuu"),
    ],
)
def test_first_replies_that_fail(reply: Reply, expected: str) -> None:
    with ModelServer([reply]) as server:
        findings = found(server.endpoint, key=KEY)
        assert len(server.requests) == 1
    assert states(findings) == expected
    failed = next(finding for finding in findings.values() if finding.fix)
    assert failed.state == ("unknown" if reply.status == 429 else "fails")


def test_a_limit_that_left_nothing_for_the_reply_is_no_failure() -> None:
    text = "Could not finish the message because max_tokens or model output limit was reached. Please try again."
    with ModelServer([Reply(status=400, body={"error": {"message": text}}), CALL, Reply()]) as server:
        findings = found(server.endpoint)
    assert states(findings) == "wwwuwu"


def test_a_thinking_model_gets_room_to_think() -> None:
    thinks = Reply(reasoning="Let me count to twenty. One, two.", finish="length")
    with ModelServer([thinks, CALL, Reply("apple banana ", reasoning="cherry?")]) as server:
        findings = found(server.endpoint)
        assert [body["max_tokens"] for body in server.requests] == [64, 400, 400]
    assert states(findings) == "wwwwww"


def test_what_is_refused_is_learned_and_kept() -> None:
    capabilities = Capabilities()
    with ModelServer(play, refuse=("stop", "max_tokens", "stream_options", "tools")) as server:
        findings = found(server.endpoint, capabilities=capabilities)
        assert states(findings) == "wwwwff"
        assert capabilities.refused(server.endpoint, "scripted-model") == {
            "stop", "max_tokens", "stream_options", "tools",
        }  # fmt: skip
        assert "max_completion_tokens" in server.requests[-1]


def test_what_was_refused_before_is_tried_again() -> None:
    capabilities = Capabilities()
    with ModelServer(play) as server:
        capabilities.learn(server.endpoint, "scripted-model", "tools")
        findings = found(server.endpoint, capabilities=capabilities)
    assert states(findings) == "wwwwww" and "until that is forgotten" in findings["tools"].detail


@pytest.mark.parametrize(
    ("wording", "fix"),
    [
        ("ollama", "such as qwen3"),
        ("vllm", "--enable-auto-tool-choice --tool-call-parser"),
        ("llamacpp", "--jinja"),
        ("openai", "choose another model"),
    ],
)
def test_tools_refused(wording: str, fix: str) -> None:
    """The server's own words tell what it is, whatever its port."""
    with ModelServer(play, refuse=("tools",), wording=wording) as server:
        findings = found(server.endpoint)
    assert states(findings) == "wwwwfw"
    assert "in plain text instead" in findings["tools"].detail and fix in findings["tools"].fix


def test_tools_accepted_without_a_call() -> None:
    with ModelServer([TWENTY, "It is noon.", "apple banana "]) as server:
        findings = found(server.endpoint)
    assert states(findings) == "wwwwww" and "without a call" in findings["tools"].detail


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "get_time", "arguments": {"city": "Tokyo"}}</tool_call>',
        '{"name": "get_time", "arguments": {"city": "Tokyo"}}',
        "[TOOL_CALLS]get_time",
        "<function=get_time>",
    ],
)
def test_a_call_that_comes_as_text(text: str) -> None:
    with ModelServer([TWENTY, text, "apple banana "]) as server:
        findings = found(server.endpoint, preset="vllm")
    assert states(findings) == "wwwwww"
    assert "came as text" in findings["tools"].detail and "--tool-call-parser" in findings["tools"].fix


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "state"),
    [
        (Reply(status=500, body={"error": "template error"}), "fails"),
        (Reply(status=429, body={"error": "later"}), "unknown"),
        (Reply(silent=True), "unknown"),
    ],
)
def test_later_requests_that_fail(reply: Reply, state: str) -> None:
    with ModelServer([TWENTY, reply, "apple banana "]) as server:
        findings = found(server.endpoint, seconds=2.0)
        assert findings["tools"].state == state and findings["tools"].fix
        assert findings["stop"].state == "works"  # each request has a time of its own
    with ModelServer([TWENTY, CALL, reply]) as server:
        assert found(server.endpoint, seconds=2.0)["stop"].state == state


def test_stop_ignored() -> None:
    with ModelServer(play, honours_stop=False) as server:
        findings = found(server.endpoint)
    assert states(findings) == "wwwwwf" and "nothing is lost" in findings["stop"].detail


def test_stop_that_cannot_be_told() -> None:
    with ModelServer([TWENTY, CALL, "I would rather not."]) as server:
        assert states(found(server.endpoint)) == "wwwwwu"


@pytest.mark.parametrize(
    ("whole", "refuse", "text", "state"),
    [
        (True, (), TWENTY, "fails"),
        (True, (), "1 2", "unknown"),
        (False, ("stream",), TWENTY, "fails"),
        (False, ("stream",), "1 2", "fails"),
        (False, (), TWENTY, "works"),
        (False, (), "", "unknown"),
    ],
)
def test_streaming(whole: bool, refuse: tuple[str, ...], text: str, state: str) -> None:
    with ModelServer([text, CALL, "apple banana "], whole=whole, refuse=refuse) as server:
        findings = found(server.endpoint)
    assert findings["streaming"].state == state
    assert states(findings).startswith("www") and states(findings).endswith("ww")


ECHOES = [
    lambda key: Reply(status=400, body={"error": {"message": f"bad {key} {key[:9]}*** Bearer {key}"}}),
    lambda key: Reply(status=401, body={"error": {"message": key}}),
    lambda key: Reply(status=500, body=key.encode()),
    lambda key: Reply(events=[{"error": {"message": f"no {key}", "code": 500}}]),
    lambda key: Reply(body=key.encode(), content_type="text/html"),
    lambda key: Reply(key * 5),
]


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("key", [KEY, "abc", "gsk_planted_1234567890", "AIzaPlanted1234567890"])
def test_a_planted_key_is_in_no_text(echo: Callable[[str], Reply], key: str) -> None:
    reply = echo(key)
    for listing in (None, reply):
        with ModelServer(lambda _: reply, listing=listing, models=[key, "m"]) as server:
            # ``found`` looks for keys in every finding.
            for endpoint, model in ((server.endpoint, "m"), (server.endpoint, key), (f"{server.endpoint}/{key}", key)):
                findings = found(endpoint, model, key)
                said = "".join(re.findall("It said: “(.*)”", " ".join(each.detail for each in findings.values())))
                assert key not in said


def test_what_a_server_says_is_short_plain_text() -> None:
    said = "<b>x</b>\n\x1b[31m" + "![a](http://evil.example/x) " * 40
    with ModelServer([Reply(status=400, body={"error": {"message": said}})]) as server:
        detail = found(server.endpoint)["model"].detail
    quoted = detail.partition("“")[2].removesuffix("”")
    assert quoted.startswith("<b>x</b> [31m![a]") or quoted.startswith("<b>x</b> ")
    assert len(quoted) == 200 and quoted.endswith("…")


@pytest.mark.parametrize(
    ("endpoint", "preset", "make"),
    [
        ("http://localhost:11434/v1", "", "ollama"),
        ("http://192.168.1.4:1234/v1", "custom", "lmstudio"),
        ("http://gpu:8000/v1", "", "vllm"),
        ("https://example.com:8000/v1", "", "custom"),
        ("https://api.groq.com/openai/v1", "", "groq"),
        ("http://localhost:11434/v1", "vllm", "vllm"),
        ("http://localhost:9/v1", "", "custom"),
    ],
)
def test_the_make_of_a_server(endpoint: str, preset: str, make: str) -> None:
    assert fixes.preset_of(endpoint, preset).name == make


def test_another_machine_must_listen_to_others() -> None:
    failed = ModelFailed("Cannot reach http://192.168.1.4:11434: is it running?", "unreachable")
    finding = Diagnosis("http://192.168.1.4:11434/v1", "m", "").not_reached(failed, 0.1)
    assert "OLLAMA_HOST=0.0.0.0" in finding.fix
    lines = {preset.name: fixes.to_reach("http://10.0.0.9/v1", preset, "") for preset in PRESETS}
    assert "Serve on Local Network" in lines["lmstudio"] and "--host 0.0.0.0" in lines["llamacpp"]
    assert "listens to others" in lines["custom"]


def test_a_certificate_that_does_not_fit() -> None:
    failed = Failures("https://box.local/v1", "m").unreachable("CERTIFICATE_VERIFY_FAILED")
    finding = Diagnosis("https://box.local/v1", "m", "").not_reached(failed, 0.1)
    assert finding.detail == "Its security certificate is not valid for this address." and "host name" in finding.fix
    assert fixes.to_speak("https://box.local/v1", PRESETS[-1], silent=False) == "Check the port."


def test_nothing_shows_the_key() -> None:
    assert KEY not in repr(Diagnosis("http://localhost/v1", "m", KEY)) + repr(Heard())


@pytest.mark.parametrize("api", ["auto", "responses"])
def test_a_model_that_takes_tools_over_responses_alone(api: ApiChoice) -> None:
    provider, learned = StrictResponses(), Capabilities()
    with ModelServer(provider.chat, native={"/v1/responses": provider}) as server:
        findings = found(server.endpoint, api=api, capabilities=learned)
        assert states(findings) == "wwwwwf"
        assert (
            findings["tools"].detail
            == "Called in the model's own way, over the server's Responses API, and so they will be."
        )
        assert findings["stop"].detail.startswith("Not accepted.")
        assert learned.takes_tools(server.endpoint, "scripted-model")
        assert learned.refused(server.endpoint, "scripted-model") == ({"+responses"} if api == "auto" else set())
    assert len(provider.bodies) == (2 if api == "auto" else 3)
