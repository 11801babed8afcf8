"""Servers over TLS, with certificates of an authority of our own: Redis with its least user, PostgreSQL, OpenSearch."""

import os
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.contracts.frontier_words import links
from tests.frontier.least_user import PASSWORD, least_user
from tests.servers import HOST, Server, postgres_server, redis_server
from thresher import wiring
from thresher.config import Settings, load
from thresher.errors import BackendError, UsageError
from thresher.frontier.contract import Rules
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.server import Server as Connection
from thresher.lab.servers import free_port, postgresql_path
from thresher.search_server import SearchServer
from thresher.store.servers import server_store


@dataclass(frozen=True)
class Certificates:
    """Files of an authority, of a server on 127.0.0.1, and of an authority that nobody asked."""

    authority: Path
    certificate: Path
    key: Path
    stranger: Path


def made(name: str, key: ec.EllipticCurvePrivateKey, *, issuer: str, by: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a certificate as PEM; it is an authority's where it has issued itself."""
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.BasicConstraints(ca=name == issuer, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), critical=False)
    )
    return builder.sign(by, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    folder = tmp_path_factory.mktemp("certificates")
    authority, server, stranger = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))
    found = Certificates(*(folder / name for name in ("ca.pem", "server.pem", "server.key", "stranger.pem")))
    found.authority.write_bytes(made("authority", authority, issuer="authority", by=authority))
    found.certificate.write_bytes(made("server", server, issuer="authority", by=authority))
    found.stranger.write_bytes(made("stranger", stranger, issuer="stranger", by=stranger))
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    found.key.write_bytes(server.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return found


def test_a_frontier_speaks_tls_with_the_least_user_and_refuses_a_stranger(
    certificates: Certificates, tmp_path: Path
) -> None:
    port = free_port()
    files = ("--tls-cert-file", f"{certificates.certificate}", "--tls-key-file", f"{certificates.key}")
    with redis_server("--tls-port", f"{port}", *files, "--tls-auth-clients", "no") as server:
        login = least_user(server.url).partition("@")[0].replace("redis://", "rediss://")
        secret = tmp_path / "frontier"
        secret.write_text(f"{login}@{HOST}:{port}/0?ssl_ca_certs={certificates.authority}\n")
        chosen = load({}, environ={"THRESHER_FRONTIER_FILE": str(secret)}).settings
        assert PASSWORD not in repr(chosen)
        connection = Connection(chosen.frontier)
        connection.check()
        frontier = RedisFrontier(connection, "job", Rules(delay_s=0.0))
        frontier.offer(links(2))
        assert len(frontier.lease("w1", 1)) == 1
        for command in (("FLUSHALL",), ("CONFIG", "GET", "*"), ("KEYS", "*"), ("GET", "other"), ("ACL", "LIST")):
            with pytest.raises(BackendError, match="permission"):
                connection.call(*command)
        connection.close()
        wrong = Connection(chosen.frontier.replace(str(certificates.authority), str(certificates.stranger)))
        with pytest.raises(BackendError, match="CERTIFICATE_VERIFY_FAILED"):
            wrong.check()
        wrong.close()


@pytest.fixture
def database(certificates: Certificates) -> Iterator[Server]:
    """PostgreSQL that takes logins over TLS alone."""
    with postgres_server() as server:
        data = server.folder / "data"
        owner = data.stat()
        for name, source in (("server.crt", certificates.certificate), ("server.key", certificates.key)):
            (data / name).write_bytes(source.read_bytes())
            (data / name).chmod(0o600)
            os.chown(data / name, owner.st_uid, owner.st_gid)
        (data / "pg_hba.conf").write_text(f"local all all trust\nhostssl all all {HOST}/32 trust\n")
        psql = Path(postgresql_path() or "").with_name("psql")
        for order in ("ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()"):
            subprocess.run([psql, "-q", "-d", server.url, "-c", order], check=True, stdout=subprocess.DEVNULL)
        server.stop()
        server.start()
        yield server


def test_a_store_speaks_tls_and_refuses_a_stranger_and_plain_text(certificates: Certificates, database: Server) -> None:
    terms = f"sslmode=verify-full&sslrootcert={certificates.authority}"
    store, close = server_store(f"{database.url}?{terms}")
    assert store.runs() == []
    close()
    for other, why in (
        (f"sslmode=verify-full&sslrootcert={certificates.stranger}", "certificate verify failed"),
        ("sslmode=disable", "no encryption"),
    ):
        with pytest.raises(BackendError, match=why):
            server_store(f"{database.url}?{other}")[0].runs()


class Health(BaseHTTPRequestHandler):
    """Answers everything as a search server tells that it is well."""

    def do_GET(self) -> None:
        body = b'{"status": "green"}'
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@contextmanager
def encrypted(certificates: Certificates, port: int) -> Iterator[int]:
    """Stand in front of a server that speaks plain text, as a proxy that ends TLS does; give the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates.certificate, certificates.key)

    class Proxy(BaseRequestHandler):
        def handle(self) -> None:
            with (
                suppress(OSError),
                context.wrap_socket(self.request, server_side=True) as client,
                socket.create_connection((HOST, port)) as server,
            ):
                back = Thread(target=passed, args=(server, client), daemon=True)
                back.start()
                passed(client, server)
                back.join()

    class Server(ThreadingTCPServer):
        daemon_threads, allow_reuse_address = True, True

    with Server((HOST, 0), Proxy) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield int(proxy.server_address[1])
        finally:
            proxy.shutdown()


def passed(source: socket.socket, to: socket.socket) -> None:
    """Pass on what comes until one side ends."""
    with suppress(OSError):
        while part := source.recv(65_536):
            to.sendall(part)
    with suppress(OSError):
        to.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def healthy() -> Iterator[int]:
    """The port of a server that answers as a search server would."""
    with ThreadingHTTPServer((HOST, 0), Health) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_a_search_server_is_trusted_by_its_authority_alone(certificates: Certificates, healthy: int) -> None:
    with encrypted(certificates, healthy) as port:
        place = f"opensearchs://{HOST}:{port}/news"
        url = f"{place}?ca_certs={certificates.authority}"
        assert Settings(index=url).index == url
        with closing(SearchServer(url)) as server:
            assert server.name == "news"
            assert server.call("GET", "/_cluster/health") == {"status": "green"}
        for wrong in (f"{place}?ca_certs={certificates.stranger}", place):
            with closing(SearchServer(wrong)) as server, pytest.raises(BackendError, match="no known authority"):
                server.call("GET", "/_cluster/health")
            with pytest.raises(BackendError, match="no known authority"):
                server_store(wrong)
    with pytest.raises(UsageError, match="nothing else"):
        Settings(index=f"{place}?verify=no")


@pytest.mark.long
def test_a_store_and_an_index_in_opensearch_are_used_over_tls(
    certificates: Certificates, opensearch_process: Server, tmp_path: Path
) -> None:
    with encrypted(certificates, opensearch_process.port) as port:
        place, terms = f"opensearchs://{HOST}:{port}", f"?ca_certs={certificates.authority}"
        settings = Settings(data=str(tmp_path), store=f"{place}/tls-store{terms}", index=f"{place}/tls{terms}")
        with closing(wiring.open_corpus(settings)) as corpus:
            run = corpus.store.start_run(["https://a.example/"], {}, datetime.now(UTC))
            assert [each.id for each in corpus.store.runs()] == [run.id]
            assert corpus.index.count() == 0
