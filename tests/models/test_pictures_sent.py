"""Pictures of a question on their way to models: strict servers take them as data URLs, or take none."""

from __future__ import annotations

import io
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import Event as Flag
from typing import Any

import pytest
from PIL import Image
from pydantic import TypeAdapter

from agent.context.turns import earlier_messages
from agent.demo.model import Demo
from agent.errors import BadRequest
from agent.events import Answered, Asked, Event, Prepared, Replied, dump, load
from agent.loop.agent import Agent, Before
from agent.messages import PICTURE_TOKENS, Artifact, EarlierTurn, Message, message_tokens
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat, chat_body
from agent.models.protocol import Request
from agent.models.refusals.lessons import NO_IMAGES, Lesson, lesson
from agent.models.refusals.message_shapes import with_kept_pictures
from agent.models.refusals.problems import read_problem
from agent.models.responses.openai_responses import responses_body, responses_lesson
from agent.runs.conversation import Question, answer, ask, history
from agent.runs.rewind import pictures_of_run
from agent.sharing.export.collected import take
from agent.sharing.export.html_page import export_html
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.export.markdown import export_markdown
from agent.sharing.import_file import read_import, save_import
from agent.store.runs import Store
from agent.toolkit.base import Toolbox, artifact, tool
from agent.tools.calculator.calculate import calculator
from agent.views.fold import fold
from agent.views.request import model_calls, prompt_tokens
from agent.wire.prompt import messages
from tests.support.servers.model_server import Call, ModelServer, Reply

UNSEEN = "You cannot see them."


def picture(color: str = "red", kind: str = "PNG") -> Artifact:
    file = io.BytesIO()
    Image.new("RGB", (9, 7), color).save(file, kind)
    return artifact("image", f"{color}.{kind.lower()}", file.getvalue())


def error(status: int, message: str, **more: Any) -> Reply:
    return Reply(status=status, body={"error": {"message": message, "type": "invalid_request_error", **more}})


# As they came: see the reports of each server.
REFUSALS: Mapping[str, Reply] = {
    "openai": error(
        400,
        "Invalid content type. image_url is only supported by certain models.",
        param="messages.[1].content.[1].type",
    ),
    "deepseek": error(
        400,
        "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected "
        "`text` at line 1 column 96",
    ),
    "openrouter": error(404, "No endpoints found that support image input", code=404),
    "llama.cpp": error(
        500,
        "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        code=500,
    ),
    "vllm": error(400, "qwen2.5 is not a multimodal model"),
    "vllm, none allowed": error(400, "At most 0 image(s) may be provided in one prompt."),
    "groq": error(
        400,
        "'messages.1' : for 'role:user' the following must be satisfied"
        "[('messages.1.content' : value must be a string)]",
    ),
    "foundry": error(422, "messages[1].content: invalid type: sequence, expected a string"),
    "ollama": error(500, "this model is missing data required for image input"),
    "lm studio": error(400, "Model does not support images. Please use a model that does."),
}
# What is wrong with one picture teaches nothing about the model.
OTHER = (
    (400, "You uploaded an unsupported image. Please make sure your image is valid."),
    (400, "Invalid image data: could not decode"),
    (400, "Image size exceeds the limit of 5 MB"),
    (400, "Image format image/webp is not supported. Supported image formats: png, jpeg"),
    (400, "image URLs are not currently supported, please use base64 encoded data instead"),
    (400, "temperature is not supported"),
    (400, "This model's maximum context length is 8192 tokens, images included"),
    (429, "image input is not supported"),
)


def pictures_in(body: Mapping[str, Any]) -> list[bytes]:
    """The pictures of a request. Fails where a part is not what every server takes: text, or base64 in a data URL."""
    found: list[bytes] = []
    for message in body["messages"]:
        if isinstance(message["content"], str):
            continue
        assert message["role"] == "user"
        text, *parts = message["content"]
        assert set(text) == {"type", "text"} and text["type"] == "text" and text["text"]
        for part in parts:
            assert (
                set(part) == {"type", "image_url"} and part["type"] == "image_url" and set(part["image_url"]) == {"url"}
            )
            kind, _, content = part["image_url"]["url"].partition(";base64,")
            assert kind in ("data:image/png", "data:image/jpeg")
            found.append(b64decode(content, validate=True))
            with Image.open(io.BytesIO(found[-1])) as opened:
                assert kind == f"data:image/{opened.format}".lower()
    return found


def said_in(body: Mapping[str, Any]) -> str:
    return json.dumps(body["messages"], ensure_ascii=False)


@tool
def tide(place: str) -> str:
    """Tells the height of the tide.

    Args:
        place: The place.
    """
    return f"{place}: 6 m"


def agent_of(server: ModelServer, known: Capabilities | None = None, **more: Any) -> Agent:
    return Agent(OpenAIChat(server.endpoint, "m", known or Capabilities()), Toolbox([tide]), **more)


def asked(
    store: Store, agent: Agent, conversation: str, question: Question, follows: str = ""
) -> tuple[str, list[Event]]:
    run = store.add_run(conversation, follows)
    events = list(ask(store, run, question, agent, Flag()))
    assert isinstance(events[-1], Answered), events[-1]
    return run, events


@pytest.mark.parametrize("wire", ["native", "react"])
def test_pictures_go_as_data_urls_with_each_call_and_the_turns_after(wire: str, store: Store) -> None:
    step = (
        Reply(calls=(Call("tide", '{"place": "Hobart"}'),))
        if wire == "native"
        else "Thought: I look.\nAction: tide\nAction Input: Hobart"
    )
    last = "6 m." if wire == "native" else "Thought: I know.\nFinal Answer: 6 m."
    with ModelServer([step, last, last]) as server:
        agent = agent_of(server, wire=wire)
        images = picture(), picture("blue", "JPEG")
        conversation = store.add_conversation("v", "c")
        run, events = asked(store, agent, conversation, Question("Which tide?", images=images))
        asked(store, agent, conversation, Question("And now?"), run)
        contents = [image.content for image in images]
        assert [pictures_in(body) for body in server.requests] == [contents] * 3
        # Each prompt goes on from the one before it, the pictures included.
        for before, after in zip(server.requests, server.requests[1:], strict=False):
            told = before["messages"][:2]
            assert after["messages"][:2] == told
    assert store.events(run) == [event for event in events if event.type != "TextDelta"]
    view = fold(store.events(run))
    assert view.pictures == images and not view.unseen
    assert [store.artifact(run, image.hash) for image in images] == contents
    shown = model_calls(store.events(run))
    assert all("base64,…" in call.body and f"({images[0].size} bytes)" in call.body for call in shown)


@pytest.mark.usefixtures("asked_again_at_once")
@pytest.mark.parametrize("make", REFUSALS)
def test_a_model_that_takes_none_is_told_in_words(make: str, store: Store) -> None:
    def strict(body: dict[str, Any]) -> Reply:
        lists = any(not isinstance(message["content"], str) for message in body["messages"])
        return REFUSALS[make] if lists else Reply("I cannot see pictures.")

    with ModelServer(strict) as server:
        known = Capabilities()
        agent, conversation = agent_of(server, known), store.add_conversation("v", "c")
        run, events = asked(store, agent, conversation, Question("What is it?", images=(picture(),)))
        view = fold(events)
        assert view.unseen and not view.steps[-1].notes
        assert UNSEEN in said_in(server.requests[-1]) and "tools" in server.requests[-1]
        tried = len(server.requests)
        _, events = asked(store, agent, conversation, Question("And now?"), run)
        assert len(server.requests) == tried + 1
        assert UNSEEN in said_in(server.requests[-1])
        assert not fold(events).unseen  # this question has none
        (call,) = model_calls(store.events(run))
        assert UNSEEN in call.body and "base64" not in call.body
        known.forget(agent.model.endpoint, "m")
        asked(store, agent, conversation, Question("Again?", images=(picture(),)), run)
        assert len(server.requests) > tried + 2


@pytest.mark.parametrize(("status", "said"), OTHER)
def test_nothing_false_is_learned(status: int, said: str) -> None:
    request = _request(Message("user", "Hi", images=(picture(),)))
    body = chat_body("m", request)
    problem = read_problem(status, {"error": {"message": said}})
    assert lesson(problem, body, ()) != Lesson(NO_IMAGES)
    assert responses_lesson(problem, responses_body("m", request), ()) != Lesson(NO_IMAGES)
    plain = chat_body("m", _request(Message("user", "Hi")))
    assert lesson(read_problem(400, REFUSALS["openai"].body), plain, ()) != Lesson(NO_IMAGES)


def test_the_responses_api_takes_them_as_input_images() -> None:
    image = picture()
    request = _request(Message("system", "S"), Message("user", "Hi", images=(image,)))
    body = responses_body("m", request)
    parts = [{"type": "input_text", "text": "Hi"}, {"type": "input_image", "image_url": image.data_url}]
    assert body["input"] == [{"role": "system", "content": "S"}, {"role": "user", "content": parts}]
    for make in ("openai", "openrouter", "vllm"):
        problem = read_problem(400, REFUSALS[make].body)
        assert responses_lesson(problem, body, ()) == Lesson(NO_IMAGES), make
        assert responses_lesson(problem, responses_body("m", _request(Message("user", "Hi"))), ()) != Lesson(NO_IMAGES)
    told = responses_body("m", request, {NO_IMAGES})["input"][1]["content"]
    assert told.startswith("Hi") and UNSEEN in told


def _request(*told: Message) -> Request:
    return Request(told)


def test_a_picture_that_is_not_kept_is_told_in_words() -> None:
    gone = replace(picture(), content=b"")
    both, lost = (Message("user", "Hi", images=images) for images in ((picture(), gone), (gone,)))
    body = chat_body("m", _request(*with_kept_pictures([both], "en")))
    assert len(pictures_in(body)) == 1 and "1 picture(s)" in body["messages"][0]["content"][0]["text"]
    with ModelServer(["One."]) as server:
        model = OpenAIChat(server.endpoint, "m", Capabilities())
        list(model.stream(_request(lost)))
        assert UNSEEN in server.requests[0]["messages"][0]["content"]


def test_a_turn_that_is_not_told_in_full_names_its_pictures() -> None:
    with ModelServer(["One.", "Two."]) as server:
        agent = agent_of(server)
        first = list(answer(Question("What?", images=(picture(),)), agent, Flag()))
        second = list(answer(Question("And?", Before({"1": first})), agent, Flag()))
    prepared = next(event for event in second if isinstance(event, Prepared))
    for told, count in (("full", 1), ("shortened", 0), ("answer", 0), ("question", 0), ("out", 0)):
        events = [replace(prepared, turns=(EarlierTurn("1", told),), carried=0)]  # type: ignore[arg-type]
        sent = messages(events, earlier_messages(events, {"1": first}))
        assert sum(len(message.images) for message in sent) == count, told
        named = any("1 picture(s) came" in message.content for message in sent)
        assert named == (told in ("shortened", "answer")), told


def test_pictures_count_in_the_window() -> None:
    plain, shown = Message("user", "Hi"), Message("user", "Hi", images=(picture(), picture("blue")))
    assert message_tokens([shown]) - message_tokens([plain]) == 2 * PICTURE_TOKENS
    with ModelServer(["One."]) as server:
        events = list(answer(Question("What?", images=(picture(),)), agent_of(server), Flag()))
    begun = [event for event in events if isinstance(event, Asked | Prepared)]
    assert prompt_tokens(begun) - prompt_tokens([replace(begun[0], artifacts=()), *begun[1:]]) == PICTURE_TOKENS


@pytest.mark.parametrize(
    ("question", "said"), [("What is 2 + 3?", "I cannot see pictures"), ("2足す3は？", "画像を見ることができません")]
)
def test_the_demo_says_that_it_sees_none(question: str, said: str) -> None:
    agent = Agent(Demo(0.0), Toolbox([calculator]))
    events = list(answer(Question(question, images=(picture(),)), agent, Flag()))
    assert isinstance(events[-1], Answered)
    assert said in events[-1].text and "5" in events[-1].text


def exported(store: Store, agent: Agent) -> tuple[str, str, tuple[Artifact, ...]]:
    conversation, images = store.add_conversation("v", "c"), (picture(), picture("blue", "JPEG"))
    run, _ = asked(store, agent, conversation, Question("What is it?", images=images))
    return run, export_json_lines(take(store, "v", conversation)), images


def test_pictures_are_exported_and_imported(store: Store) -> None:
    with ModelServer(["A square.", "Still."]) as server:
        agent = agent_of(server)
        run, text, images = exported(store, agent)
        assert [image.content for image in pictures_of_run(store, run)] == [image.content for image in images]
        read = read_import(text.encode())
        again = save_import(store, "w", read)
        assert export_json_lines(take(store, "w", again)) == text
        page = export_html(read)
        assert all(image.data_url in page for image in images) and "img-src data:" in page
        assert "Picture: red.png" in export_markdown(read) and "](" not in export_markdown(read)
        (row,) = store.runs(again)
        asked(store, agent, again, Question("Sure?"), row.id)
        assert len(pictures_in(server.requests[-1])) == 2
        assert [*history(store, again, row.id)] == [row.id]


def test_an_import_with_anything_but_pictures_is_refused(store: Store) -> None:
    with ModelServer(["A square."]) as server:
        _, text, (first, _) = exported(store, agent_of(server))
    lines = [json.loads(line) for line in text.splitlines()]
    place = next(number for number, line in enumerate(lines) if line.get("artifact") == first.hash)
    kept = next(line for line in lines if line.get("type") == "Asked")
    for content in (b"<svg/>", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff", bytes(900)):
        other = artifact("image", "x", content)
        lines[place] = {"artifact": other.hash, "content": b64encode(content).decode()}
        kept["artifacts"][0] = {"kind": "image", "name": "x", "hash": other.hash, "size": other.size}
        with pytest.raises(BadRequest, match="no picture"):
            read_import("\n".join(map(json.dumps, lines)).encode())
    kept["artifacts"] *= 3
    with pytest.raises(BadRequest, match="attached"):
        read_import("\n".join(map(json.dumps, lines)).encode())


def test_questions_without_pictures_are_written_as_before() -> None:
    assert dump(Asked("q", 1.0)) == '{"question":"q","time":1.0,"attachments":[],"parent":"","at":null,"type":"Asked"}'
    shown = Asked("q", 1.0, artifacts=(picture(),))
    assert load(dump(shown)) == shown and "iVBOR" not in dump(shown)
    assert "images" not in dump_message(Message("user", "Hi"))


def dump_message(message: Message) -> str:
    return TypeAdapter(Message).dump_json(message).decode()


def test_estimates_of_servers_without_a_count_have_the_pictures() -> None:
    def uncounted(body: dict[str, Any]) -> Reply:
        return Reply("One.", usage={})

    with ModelServer(uncounted) as server:
        sizes = [
            _input(list(answer(Question("What?", images=images), agent_of(server), Flag())))
            for images in ((), (picture(),))
        ]
    assert sizes[1] - sizes[0] == PICTURE_TOKENS


def _input(events: Sequence[Event]) -> int:
    return next(event.usage.input for event in events if isinstance(event, Replied))
