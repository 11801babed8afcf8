"""Redis and PostgreSQL over TLS, with certificates of an authority of our own; and the least user of Redis."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.contracts.frontier_words import links
from tests.frontier.least_user import PASSWORD, least_user
from tests.servers import HOST, Server, postgres_server, redis_server
from thresher.config import load
from thresher.errors import BackendError
from thresher.frontier.contract import Rules
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.server import Server as Connection
from thresher.lab.servers import free_port, postgresql_path
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
