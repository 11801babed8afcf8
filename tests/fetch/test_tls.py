"""Certificates are verified."""

import datetime
import ipaddress
import os
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.fetch.conftest import Crawl
from tests.fetch.loopback import Site, answer

ADDRESS = ipaddress.ip_address("127.0.0.1")


def certify(folder: Path) -> Path:
    """Write a self-signed certificate for one loopback address, with its key, to a file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "thresher test")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ADDRESS), x509.DNSName("good.test")]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path = folder / "certificate.pem"
    path.write_bytes(pem + certificate.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certify(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def site(certificate: Path) -> Iterator[Site]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with Site({"/": answer(b"secret")}, tls=context) as site:
        yield site


def test_a_certificate_that_nobody_vouches_for_is_refused(site: Site, crawl: Crawl) -> None:
    told = crawl(site.origin + "/").of(site.origin + "/")
    assert (told["reason"], told["outcome"]) == ("tls", "bury")
    assert "certificate verify failed" in told["detail"]
    assert site.visits == []


def test_a_trusted_certificate_is_accepted_for_its_names_alone(site: Site, crawl: Crawl, certificate: Path) -> None:
    good, bad = f"https://good.test:{site.port}/", f"https://bad.test:{site.port}/"
    hosts = {"good.test": ["127.0.0.1"], "bad.test": ["127.0.0.1"]}
    told = crawl(site.origin + "/", good, bad, hosts=hosts, env=os.environ | {"SSL_CERT_FILE": str(certificate)})
    assert told.of(good)["status"] == 200
    assert told.of(good)["address"] == "127.0.0.1"
    assert told.of(site.origin + "/")["status"] == 200
    assert told.of(bad)["reason"] == "tls"


def test_verification_can_be_turned_off(site: Site, crawl: Crawl) -> None:
    assert crawl(site.origin + "/", options={"verify_tls": False}).reasons() == [200]
