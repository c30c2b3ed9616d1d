"""The way to a service: by its own certificates, and by a proxy."""

import datetime
import ipaddress
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.flags.proxy import proxied
from tests.flags.service import MIRA, made, served
from tests.modules.calls import eventually

WHO = "Basic YW5hOnBAc3M="


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A file of certificates that nobody knows, and what serves by it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "work.example")])
    begin = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin.replace(year=2090))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("tls")
    certificate, secret = folder / "ca.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, secret)
    return certificate, context


def test_a_service_is_checked_by_certificates_of_ones_own(certificates: tuple[Path, ssl.SSLContext]) -> None:
    ca_path, context = certificates
    with served(tls=context) as service:
        with made(service, init_timeout_ms=300) as client:
            assert client.ready() is False
            eventually(lambda: "CERTIFICATE_VERIFY_FAILED" in str(client.status.last_error))
        with made(service, ca_path=ca_path) as client:
            assert client.ready()
            eventually(lambda: client.status.connected)
            client.boolean("on", False, MIRA)
            assert client.flush()
        assert len(service.batches) == 1


@pytest.mark.parametrize("secure", [False, True])
def test_a_service_is_reached_by_a_proxy(certificates: tuple[Path, ssl.SSLContext], secure: bool) -> None:
    ca_path, context = certificates
    with served(tls=context if secure else None) as service, proxied() as proxy:
        with made(service, proxy=proxy.url, ca_path=ca_path) as client:
            assert client.ready()
            eventually(lambda: client.status.connected)
            service.change()
            eventually(lambda: client.version == 2)
            client.boolean("on", False, MIRA)
            assert client.flush()
        assert len(service.batches) == 1
        assert all("Proxy-Authorization" not in headers for _, headers in service.asked)
        assert proxy.who == {WHO}
        where = service.url.removeprefix("https://")
        wanted = (
            {f"CONNECT {where}"}
            if secure
            else {f"GET {service.url}/sdk/v1/{name}" for name in ("snapshot", "stream")}
        )
        assert wanted <= {one.partition("?")[0] for one in proxy.asked}  # the stream may name a version first
        assert len(proxy.asked) >= len(service.asked)
