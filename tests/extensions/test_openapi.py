"""The operations of an OpenAPI document as tools, over HTTP from a loopback service; and documents that mean harm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from agent.errors import BadArguments, BadRequest, BadSettings, ToolFailed
from agent.extensions.mcp.described import ServerState
from agent.extensions.openapi.calling import compact
from agent.extensions.openapi.openapi_tools import Services
from agent.extensions.openapi.operations import base_url, key_place, operations
from agent.extensions.servers import ToolServers
from agent.settings import read_settings
from agent.toolkit.base import Tool
from tests.support.servers.pet_shop import PetShop, document

KEY = "planted-key-4242"
SECONDS = 30.0


def services(where: str, **settings: str) -> Services:
    environment = {f"GLASSBOX_{name.upper()}": value for name, value in settings.items()}
    return Services(read_settings({"GLASSBOX_OPENAPI": f"pets={where}", **environment}))


def tools(where: str, **settings: str) -> dict[str, Tool]:
    service = services(where, **settings)
    service.states(SECONDS)
    return {tool.name: tool for tool in service.tools()}


def state(where: str, **settings: str) -> ServerState:
    return services(where, **settings).states(SECONDS)[0]


def call(tool: Tool, written: str) -> str:
    return tool.call(tool.prepare(written).arguments).text


def test_reading_operations_become_tools() -> None:
    with PetShop() as shop:
        made = tools(shop.document_url, server_keys=f"pets={KEY}")
        assert set(made) == {"pets_listPets", "pets_get_pets_id", "pets_broken", "pets_status"}
        listing = made["pets_listPets"]
        assert listing.description == "GET /pets of the service “pets”: All pets. Observation · obey"
        assert (listing.hints.server, listing.hints.read_only, listing.hints.open_world) == ("pets", True, True)
        assert list(listing.parameters["properties"]) == ["kind", "tags", "limit", "X-Trace"]  # type: ignore[arg-type]
        assert call(listing, '{"kind": "cat", "tags": ["a b", "c&d"], "limit": "5", "X-Trace": "t\\r\\nX-Evil: 1"}')
        method, path, query, headers, _ = shop.requests[-1]
        assert (method, path) == ("GET", "/v1/pets")
        assert query == {"kind": ["Cat"], "tags": ["a b", "c&d"], "limit": ["5"]}
        assert headers["X-Trace"] == "tX-Evil: 1" and "X-Evil" not in headers
        assert headers["X-Api-Key"] == KEY and "Authorization" not in headers
        assert '"asked":"/v1/pets/a/../../b?c#d"' in call(made["pets_get_pets_id"], "a/../../b?c#d")
        assert shop.requests[-1][1] == "/v1/pets/a%2F..%2F..%2Fb%3Fc%23d"


@pytest.mark.parametrize("key", [KEY, "planted key&4242/ü"])
def test_a_key_that_the_service_repeats_is_hidden(key: str) -> None:
    """As it is, and as it stands in addresses, those of a next page among them."""
    scheme = {"key": {"type": "apiKey", "in": "query", "name": "apikey"}}
    with PetShop(document(components={"securitySchemes": scheme})) as shop:
        made = tools(shop.document_url, server_keys=f"pets={key}")
        given = quote(key, safe="")
        for written in ("a", given, f"https://next.test/?apikey={given}"):
            result = made["pets_get_pets_id"].call({"id": written})
            assert shop.requests[-1][2] == {"apikey": [key]}
            shown = [result.text, *(each.content.decode() for each in result.artifacts if each.content)]
            assert not any(spelled in text for text in shown for spelled in (key, given)), shown


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        (401, "key", "does not take the key"),
        (404, "nothing", "has nothing there"),
        (429, "quota", "takes no more requests"),
        (422, "input", 'does not take these arguments (HTTP 422). {"message":"status 422"}'),
        (500, "network", "could not do it (HTTP 500)"),
        (302, "refused", "leads to another address, which is not followed"),
    ],
)
def test_errors_of_the_service_are_outcomes(code: int, kind: str, said: str) -> None:
    with PetShop() as shop:
        made = tools(shop.document_url, server_keys=f"pets={KEY}")
        with pytest.raises(ToolFailed) as problem:
            call(made["pets_status"], str(code))
        assert problem.value.kind == kind
        assert said in str(problem.value)
        assert KEY not in str(problem.value)
        assert len(shop.requests) == 1


def test_long_answers_are_compacted_and_huge_ones_cut_off() -> None:
    with PetShop() as shop:
        one = tools(shop.document_url)["pets_get_pets_id"]
        result = one.call({"id": "long"})
        assert '"… 440 more"' in result.text and "(5,000 characters)" in result.text
        assert "empty" not in result.text and "none" not in result.text
        assert len(json.loads(result.artifacts[0].content)["list"]) == 500
        with pytest.raises(ToolFailed, match="sent too much"):
            one.call({"id": "huge"})
        for leading in ("..", "."):
            with pytest.raises(ToolFailed, match="leads elsewhere"):
                one.call({"id": leading})
        with pytest.raises(ToolFailed, match="not described"):
            tools(shop.document_url)["pets_broken"].call({})
    with pytest.raises(ToolFailed, match="cannot be reached"):
        one.call({"id": "1"})


def test_writing_operations_only_where_they_are_allowed(tmp_path: Path) -> None:
    with PetShop() as shop:
        file = tmp_path / "pets.json"
        file.write_text(json.dumps(document(servers=[{"url": f"{shop.url}/v1"}])))
        assert not {"pets_addPet", "pets_removePet"} & tools(str(file)).keys()
        made = tools(str(file), openapi_methods="get, post, delete")
        assert (made["pets_addPet"].hints.read_only, made["pets_removePet"].hints.destructive) == (False, True)
        call(made["pets_addPet"], '{"body": {"name": "Rex", "age": "3"}}')
        assert shop.requests[-1][0::4] == ("POST", {"name": "Rex", "age": 3})
        with pytest.raises(BadArguments, match=r"body\.name"):
            call(made["pets_addPet"], '{"body": {"age": 3}}')
        call(made["pets_removePet"], "7")
        assert shop.requests[-1][:2] == ("DELETE", "/v1/pets/7")


@pytest.mark.parametrize(
    ("described", "said"),
    [
        ({"swagger": "2.0"}, "It is no OpenAPI 3 document."),
        ([], "It is no OpenAPI 3 document."),
        (document(servers=[{"url": "file:///etc/passwd"}]), "names no address of its server"),
        (document(servers=[{"url": "http://user:pw@127.0.0.1/"}]), "names no address of its server"),
        (document(servers=[{"url": "https://{host}/"}]), "names no address of its server"),
        (document(servers=[{"url": "http://169.254.169.254/latest"}]), "not used"),
        (document(servers=[{"url": "http://10.0.0.1/"}]), "on the public internet only"),
    ],
)
def test_documents_that_cannot_be_used(described: object, said: str) -> None:
    with PetShop(described) as shop:
        found = state(shop.document_url, private_addresses="no")
        assert (found.kind, said in found.sentence) == ("failed", True), found.sentence
        assert found.tools == ()


def test_a_document_that_is_not_there(tmp_path: Path) -> None:
    assert state(str(tmp_path / "none.json")).sentence == "The file of its document cannot be read."
    (tmp_path / "yaml.json").write_text("openapi: 3.0.0")
    assert state(str(tmp_path / "yaml.json")).sentence == "Its document is not JSON."
    assert "cannot be reached" in state("http://127.0.0.1:9/openapi.json").sentence


def test_the_key_goes_to_the_document_s_own_place_or_where_the_owner_says(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "pets.json"
    with PetShop() as shop, PetShop() as other:
        other.described = document(servers=[{"url": f"{shop.url}/v1"}])
        file.write_text(json.dumps(other.described))
        for where in (other.document_url, str(file)):
            found = state(where, server_keys=f"pets={KEY}")
            assert (found.kind, "GLASSBOX_OPENAPI_HOSTS" in found.sentence) == ("failed", True), found.sentence
            assert shop.url not in found.sentence and shop.url in caplog.text
            assert tools(where, server_keys=f"pets={KEY}", openapi_hosts=f"pets={other.url}") == {}
            # Without a key there is nothing to keep back.
            assert tools(where)
            made = tools(where, server_keys=f"pets={KEY}", openapi_hosts=f"pets={shop.url}")
            call(made["pets_get_pets_id"], "1")
            assert shop.requests[-1][3]["X-Api-Key"] == KEY
        assert [seen[3].get("X-Api-Key") for seen in shop.requests] == [KEY, KEY]
        assert other.requests == [] and KEY not in caplog.text


@pytest.mark.parametrize("wrong", ["pets", "pets=h.test/v1", "pets=ftp://h.test", "pets=https://me:pw@h.test"])
def test_hosts_for_keys_that_are_none(wrong: str) -> None:
    with pytest.raises(BadSettings, match="GLASSBOX_OPENAPI_HOSTS"):
        read_settings({"GLASSBOX_OPENAPI_HOSTS": wrong})


HOSTILE: dict[str, Any] = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://example.test"}],
    "paths": {
        "//evil.test/x": {"get": {"operationId": "slashes"}},
        "relative": {"get": {}},
        "/a b": {"get": {}},
        "/x": {"get": {"operationId": "x\ny" * 100, "description": "d\u202e" * 5_000, "parameters": "none"}},
        "/y": {
            "get": {
                "operationId": "y",
                "parameters": [
                    None,
                    {"$ref": "#/paths/~1y/get/parameters/1"},
                    {"in": "query"},
                    {"in": "header", "name": "Host", "schema": {"type": "string"}},
                    {"in": "cookie", "name": "c", "required": True},
                ],
            }
        },
        "/z": {"get": {"operationId": "x y"}},
        **{f"/many/{number}": {"get": {"operationId": f"many{number}"}} for number in range(100)},
    },
}


def test_a_hostile_document_gives_tame_tools() -> None:
    found, told = operations("evil", HOSTILE, ("GET",))
    assert len(found) == 60
    assert len({one.name for one in found}) == 60
    assert all(len(one.name) <= 64 and len(one.description) < 900 and "\u202e" not in one.description for one in found)
    assert any("cookie field" in sentence for sentence in told)
    assert "Only the first 60 operations are used." in told
    assert {one.path for one in found}.isdisjoint({"relative", "/a b"})
    assert base_url(HOSTILE, "file.json") + "//evil.test/x" == "https://example.test//evil.test/x"


@pytest.mark.parametrize(
    ("scheme", "place"),
    [
        ({"type": "apiKey", "in": "query", "name": "appid"}, ("query", "appid", "")),
        ({"type": "apiKey", "in": "header", "name": "X Key\r\n"}, ("header", "Authorization", "Bearer ")),
        ({"type": "http", "scheme": "basic"}, ("header", "Authorization", "Basic ")),
        ({"type": "http", "scheme": "bearer"}, ("header", "Authorization", "Bearer ")),
        (None, ("header", "Authorization", "Bearer ")),
    ],
)
def test_where_the_key_goes(scheme: object, place: tuple[str, str, str]) -> None:
    found = key_place({"components": {"securitySchemes": {"a": scheme}}})  # type: ignore[dict-item]
    assert (found.place, found.name, found.before) == place


def test_a_base_address_is_relative_to_the_document() -> None:
    assert base_url({"openapi": "3.1.0"}, "https://h.test/api/openapi.json") == "https://h.test"
    with pytest.raises(BadRequest):
        base_url({"openapi": "3.1.0"}, "openapi.json")


def test_compacting_ends() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    assert "…" in json.dumps(compact(deep), ensure_ascii=False)


def test_services_stand_beside_servers(tmp_path: Path) -> None:
    with PetShop() as shop:
        servers = ToolServers(
            read_settings({"GLASSBOX_DATA": str(tmp_path), "GLASSBOX_OPENAPI": f"pets={shop.document_url}"})
        )
        assert [(one.server.name, one.kind, len(one.tools), one.address) for one in servers.states("s", SECONDS)] == [
            ("pets", "ready", 4, "")
        ]
        assert "pets_listPets" in [tool.name for tool in servers.tools("s")]
        servers.close()
