"""What the recipes in ``deploy/`` name is there: files, settings, commands, probes."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from streamlit import config

from agent.cli.main import main
from agent.settings import SETTINGS
from pages.ui.session.gate import COOKIE_PATH, READY_PATH
from pages.ui.session.state import COOKIE
from tests.support.servers.proxy_server import PAGE, RECIPE, program

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "deploy" / "compose.yaml"
CLUSTER = ROOT / "deploy" / "kubernetes"
VERSION = "1.34"
PROBES = {f"/{READY_PATH}", "/_stcore/health"}
# Of a database's image and of the proxy's configuration.
_OTHERS = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "WEB_ADDRESS", "NAMESPACE"}
_OURS = {setting.variable for setting in SETTINGS}
_WORKER = ["python", "-m", "agent", "worker"]


def compose() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))


def objects() -> list[dict[str, Any]]:
    """All that the cluster is given, but for what kustomize makes."""
    listed = yaml.safe_load((CLUSTER / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    files = [CLUSTER / name for name in listed if name.endswith(".yaml")]
    assert {file.name for file in CLUSTER.glob("*.yaml")} == {"kustomization.yaml", *(file.name for file in files)}
    return [each for file in files for each in yaml.safe_load_all(file.read_text(encoding="utf-8"))]


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    for each in objects():
        if each["kind"] == "Deployment":
            yield each["metadata"]["name"], each["spec"]["template"]


def of_kind(kind: str) -> dict[str, dict[str, Any]]:
    return {each["metadata"]["name"]: each for each in objects() if each["kind"] == kind}


def container(name: str) -> dict[str, Any]:
    (only,) = dict(pods())[name]["spec"]["containers"]
    return only


def variables(text: str) -> set[str]:
    return set(re.findall(r"^([A-Z_]+)=", text, re.M))


def test_the_containers_are_set_up_by_settings_that_there_are() -> None:
    services = compose()["services"]
    assert set(services) == {"web", "worker", "database", "proxy"}
    named = {name for service in services.values() for name in service.get("environment", {})}
    assert named <= _OURS | _OTHERS
    assert services["web"]["environment"] == services["worker"]["environment"]
    assert services["web"]["volumes"] == services["worker"]["volumes"], "both need the same tables and documents"
    assert [services[name]["deploy"]["replicas"] for name in ("web", "worker")] == [2, 2]
    assert services["worker"]["command"] == _WORKER
    for service in services.values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in compose()["volumes"] or (COMPOSE.parent / source).is_file(), source
        assert set(service.get("depends_on", ())) <= set(services)
    told = set(re.findall(r"\$\{(\w+)", COMPOSE.read_text(encoding="utf-8")))
    assert told == {"POSTGRES_PASSWORD"}
    assert (COMPOSE.parent / services["web"]["build"] / "Dockerfile").is_file()


def test_the_cluster_takes_what_it_is_given() -> None:
    given = objects()
    assert len(given) >= 8
    for each in given:
        kubernetes_validate.validate(each, VERSION, strict=True)
    broken = json.loads(json.dumps(of_kind("Deployment")["web"]))
    broken["spec"]["replicas"] = "two"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, VERSION, strict=True)


def test_what_the_cluster_is_given_belongs_together() -> None:
    made = yaml.safe_load((CLUSTER / "kustomization.yaml").read_text(encoding="utf-8"))
    beside = yaml.safe_load((CLUSTER / "../proxy/kustomization.yaml").read_text(encoding="utf-8"))
    maps = {each["name"] for each in (*made["configMapGenerator"], *beside["configMapGenerator"])}
    secrets = {each["name"] for each in made["secretGenerator"]}
    assert beside["configMapGenerator"][0]["files"] == [RECIPE.name, PAGE.name]
    (proxy,) = dict(pods())["proxy"]["spec"]["containers"]
    (there,) = proxy["volumeMounts"]
    mounted = [volume.split(":")[1] for volume in compose()["services"]["proxy"]["volumes"]]
    assert mounted == [f"{there['mountPath']}/{name}" for name in (RECIPE.name, PAGE.name)]
    for name, pod in pods():
        labels, (only,) = pod["metadata"]["labels"], pod["spec"]["containers"]
        assert of_kind("Deployment")[name]["spec"]["selector"]["matchLabels"] == labels
        for source in only.get("envFrom", ()):
            assert source.get("configMapRef", {}).get("name", "site") in maps
            assert source.get("secretRef", {}).get("name", "keys") in secrets
        volumes = {volume["name"]: volume for volume in pod["spec"].get("volumes", ())}
        assert {mount["name"] for mount in only["volumeMounts"]} == set(volumes)
        claims = [volume["persistentVolumeClaim"]["claimName"] for volume in volumes.values() if len(volume) > 1 and
                  "persistentVolumeClaim" in volume]  # fmt: skip
        assert set(claims) <= set(of_kind("PersistentVolumeClaim"))
        assert {each["configMap"]["name"] for each in volumes.values() if "configMap" in each} <= maps
    for name, service in of_kind("Service").items():
        assert service["spec"]["selector"] == dict(pods())[name]["metadata"]["labels"]
        assert service["spec"]["ports"][0]["targetPort"] in [port["name"] for port in container(name)["ports"]]
    for name, budget in of_kind("PodDisruptionBudget").items():
        deployment = of_kind("Deployment")[name]
        assert budget["spec"]["selector"]["matchLabels"] == deployment["spec"]["selector"]["matchLabels"]
        assert budget["spec"]["minAvailable"] < deployment["spec"]["replicas"], "a node could never be emptied"


def test_probes_commands_and_settings_of_the_cluster_are_those_of_the_app() -> None:
    web, worker = container("web"), container("worker")
    asked = {name: web[name]["httpGet"]["path"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert asked["readinessProbe"] == f"/{READY_PATH}"
    assert asked["livenessProbe"] == asked["startupProbe"] == "/_stcore/health"
    assert worker["args"] == _WORKER
    assert web["envFrom"] == worker["envFrom"]
    assert web["ports"][0]["containerPort"] == config.get_option("server.port")
    for file in ("site.env", "keys.example.env"):
        assert variables((CLUSTER / file).read_text(encoding="utf-8")) <= _OURS
    named = {each["name"] for name, _ in pods() for each in container(name).get("env", ())}
    assert named <= _OTHERS


def test_the_workers_command_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*_WORKER[3:], "--help"])
    assert ended.value.code == 0
    assert "GLASSBOX_WORKERS=queue" in capsys.readouterr().out


def test_the_image_is_made_of_what_is_there() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = [path for line in re.findall(r"^COPY (.+) \S+$", text, re.M) for path in line.split()]
    assert copied == ["deploy/requirements.txt", "."]
    assert (ROOT / copied[0]).is_file()
    (command,) = re.findall(r"^CMD (.+)$", text, re.M)
    streamlit, run, script, *options = json.loads(command)
    assert (streamlit, run) == ("streamlit", "run") and (ROOT / script).is_file()
    for option in options:
        config.get_option(option.removeprefix("--").partition("=")[0])
    assert set(re.findall(r"localhost:8501(/[\w/-]+)", text)) <= PROBES


def test_the_image_has_what_workers_and_object_stores_need_at_the_same_versions() -> None:
    everywhere, image = (
        set((ROOT / name).read_text(encoding="utf-8").splitlines())
        for name in ("requirements.txt", "deploy/requirements.txt")
    )
    assert everywhere <= image
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = re.findall(r'^(?:queue|s3) = \["([\w.=-]+)"\]$', project, re.M)
    assert len(extras) == 2
    assert set(extras) <= image


def test_the_proxy_knows_our_cookie_and_our_probe() -> None:
    text = RECIPE.read_text(encoding="utf-8")
    assert set(re.findall(r"cook\((\w+)\)", text)) == {COOKIE}
    assert re.findall(r"httpchk GET (\S+)", text) == [f"/{READY_PATH}"]
    assert COOKIE_PATH not in text  # the request that brings the cookie is let through as any other
    environment = {"WEB_ADDRESS": "web:8501"}
    command = [program(), "-c", "-f", str(RECIPE)]
    checked = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "warning" not in checked.stderr.lower()
