"""Engines of other hosts, for real (long): a Docker engine that takes orders over TLS alone, and one behind sshd.

Both are throw-away processes on loopback, and root's; where dockerd or sshd is not installed the tests are skipped.
"""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.crawl.fleet import until
from tests.fleet.test_tls import made
from tests.servers import HOST
from thresher.errors import BackendError, Unreachable
from thresher.fleet.contract import Phase
from thresher.fleet.docker import Docker
from thresher.fleet.plan import DockerPlan, Engine
from thresher.lab.servers import free_port

pytestmark = [pytest.mark.slow, pytest.mark.long]
SLEEPS = ["sh", "-c", "echo ready; exec sleep 600"]
DOCKER = "/usr/bin"  # of Debian's own client, which ssh finds on the other side


def program(name: str) -> str:
    """Return a program's path; skip where it is not installed, or is not ours to run."""
    found = shutil.which(name, path=f"/usr/sbin:/usr/bin:{os.environ.get('PATH', '')}")
    if not found or os.geteuid() != 0:
        pytest.skip(
            f"{name} is not installed, or this is not root: apt-get install docker.io openssh-server busybox-static"
        )
    return found


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


@contextmanager
def running(command: list[str], log: Path, port: int) -> Iterator[None]:
    """Run a server until the block ends; it must listen on its port."""
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
    try:
        until(lambda: process.poll() is not None or is_listening(port))
        if process.poll() is not None:
            pytest.skip(f"{command[0]} does not run here: {log.read_text()[-400:]}")
        yield
    finally:
        process.terminate()
        process.wait()


@dataclass(frozen=True)
class Host:
    """A host with an engine: where it listens, and the folder of a client who may use it."""

    folder: Path
    port: int

    @property
    def socket(self) -> str:
        return f"unix://{self.folder}/docker.sock"

    @property
    def url(self) -> str:
        return f"tcp://{HOST}:{self.port}"

    @property
    def client(self) -> Path:
        return self.folder / "client"


def certificates(folder: Path) -> None:
    """Write an authority, a server's certificate, a client's, and one of a client whom nobody knows."""
    authority, stranger = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    for name, issuer, by in (
        ("server", "authority", authority),
        ("client", "authority", authority),
        ("thief", "stranger", stranger),
    ):
        own, key = folder / name, ec.generate_private_key(ec.SECP256R1())
        own.mkdir()
        (own / "ca.pem").write_bytes(made("authority", authority, issuer="authority", by=authority))
        (own / "cert.pem").write_bytes(made(name, key, issuer=issuer, by=by))
        pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
        (own / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
        (own / "key.pem").chmod(0o600)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """An engine of its own, without a network, that knows one image in which nothing but a shell is needed."""
    folder = tmp_path_factory.mktemp("engine")
    certificates(folder)
    found = Host(folder, free_port())
    server = folder / "server"
    command = [program("dockerd"), "--data-root", f"{folder}/data", "--exec-root", f"{folder}/exec"]
    command += ["-p", f"{folder}/pid", "-H", found.socket, "-H", found.url, "--bridge=none", "--iptables=false"]
    command += ["--ip-forward=false", "--storage-driver", "vfs", "--tlsverify", "--tlscacert", f"{server}/ca.pem"]
    command += ["--tlscert", f"{server}/cert.pem", "--tlskey", f"{server}/key.pem"]
    with running(command, folder / "log", found.port):
        root = folder / "root"
        for path in ("bin/busybox", "data", "tmp"):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(program("busybox"), root / "bin" / "busybox")
        for name in ("sh", "sleep", "echo"):
            (root / "bin" / name).symlink_to("busybox")
        archive = subprocess.run(["tar", "-C", root, "-c", "."], check=True, capture_output=True).stdout
        entry = f"ENTRYPOINT {SLEEPS}".replace("'", '"')
        line = [f"{DOCKER}/docker", "-H", found.socket, "import", "--change", entry, "-", "still:1"]
        subprocess.run(line, input=archive, check=True, capture_output=True)
        yield found
    subprocess.run(["umount", f"{folder}/exec/netns/default"], capture_output=True)


def runs_a_member(engine: Engine) -> None:
    """Add a member on an engine, look at it, and take it away."""
    backend = Docker(DockerPlan("still:1", (engine,), f"far-{os.getpid()}", network="none"))
    try:
        backend.add(1)
        until(lambda: [member.phase for member in backend.members()] == [Phase.RUNNING])
        (member,) = backend.members()
        assert (member.place, member.image) == (engine.name, "still:1")
        until(lambda: backend.logs(member.name, 5) == ["ready"])
        backend.remove([member.name])
        assert backend.members() == []
    finally:
        backend.close()


def test_an_engine_takes_orders_over_tls_from_whom_it_knows_alone(host: Host) -> None:
    runs_a_member(Engine("south", host.url, tls=str(host.client)))
    thief, nobody = (Engine("south", host.url, tls=tls) for tls in (str(host.folder / "thief"), ""))
    with pytest.raises(Unreachable, match=f"the engine 'south' at {host.url} does not answer .*certificate"):
        Docker(DockerPlan("still:1", (thief,)))
    with pytest.raises(BackendError, match="the engine 'south' refuses: Client sent an HTTP request to an HTTPS"):
        Docker(DockerPlan("still:1", (nobody,)))


def test_an_engine_of_a_stranger_is_refused(host: Host, tmp_path: Path) -> None:
    for name in ("cert.pem", "key.pem"):
        shutil.copy(host.client / name, tmp_path / name)
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "ca.pem").write_bytes(made("other", key, issuer="other", by=key))
    with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
        Docker(DockerPlan("still:1", (Engine("south", host.url, tls=str(tmp_path)),)))


@pytest.fixture
def by_ssh(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run sshd beside the engine, and let `ssh` know key and host as an administrator's configuration would."""
    port, keys = free_port(), [tmp_path / "host_key", tmp_path / "own_key"]
    for key in keys:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    shutil.copy(f"{keys[1]}.pub", tmp_path / "authorized")
    (tmp_path / "known_hosts").write_text(f"[{HOST}]:{port} {Path(f'{keys[0]}.pub').read_text()}")
    terms = {
        "Port": port,
        "ListenAddress": HOST,
        "HostKey": keys[0],
        "AuthorizedKeysFile": tmp_path / "authorized",
        "PidFile": "none",
        "StrictModes": "no",
        "UsePAM": "no",
        "PasswordAuthentication": "no",
        "PermitRootLogin": "prohibit-password",
        "SetEnv": f"DOCKER_HOST={host.socket} PATH={DOCKER}:/bin",
    }
    (tmp_path / "sshd_config").write_text("".join(f"{name} {value}\n" for name, value in terms.items()))
    client = f"-F none -i {keys[1]} -o UserKnownHostsFile={tmp_path}/known_hosts -o BatchMode=yes -o IdentitiesOnly=yes"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "ssh").write_text(f'#!/bin/sh\nexec /usr/bin/ssh {client} "$@"\n')
    (tmp_path / "bin" / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    Path("/run/sshd").mkdir(exist_ok=True)
    with running([program("sshd"), "-D", "-e", "-f", f"{tmp_path}/sshd_config"], tmp_path / "log", port):
        yield f"ssh://root@{HOST}:{port}"


def test_an_engine_is_reached_by_the_ssh_program(by_ssh: str) -> None:
    runs_a_member(Engine("north", by_ssh))


def test_a_host_that_knows_no_key_of_ours_is_unreachable(by_ssh: str, tmp_path: Path) -> None:
    (tmp_path / "authorized").write_text("")
    with pytest.raises(Unreachable, match=f"the engine 'north' at {by_ssh} does not answer"):
        Docker(DockerPlan("still:1", (Engine("north", by_ssh),)))
