"""Where messages may go: what is refused, and that the connection goes to what was checked."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st

from service.webhooks.addresses import RefusedError, check_address, checked_url
from service.webhooks.sending import READ, Outcome, Sender
from tests import loops
from tests.cases import cases
from tests.service.receiver import Receiver, status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

    from tests.service.receiver import Posted

REFUSED = {
    "loopback": ["127.0.0.1", "127.8.8.8", "::1"],
    "private": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1"],
    "shared": ["100.64.0.1", "100.127.255.255"],
    "link-local": ["169.254.169.254", "fe80::1"],
    "site-local": ["fec0::1", "feff::1"],
    "nobody's": ["0.0.0.0", "0.1.2.3", "::", "255.255.255.255", "240.0.0.1"],  # noqa: S104
    "many machines'": ["224.0.0.1", "ff02::1"],
    "protocols'": ["192.0.0.1", "192.0.0.170"],
    "documentation's": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "198.18.0.1"],
    "IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:224.0.0.1"],
    "IPv4-compatible": ["::127.0.0.1", "::10.0.0.1"],
    "6to4": ["2002:7f00:1::", "2002:c0a8:101::1", "2002:a9fe:a9fe::"],
    "Teredo": ["2001:0:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe", "2001:0:c0a8:101:0:0:3fff:fdd2"],
    "NAT64": ["64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::c0a8:101", "64:ff9b:1::a00:1"],
}
PUBLIC = ("8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1")
WRAPPED_HOMES = ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "2002:c0a8:101::1"]
WRAPPED_HOMES += ["64:ff9b::7f00:1", "64:ff9b::c0a8:101"]
"""Of those that are refused, the private ones that are wrapped in another."""


@cases("text", [each for group in REFUSED.values() for each in group])
def test_what_is_not_public_is_refused(text: str) -> None:
    url = checked_url("https://example.org/hook", private=False)
    with pytest.raises(RefusedError):
        check_address(url, ip_address(text), private=False)
    literal = f"[{text}]" if ":" in text else text
    with pytest.raises(RefusedError):
        checked_url(f"https://{literal}/hook", private=False)


@cases("text", PUBLIC)
def test_what_is_public_is_let_through(text: str) -> None:
    check_address(checked_url("https://example.org/hook", private=False), ip_address(text), private=False)


@cases("text", [each for group in REFUSED.values() for each in group])
def test_private_networks_can_be_opened_and_nothing_else(text: str) -> None:
    url = checked_url("http://example.org:5000/hook", private=True)
    opened = [each for group in ("loopback", "private", "shared") for each in REFUSED[group]] + WRAPPED_HOMES
    with contextlib.nullcontext() if text in opened else pytest.raises(RefusedError):
        check_address(url, ip_address(text), private=True)


CLOUDS = ["169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16"]
"""Where clouds tell secrets: Amazon and most others, Alibaba, Oracle, Azure."""
CLOUDS_V6 = ["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "fe80::a9fe:a9fe"]


def wrapped(text: str) -> list[str]:
    """An IPv4 address, and the IPv6 addresses that lead to it."""
    number = int(ip_address(text))
    high, low = f"{number >> 16:x}", f"{number & 0xFFFF:x}"
    teredo = f"2001:0:808:808:0:0:{0xFFFF - (number >> 16):x}:{0xFFFF - (number & 0xFFFF):x}"
    prefixes = ("::ffff:", "::", "::ffff:0:", "64:ff9b::", "64:ff9b:1::", "fd64::", "fd00::5efe:")
    return [text, f"2002:{high}:{low}::", teredo, *(f"{prefix}{high}:{low}" for prefix in prefixes)]


@cases("text", [*(each for text in CLOUDS for each in wrapped(text)), *CLOUDS_V6])
def test_where_clouds_tell_secrets_stays_closed_however_it_is_wrapped(text: str) -> None:
    for private in (False, True):
        url = checked_url("https://example.org/hook", private=private)
        with pytest.raises(RefusedError):
            check_address(url, ip_address(text), private=private)


@pytest.mark.parametrize("private", [False, True])
def test_an_inner_name_is_answered_as_one_that_is_not_known(private: bool) -> None:
    async def unknown(_host: str, _port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    sender = Sender(private=private, resolve=unknown)
    found = {loops.run(sender.send("https://db.inner.example/", {}, b"{}")).error}
    inner = [["169.254.169.254"], [], ["8.8.8.8", "fd00:ec2::254"]] + ([] if private else [["10.0.0.7"], ["fd12::7"]])
    found |= {post("https://db.inner.example/", each, private=private).error for each in inner}
    assert found == {"refused: db.inner.example has no address that messages may go to"}


def test_a_connection_that_failed_does_not_tell_what_the_name_means() -> None:
    outcome = post("http://db.inner.example:9/", ["127.0.0.1"], private=True)
    assert outcome.error == "no connection"


def test_the_owner_reads_in_the_log_why_a_name_was_refused(caplog: pytest.LogCaptureFixture) -> None:
    post("https://db.inner.example/", ["10.0.0.7"])
    assert "db.inner.example: the address 10.0.0.7 is not public" in caplog.text


@cases("text", PUBLIC)
def test_with_private_networks_open_public_ones_are_reached_by_https_at_their_usual_ports_alone(text: str) -> None:
    check_address(checked_url("https://example.org/hook", private=True), ip_address(text), private=True)
    for url in ("http://example.org/hook", "https://example.org:5000/hook"):
        with pytest.raises(RefusedError):
            check_address(checked_url(url, private=True), ip_address(text), private=True)


@given(st.integers(0, 2**32 - 1))
def test_what_wraps_an_address_is_as_open_as_that(number: int) -> None:
    url = checked_url("https://example.org/hook", private=False)
    inner = ip_address(number)

    def passes(text: str) -> bool:
        with contextlib.suppress(RefusedError):
            check_address(url, ip_address(text), private=False)
            return True
        return False

    high, low = f"{number >> 16:x}", f"{number & 0xFFFF:x}"
    wrapped = (f"::ffff:{high}:{low}", f"64:ff9b::{high}:{low}", f"2002:{high}:{low}::1")
    assert {passes(text) for text in wrapped} == {passes(str(inner))}
    assert not passes(f"::{high}:{low}")


@cases(
    "url",
    [
        *("http://example.org/", "https://example.org:22/", "https://u@example.org/", "https://u:p@example.org/"),
        *(
            "https:///hook",
            "https://",
            "example.org",
            "",
            "file:///etc/passwd",
            "gopher://example.org/",
            "https://a b/",
        ),
        *("https://example.org:99999/", "https://[::1/", "https://exa\nmple.org/", "https://example.org/" + "a" * 2000),
        *("https://127.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[fe80::1%25eth0]/"),
    ],
)
def test_what_is_no_address_of_an_endpoint_is_refused(url: str) -> None:
    with pytest.raises(RefusedError):
        checked_url(url, private=False)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.close()


def post(url: str, *answers: list[str], private: bool = False, timeout: float = 5) -> Outcome:
    """Post to a URL with a name that has these addresses, one list after the other."""
    left = list(answers)

    async def resolve(_host: str, _port: int) -> list[str]:
        return left.pop(0)

    sender = Sender(private=private, resolve=resolve if answers else None, timeout=timeout)
    return loops.run(sender.send(url, {}, b"{}"))


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["127.0.0.1", "8.8.8.8"], ["8.8.8.8", "::ffff:10.0.0.1"]]
)
def test_every_address_of_a_name_has_to_pass(receiver: Receiver, addresses: list[str]) -> None:
    outcome = post("https://example.org/hook", addresses)
    assert outcome.error is not None
    assert outcome.error.startswith("refused: ")
    assert receiver.arrived == []


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "0177.0.0.1", "127.1"])
def test_names_and_spellings_of_this_machine_are_refused(receiver: Receiver, host: str) -> None:
    outcome = post(f"https://{host}:8443/hook")
    assert outcome.status is None
    assert receiver.arrived == []
    if host != "0177.0.0.1":  # which readers do not agree on, so that it is no URL at all
        assert outcome.error in {
            "refused: the address 127.0.0.1 is not public",  # which the URL says itself
            f"refused: {host} has no address that messages may go to",
        }


def test_the_connection_goes_to_the_address_that_was_checked(receiver: Receiver) -> None:
    """A name that means another machine a moment later is looked up once an attempt."""
    url = f"http://receiver.example:{receiver.port}/hook"
    outcome = post(url, ["127.0.0.1"], ["169.254.169.254"], private=True)
    assert outcome.is_delivered
    assert receiver.arrived[0].headers["host"] == f"receiver.example:{receiver.port}"


def test_the_addresses_of_a_name_are_tried_in_turn(receiver: Receiver) -> None:
    outcome = post(f"http://receiver.example:{receiver.port}/hook", ["127.0.0.9", "::1", "127.0.0.1"], private=True)
    assert outcome.is_delivered


def test_a_fault_of_the_service_is_a_failed_attempt_too() -> None:
    """Otherwise the message would be sent again at once, for ever."""
    outcome = post("http://receiver.example/hook", ["not an address"], private=True)
    assert outcome.error == "a fault of the service (ValueError)"


@pytest.mark.parametrize(("pause", "error"), [(0.7, None), (1.5, "no answer within 0.6 s")])
def test_a_receiver_has_the_whole_time_for_its_answer(receiver: Receiver, pause: float, error: str | None) -> None:
    whole = 0.6

    def slow(handler: BaseHTTPRequestHandler, posted: Posted) -> None:
        time.sleep(whole * pause)
        status(204)(handler, posted)

    receiver.answer = slow
    assert post(receiver.url, private=True, timeout=whole).error == error


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answer = status(307, Location=receiver.url.replace("/hook", "/elsewhere"))
    assert post(receiver.url, private=True).status == 307
    assert len(receiver.arrived) == 1


def test_no_more_of_an_answer_is_read_than_a_little(receiver: Receiver) -> None:
    sent = []

    def endless(handler: BaseHTTPRequestHandler, _: Posted) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(10 * 10**9))
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * 65536)
            sent.append(65536)

    receiver.answer = endless
    outcome = post(receiver.url, private=True)
    assert outcome.is_delivered
    assert sum(sent) < 100 * 2**20, "what is not read stays in the buffers of the kernel"
    assert READ == 4096


def certify(folder: Path, name: str) -> tuple[Path, ssl.SSLContext]:
    """A certificate for a name, signed by itself, and a server's context with it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    path = folder / f"{name}.pem"
    path.write_bytes(builder.sign(key, SHA256()).public_bytes(Encoding.PEM))
    private = folder / f"{name}.key"
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, private)
    return path, context


def test_authorities_are_read_only_for_a_receiver_that_speaks_https(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read those that everybody trusts takes 25 ms."""
    monkeypatch.setattr(ssl, "create_default_context", Mock(side_effect=OSError("authorities are read")))
    assert post(receiver.url, ["127.0.0.1"], private=True).is_delivered
    assert post("https://receiver.example/", ["127.0.0.1"], private=True).error == "authorities are read"


@pytest.mark.parametrize("name", ["receiver.example", "another.example"])
def test_a_receiver_proves_the_name_that_the_url_has_not_its_address(
    receiver: Receiver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path, context = certify(tmp_path, "receiver.example")
    asked: list[str | None] = []
    context.sni_callback = lambda _socket, sni, _context: asked.append(sni)
    receiver.serve_tls(context)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    outcome = post(f"https://{name}:{receiver.port}/hook", ["127.0.0.1"], private=True)
    assert (asked, outcome.is_delivered, len(receiver.arrived)) == (
        [name],
        name == "receiver.example",
        int(name == "receiver.example"),
    )
    assert outcome.is_delivered or "ertificate" in str(outcome.error)
