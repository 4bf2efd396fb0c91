"""The local authority: it makes certificates for a service at home, which no public authority can give.

It is made once for a data folder. A phone trusts the service once its owner has told it to trust the authority. The
authority can only speak for private addresses and local names. So a phone risks nothing elsewhere, even if the key is
stolen. The authority makes the certificate of the service, and makes it anew in time and when addresses change. Phones
do not notice.
"""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from typing import TYPE_CHECKING, NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from events import safekeeping
from events.sqlite.translation import is_full
from service.server import hosts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FOLDER = "https"
CERTIFICATE, KEY, SERVICE = "authority.crt", "authority.key", "service.pem"
"""The files: the authority's certificate, for all to have, its key, and the certificate of the service with its key."""

DECADE = timedelta(days=3652)
LIFETIME = timedelta(days=397)
"""How long the certificate of a service holds; phones take none that holds longer than 398 days."""

BACKDATED = timedelta(days=1)
"""How long before it is made a certificate begins: the clocks of phones differ."""

RENEW_BEFORE_END = timedelta(days=30)
"""How long before its end a certificate is made anew."""

_LONGEST = 1 << 16
_USAGES = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
    *("key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
)


class CertificatePair(NamedTuple):
    """A certificate and the key that belongs to it."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def certificate_file(folder: Path) -> Path:
    """The file with the certificate of a data folder's authority, if it has one."""
    return folder / FOLDER / CERTIFICATE


def fingerprint(pem: bytes) -> str:
    """The SHA-256 of a certificate, in the form that systems show for comparison. Raises `ValueError`."""
    digest = x509.load_pem_x509_certificate(pem).fingerprint(hashes.SHA256())
    return digest.hex(":").upper()


def now() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


class Certificates:
    """The certificates of the data folder `folder`, for a service that listens on `host`.

    `context` speaks TLS with them. For the process that has locked the folder. `warn` gets reports of damage.
    Raises `OSError`.
    """

    def __init__(self, folder: Path, host: str, warn: Callable[[str], None]) -> None:
        self._folder, self._host, self._warn = folder / FOLDER, host, warn
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.context.set_alpn_protocols(["http/1.1"])
        try:
            self.renew()
        except OSError as error:
            if not is_full(error):
                raise
            warn(f"the certificate cannot be made anew: {error}")
        self.load()

    def renew(self) -> bool:
        """Renew what is missing, damaged, about to expire, or not for the current addresses. True if anything was."""
        authority, found = self._authority(), self._read(SERVICE, SERVICE)
        if authority is None:
            authority = self._begin()
        elif found is None:
            self._warn("the certificate of the service is missing or damaged: another one is made")
        wanted = hosts.certificate_hosts(self._host)
        if found and _serves(found, authority, wanted):
            return False
        made = make_certificate(authority, wanted)
        safekeeping.put(self._folder / SERVICE, _certificate_bytes(made.certificate) + _key_bytes(made.key))
        return True

    def load(self) -> None:
        """Use the current certificate from now on. Do not call it while another thread begins a connection."""
        self.context.load_cert_chain(self._folder / SERVICE)

    def _authority(self) -> CertificatePair | None:
        found = self._read(CERTIFICATE, KEY)
        return found if found and found.certificate.not_valid_after_utc > now() + RENEW_BEFORE_END else None

    def _begin(self) -> CertificatePair:
        """Make a new authority, the first one in an empty folder."""
        if any((self._folder / name).exists() for name in (CERTIFICATE, KEY, SERVICE)):
            self._warn("the local authority is missing, damaged or over: another one is made, to be trusted anew")
        made = make_authority()
        safekeeping.put(self._folder / KEY, _key_bytes(made.key))
        safekeeping.put(self._folder / CERTIFICATE, _certificate_bytes(made.certificate))
        return made

    def _read(self, certificate: str, key: str) -> CertificatePair | None:
        """The certificate and key in two files, if they are sound and fit. Others lose their right to read the key."""
        contents = [self._content(name) for name in (certificate, key)]
        try:
            read, private = x509.load_pem_x509_certificate(contents[0]), load_pem_private_key(contents[1], None)
            if isinstance(private, ec.EllipticCurvePrivateKey) and read.public_key() == private.public_key():
                return CertificatePair(read, private)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            return None
        return None

    def _content(self, name: str) -> bytes:
        """The content of a file; empty without one. Raises `OSError`."""
        try:
            return safekeeping.get(self._folder / name, _LONGEST)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._folder / name)) from error


def make_authority() -> CertificatePair:
    """Make an authority for private addresses and local names only."""
    key = ec.generate_private_key(ec.SECP256R1())
    begins = now() - BACKDATED
    allowed: list[x509.GeneralName] = [x509.DNSName(name) for name in hosts.LOCAL_NAMES]
    allowed += [x509.IPAddress(ip_network(network)) for network in hosts.LOCAL_NETWORKS]
    serial = x509.random_serial_number()
    name = _named(f"Kifu at {hosts.machine_name()} {serial % 0x10000:04x}")  # who trusts two tells one from the other
    builder = _builder(name, name, key.public_key(), serial, begins, begins + DECADE)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage("key_cert_sign", "crl_sign"), critical=True)
    builder = builder.add_extension(x509.NameConstraints(allowed, None), critical=True)
    return CertificatePair(builder.sign(key, hashes.SHA256()), key)


def make_certificate(authority: CertificatePair, wanted: hosts.CertificateHosts) -> CertificatePair:
    """Make a certificate of the service for the `wanted` names and addresses."""
    key = ec.generate_private_key(ec.SECP256R1())
    begins = now() - BACKDATED
    ends = min(begins + LIFETIME, authority.certificate.not_valid_after_utc)
    name, issuer, serial = _named("Kifu"), authority.certificate.subject, x509.random_serial_number()
    builder = _builder(name, issuer, key.public_key(), serial, begins, ends)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(_usage("digital_signature"), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    names = [*map(x509.DNSName, wanted.names), *map(x509.IPAddress, wanted.addresses)]
    builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    of_issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    builder = builder.add_extension(of_issuer, critical=False)
    return CertificatePair(builder.sign(authority.key, hashes.SHA256()), key)


def _builder(
    name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, serial: int, begins: datetime, ends: datetime
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder(issuer, name, key, serial, begins, ends)
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)


def _named(name: str) -> x509.Name:
    return x509.Name(
        [x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Kifu"), x509.NameAttribute(NameOID.COMMON_NAME, name[:64])]
    )


def _usage(*usages: str) -> x509.KeyUsage:
    return x509.KeyUsage(**{usage: usage in usages for usage in _USAGES})


def _serves(found: CertificatePair, authority: CertificatePair, wanted: hosts.CertificateHosts) -> bool:
    """Whether a certificate is from the authority, valid for some time, and for what is `wanted`."""
    certificate, time = found.certificate, now()
    try:
        certificate.verify_directly_issued_by(authority.certificate)
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
        return False
    subject_names = set(names.get_values_for_type(x509.DNSName)), set(names.get_values_for_type(x509.IPAddress))
    holds = certificate.not_valid_before_utc <= time and time + RENEW_BEFORE_END < certificate.not_valid_after_utc
    return holds and subject_names == (set(wanted.names), set(wanted.addresses))


def _certificate_bytes(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _key_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
