"""A fleet of containers: without an engine, and (long) on a real one with the image that THRESHER_IMAGE names."""

import os
import ssl
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import docker
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.fleet.test_tls import made
from thresher.errors import Unreachable
from thresher.fleet.docker import Docker
from thresher.fleet.plan import DockerPlan, Engine

ROOT = Path(__file__).parents[2]
ENGINE = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")


def test_an_engine_that_is_not_there_is_unreachable_and_named(tmp_path: Path) -> None:
    plan = DockerPlan("thresher:1", (Engine("north", f"unix://{tmp_path}/none.sock"),))
    with pytest.raises(Unreachable, match=r"the engine 'north' at unix://.* does not answer"):
        Docker(plan)


def image_on(engine: str) -> str:
    """Return the image to try; skip where there is no engine or it has none such. It is optional, in CI too."""
    image = os.environ.get("THRESHER_IMAGE", "thresher:0.1.0")
    try:
        client = docker.DockerClient(engine)
        client.images.get(image)
    except docker.errors.DockerException as error:
        pytest.skip(f"no Docker engine with {image}: {error}")
    client.close()
    return image


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("words", [(), ("--steps", "1,4,2")], ids=["hurt", "scaled"])
def test_containers_that_are_hurt_or_scaled_lose_and_double_nothing(words: tuple[str, ...]) -> None:
    line = [sys.executable, str(ROOT / "deploy" / "smoke"), "--engine", ENGINE, "--image", image_on(ENGINE)]
    done = subprocess.run([*line, "--pages", "60", *words], capture_output=True, text=True, timeout=850)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing is lost, nothing is doubled" in done.stdout


class Answers(BaseHTTPRequestHandler):
    """As much of an engine as is asked when a fleet connects."""

    def do_GET(self) -> None:
        data = b'{"ApiVersion": "1.41"}' if self.path == "/version" else b"OK"
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


def test_the_authority_of_an_engine_comes_before_proxies_and_bundles_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "ca.pem").write_bytes(made("authority", authority, issuer="authority", by=authority))
    (tmp_path / "cert.pem").write_bytes(made("engine", key, issuer="authority", by=authority))
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (tmp_path / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    stranger = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "bundle.pem").write_bytes(made("stranger", stranger, issuer="stranger", by=stranger))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "bundle.pem"))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        url = f"tcp://127.0.0.1:{server.server_port}"
        Docker(DockerPlan("thresher:1", (Engine("south", url, tls=str(tmp_path)),))).close()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
