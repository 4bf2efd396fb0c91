"""The local authority: its certificates hold for the service alone, in time, and are made anew when they must be."""

from __future__ import annotations

import asyncio
import socket
import ssl
import stat
from contextlib import suppress
from datetime import timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID

from service.server import authority, hosts, web
from service.server.authority import CERTIFICATE, FOLDER, KEY, SERVICE, CertificatePair, Certificates
from tests import loops

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60.0
EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing listens


class Made:
    """The certificates of a folder, and what was said of them."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        self.warnings: list[str] = []
        self.certificates = Certificates(folder, host, self.warnings.append)
        self.files = {name: (folder / FOLDER / name).read_bytes() for name in (CERTIFICATE, KEY, SERVICE)}

    @property
    def service(self) -> x509.Certificate:
        return x509.load_pem_x509_certificate(self.files[SERVICE])

    @property
    def root(self) -> x509.Certificate:
        return x509.load_pem_x509_certificate(self.files[CERTIFICATE])

    def renew(self) -> bool:
        """Look after the certificates as a running service does."""
        renewed = self.certificates.renew()
        self.certificates.load()
        return renewed

    def meet(self, host: str, trusted: bytes | None = None) -> None:
        """Shake hands with somebody who trusts the authority alone and wants to speak with `host`."""
        context = ssl.create_default_context(cadata=(trusted or self.files[CERTIFICATE]).decode())
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        shake(self.certificates.context, context, host)


def shake(server: ssl.SSLContext, client: ssl.SSLContext, host: str) -> None:
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(back, there, server_hostname=host),
        server.wrap_bio(there, back, server_side=True),
    )
    for _ in range(4):
        for end in ends:
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
    assert ends[0].version() is not None


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[timedelta]:
    moved, real = [timedelta()], authority.now
    monkeypatch.setattr(authority, "now", lambda: real() + moved[0])
    return moved


def move_house(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    monkeypatch.setattr(hosts, "_own_addresses", lambda: [ip_address(each) for each in addresses])


def test_the_service_is_known_by_the_authority_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move_house(monkeypatch, "192.168.1.5")
    made = Made(tmp_path, EVERYWHERE)
    for host in ("localhost", "127.0.0.1", "::1", "192.168.1.5", f"{hosts.machine_name()}.local"):
        made.meet(host)
    for other in ("192.168.1.6", "example.com", "other.local", "127.0.0.2"):
        with pytest.raises(ssl.SSLCertVerificationError):
            made.meet(other)


def test_a_service_is_not_known_by_the_authority_of_another_one(tmp_path: Path) -> None:
    other = Made(tmp_path / "other").files[CERTIFICATE]
    with pytest.raises(ssl.SSLCertVerificationError):
        Made(tmp_path / "one").meet("localhost", other)


@pytest.mark.parametrize("wanted", [["example.com"], ["localhost", "bank.example"], ["notlocal"]])
def test_the_authority_cannot_speak_for_names_of_others(wanted: list[str], tmp_path: Path) -> None:
    made = Made(tmp_path)
    root = CertificatePair(made.root, authority.serialization.load_pem_private_key(made.files[KEY], None))  # type: ignore[arg-type]
    forged = authority.make_certificate(root, hosts.CertificateHosts(wanted, []))
    file = tmp_path / "forged.pem"
    file.write_bytes(authority._certificate_bytes(forged.certificate) + authority._key_bytes(forged.key))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    with pytest.raises(ssl.SSLCertVerificationError, match="subtree"):
        shake(server, ssl.create_default_context(cadata=made.files[CERTIFICATE].decode()), wanted[-1])


def test_the_key_is_for_the_owner_alone_to_read(tmp_path: Path) -> None:
    Made(tmp_path)
    for name in (KEY, SERVICE):
        (tmp_path / FOLDER / name).chmod(0o644)
    Made(tmp_path)
    for name in (KEY, SERVICE):
        assert stat.S_IMODE((tmp_path / FOLDER / name).stat().st_mode) == 0o600


def test_no_certificate_holds_longer_than_phones_take(tmp_path: Path) -> None:
    made = Made(tmp_path)
    assert made.service.not_valid_after_utc - made.service.not_valid_before_utc <= timedelta(days=397)
    decade = made.root.not_valid_after_utc - made.root.not_valid_before_utc
    assert timedelta(days=3650) < decade < timedelta(days=3660)
    assert not made.warnings


def test_what_is_sound_is_kept_at_the_next_start(tmp_path: Path) -> None:
    first, second = Made(tmp_path), Made(tmp_path)
    assert (first.files, second.warnings) == (second.files, [])


@pytest.mark.parametrize("days", [366, 390, 500, -30])
def test_a_certificate_is_renewed_in_time_and_the_authority_stays(
    days: int, tmp_path: Path, clock: list[timedelta]
) -> None:
    before = Made(tmp_path)
    clock[0] = timedelta(days=days)
    after = Made(tmp_path)
    assert after.files[CERTIFICATE] == before.files[CERTIFICATE]
    assert (
        after.service.not_valid_before_utc
        < authority.now()
        < after.service.not_valid_after_utc - authority.RENEW_BEFORE_END
    )
    assert not after.warnings


def test_a_running_service_goes_on_with_the_renewed_certificate(
    tmp_path: Path, clock: list[timedelta], monkeypatch: pytest.MonkeyPatch
) -> None:
    move_house(monkeypatch, "192.168.1.5")
    made = Made(tmp_path, EVERYWHERE)
    assert not made.renew()
    move_house(monkeypatch, "10.0.0.7")
    assert made.renew()
    made.meet("10.0.0.7")
    with pytest.raises(ssl.SSLCertVerificationError):
        made.meet("192.168.1.5")
    clock[0] = timedelta(days=380)
    assert made.renew()
    assert not made.renew()


def test_a_running_service_looks_after_its_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "CERTIFICATE_CHECK_INTERVAL", 0.01)
    move_house(monkeypatch, "192.168.1.5")
    made = Made(tmp_path, EVERYWHERE)
    move_house(monkeypatch, "10.0.0.7")

    async def look_after() -> None:
        task = asyncio.create_task(web._renew(made.certificates))
        async with asyncio.timeout(PATIENCE):
            while (tmp_path / FOLDER / SERVICE).read_bytes() == made.files[SERVICE]:
                await asyncio.sleep(0.01)
            (tmp_path / FOLDER / SERVICE).unlink()  # what fails in between ends nothing
            while not made.warnings:
                await asyncio.sleep(0.01)
        task.cancel()

    loops.run(look_after())
    made.meet("10.0.0.7")


def test_no_certificate_outlives_the_authority_and_another_follows_it(tmp_path: Path, clock: list[timedelta]) -> None:
    before = Made(tmp_path)
    clock[0] = timedelta(days=3500)
    late = Made(tmp_path)
    assert late.service.not_valid_after_utc <= late.root.not_valid_after_utc
    clock[0] = timedelta(days=3640)
    after = Made(tmp_path)
    assert after.files[CERTIFICATE] != before.files[CERTIFICATE]
    assert "trusted anew" in after.warnings[0]


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff" * 100_000, None])
@pytest.mark.parametrize("name", [CERTIFICATE, KEY, SERVICE])
def test_a_damaged_file_is_made_anew_with_a_warning(name: str, content: bytes | None, tmp_path: Path) -> None:
    before = Made(tmp_path)
    path = tmp_path / FOLDER / name
    path.unlink() if content is None else path.write_bytes(content)
    after = Made(tmp_path)
    after.meet("localhost")
    assert len(after.warnings) == 1
    assert (after.files[CERTIFICATE] == before.files[CERTIFICATE]) is (name == SERVICE)
    assert ("trusted anew" in after.warnings[0]) is (name != SERVICE)


@pytest.mark.parametrize("name", [CERTIFICATE, KEY, SERVICE])
def test_what_cannot_be_read_is_not_taken_for_lost(name: str, tmp_path: Path) -> None:
    before = Made(tmp_path)
    (tmp_path / FOLDER / name).unlink()
    (tmp_path / FOLDER / name).mkdir()
    with pytest.raises(OSError, match=name):
        Made(tmp_path)
    (tmp_path / FOLDER / name).rmdir()
    (tmp_path / FOLDER / name).write_bytes(before.files[name])
    assert Made(tmp_path).files == before.files


def test_an_authority_of_another_make_is_used_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = x509.Name([x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, "Games")])
    monkeypatch.setattr(authority, "_named", lambda _: other)
    made = Made(tmp_path)
    monkeypatch.undo()
    (tmp_path / FOLDER / SERVICE).unlink()
    after = Made(tmp_path)
    after.meet("localhost")
    assert after.files[CERTIFICATE] == made.files[CERTIFICATE]


def test_files_that_do_not_belong_together_are_not_used(tmp_path: Path) -> None:
    one, other = Made(tmp_path / "one"), Made(tmp_path / "other")
    (tmp_path / "one" / FOLDER / KEY).write_bytes(other.files[KEY])
    after = Made(tmp_path / "one")
    assert after.files[CERTIFICATE] not in {one.files[CERTIFICATE], other.files[CERTIFICATE]}
    after.meet("localhost")


@pytest.mark.parametrize("name", ["ラズパイ", "a b", "", "x" * 80, "-"])
def test_a_strange_name_of_the_machine_does_no_harm(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    Made(tmp_path).meet("localhost")


def test_public_addresses_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move_house(monkeypatch, "203.0.113.5", "192.168.1.5", "2001:db8::7")
    assert ip_address("203.0.113.5") not in hosts.certificate_hosts(EVERYWHERE).addresses
    assert hosts.network_urls(EVERYWHERE, 80, https=True) == ["https://192.168.1.5:80"]
    Made(tmp_path, EVERYWHERE).meet("192.168.1.5")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_old_versions_of_tls_are_not_spoken(version: ssl.TLSVersion, tmp_path: Path) -> None:
    made = Made(tmp_path)
    client = ssl.create_default_context(cadata=made.files[CERTIFICATE].decode())
    client.set_ciphers("ALL:@SECLEVEL=0")
    client.minimum_version, client.maximum_version = version, version
    with pytest.raises(ssl.SSLError):
        shake(made.certificates.context, client, "localhost")
