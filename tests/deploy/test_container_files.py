"""The files for containers and clusters: no engine runs them here, so their lines are checked."""

import re
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import yaml

from dashboard.settings import UPLOAD_MEBIBYTES
from deploy.nginx import COOKIE, ROOT, configuration

DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
RESOURCES = {
    item["kind"]: item
    for item in yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text())
}
SECRET = "STREAMLIT_SERVER_COOKIE_SECRET"  # noqa: S105


def stages() -> dict[str, list[tuple[str, str]]]:
    """Read the instructions of each stage of the Dockerfile."""
    found: dict[str, list[tuple[str, str]]] = {}
    joined = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.M))
    for line in filter(None, joined.splitlines()):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            stage = rest.rpartition(" AS ")[2]
            found[stage] = []
        found[stage].append((word, rest))
    return found


def test_each_image_runs_as_somebody_else_than_root() -> None:
    assert list(stages()) == ["proxy", "app"]  # the last is built when none is named
    for instructions in stages().values():
        users = [rest for word, rest in instructions if word == "USER"]
        assert len(users) == 1
        assert int(users[0]) > 0
        assert instructions[-1][0] == "CMD"


def test_the_image_starts_what_make_run_starts() -> None:
    command = yaml.safe_load(dict(stages()["app"])["CMD"])
    makefile = (ROOT / "Makefile").read_text()
    assert " ".join(command[:5]) == "python -m streamlit run dashboard/serve.py"
    assert f"$(BIN)/{' '.join(command[:5])}" in makefile


def test_the_image_has_the_pinned_runtime_and_no_tools() -> None:
    installs = [rest for _, rest in stages()["app"] if "pip install" in rest]
    assert len(installs) == 1
    assert "--constraint requirements.txt" in installs[0]
    assert "dev" not in installs[0]


def test_what_the_images_copy_is_there_and_not_left_out_of_the_build() -> None:
    lines = (ROOT / "deploy/Dockerfile.dockerignore").read_text().splitlines()
    let_in = [line[1:] for line in lines if line.startswith("!")]
    copies = [rest for stage in stages().values() for word, rest in stage if word == "COPY"]
    sources = [source for copy in copies for source in copy.split()[:-1]]
    assert len(sources) == 8
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(fnmatch(source, pattern) for pattern in let_in), source


def compose_servers() -> list[str]:
    apps = {name: item for name, item in COMPOSE["services"].items() if name != "proxy"}
    return [f"{app['networks']['inside']['ipv4_address']}:8501" for app in apps.values()]


def test_nginx_of_the_containers_is_written_from_the_template(
    nginx: str, tmp_path: Path
) -> None:
    path = ROOT / "deploy/nginx.compose.conf"
    assert len(compose_servers()) >= 2
    assert path.read_text() == configuration(compose_servers(), listen="8080")
    done = subprocess.run(
        [nginx, "-t", "-p", tmp_path, "-c", path, "-e", "stderr"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_containers_are_confined_and_no_secret_is_written_down() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["mem_limit"], name
        if name != "proxy":
            assert service["environment"][SECRET].startswith("${RANKLENS_COOKIE_SECRET:?")
            assert "ports" not in service
    assert COMPOSE["services"]["proxy"]["ports"][0].startswith(
        "${RANKLENS_ADDRESS:-127.0.0.1}"
    )


def pod() -> dict[str, Any]:
    return RESOURCES["Deployment"]["spec"]["template"]["spec"]


def test_the_cluster_asks_the_health_of_each_process() -> None:
    (container,) = pod()["containers"]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"] == {"path": "/health", "port": "http"}
    assert container["ports"] == [{"name": "http", "containerPort": 8501}]


def test_pods_are_confined_and_read_their_secret_from_the_cluster() -> None:
    (container,) = pod()["containers"]
    user = next(rest for word, rest in stages()["app"] if word == "USER")
    assert pod()["securityContext"]["runAsNonRoot"] is True
    assert pod()["securityContext"]["runAsUser"] == int(user)
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert set(container["resources"]["limits"]) == {"cpu", "memory"}
    (secret,) = [item for item in container["env"] if item["name"] == SECRET]
    assert "value" not in secret
    assert secret["valueFrom"]["secretKeyRef"] == {
        "name": "ranklens",
        "key": "cookie-secret",
    }
    mounts = {item["name"]: item["mountPath"] for item in container["volumeMounts"]}
    assert [mounts[volume["name"]] for volume in pod()["volumes"]] == ["/tmp"]  # noqa: S108


def test_the_memory_for_files_fits_into_that_of_the_container() -> None:
    for name, service in COMPOSE["services"].items():
        if name != "proxy":
            assert service["mem_limit"] == "2g"
            assert int(service["environment"]["RANKLENS_MEMORY_MB"]) <= 1_400
    (container,) = pod()["containers"]
    (files,) = [item for item in container["env"] if item["name"] == "RANKLENS_MEMORY_MB"]
    assert container["resources"]["limits"]["memory"] == "2Gi"
    assert int(files["value"]) <= 1_400


def test_the_parts_of_the_cluster_fit_together() -> None:
    labels = RESOURCES["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert RESOURCES["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert RESOURCES["Service"]["spec"]["selector"] == labels
    rule = RESOURCES["Ingress"]["spec"]["rules"][0]
    assert RESOURCES["Ingress"]["spec"]["tls"][0]["hosts"] == [rule["host"]]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert backend["name"] == RESOURCES["Service"]["metadata"]["name"]
    assert backend["port"]["name"] == RESOURCES["Service"]["spec"]["ports"][0]["name"]
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert pod()["containers"][0]["image"].endswith(f":{version}")


def test_the_ingress_keeps_people_with_their_process_and_lets_uploads_pass() -> None:
    prefix = "nginx.ingress.kubernetes.io/"
    annotations = RESOURCES["Ingress"]["metadata"]["annotations"]
    said = {name.removeprefix(prefix): value for name, value in annotations.items()}
    assert all(isinstance(value, str) for value in said.values())
    assert said["affinity"] == "cookie"
    assert said["session-cookie-name"] == COOKIE
    assert said["proxy-body-size"] == f"{UPLOAD_MEBIBYTES}m"
    assert int(said["proxy-read-timeout"]) >= 3600
