"""HTTPS at home: in a browser that trusts the authority, what needs a secure connection works at the local name."""

from __future__ import annotations

import os
import ssl
import sys
import time
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from playwright.sync_api import Error

from service.server.authority import FOLDER, KEY, CertificatePair, certificate_file, fingerprint, make_certificate
from service.server.hosts import CertificateHosts, machine_name
from tests import nss, warm
from tests.browser import FLAGS, MISSING, environment, find
from tests.plain_http import PLAIN
from tests.ports import free_port
from tests.served import PATIENCE, Service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext

ROOT = Path(__file__).parents[3]
BANK = "bank.example"
ELSEWHERE = "0.0.0.0"  # noqa: S104 - the name of the machine is answered only where others reach it


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """The data folder of a service that speaks HTTPS, and its port."""
    data, port = tmp_path_factory.mktemp("https") / "data", free_port()
    settings = {"KIFU_DATA": str(data), "KIFU_PORT": str(port), "KIFU_HTTPS": "1", "KIFU_HOST": ELSEWHERE}
    command = [sys.executable, "-m", "service.server.web", "service.app:create_app"]
    process = warm.Popen(command, env=os.environ | settings, cwd=ROOT)
    try:
        for _ in range(PATIENCE * 20):
            try:
                if httpx.get(f"http://127.0.0.1:{port}/https", verify=PLAIN).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.05)
        yield data, port
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture(scope="module")
def chromium(browser: Browser, folder: tuple[Path, int], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser that trusts the authority of the folder. It finds this machine by its own name, and by that of BANK."""
    path, home = find(), tmp_path_factory.mktemp("home")
    if path is None or nss.LIBRARY is None:
        pytest.skip(MISSING)
    nss.trust(home, certificate_file(folder[0]))
    names = ", ".join(f"MAP {name} 127.0.0.1" for name in (f"{machine_name()}.local", BANK))
    flags, surroundings = [*FLAGS, f"--host-resolver-rules={names}"], environment() | {"HOME": str(home)}
    with browser.browser_type.launch(executable_path=path, args=flags, env=surroundings) as launched:
        yield launched


def test_a_phone_that_trusts_the_authority_keeps_pages_and_follows_a_game(
    chromium: Browser, folder: tuple[Path, int]
) -> None:
    data, port = folder
    base = f"https://{machine_name()}.local:{port}"
    own = f"https://localhost:{port}"
    context: BrowserContext = chromium.new_context(base_url=base)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()

    page.goto(f"http://{machine_name()}.local:{port}/https")
    assert not page.evaluate("isSecureContext")
    assert fingerprint(certificate_file(data).read_bytes()) in page.inner_text("main")
    page.get_by_role("link", name="Go on to Kifu").click()
    page.wait_for_url(f"{base}/")
    assert page.evaluate("isSecureContext")
    assert page.evaluate("'crypto' in window && 'subtle' in crypto && 'wakeLock' in navigator")
    assert page.evaluate("navigator.serviceWorker.ready.then((found) => found.active !== null)")

    service = Service(own, (data / "owner.token").read_text(encoding="ascii").strip(), data)
    known = ssl.create_default_context(cafile=certificate_file(data))
    headers = {"Authorization": f"Bearer {service.token}"}
    with httpx.Client(base_url=own, headers=headers, verify=known) as service.api:
        game = service.open()
        page.goto("/login")
        page.locator("input[name=token]").fill(service.token)
        page.locator("form[action='/login'] button").click()
        page.wait_for_url(f"{base}/")
        (session,) = [each for each in context.cookies() if "session" in str(each.get("name"))]
        assert (session.get("name"), session.get("secure")) == ("__Host-kifu_session", True)
        page.goto(f"/games/{game}")
        service.add(game, {"type": "note.added", "data": {"text": "told over the stream"}})
        page.get_by_text("told over the stream").first.wait_for(state="attached")
    context.close()


def test_a_browser_that_does_not_trust_the_authority_warns(browser: Browser, folder: tuple[Path, int]) -> None:
    context = browser.new_context()
    with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        context.new_page().goto(f"http://127.0.0.1:{folder[1]}/")
    context.close()


def test_a_stolen_key_speaks_for_no_site_of_the_internet(
    chromium: Browser, folder: tuple[Path, int], tmp_path: Path
) -> None:
    data, port = folder
    key = load_pem_private_key((data / FOLDER / KEY).read_bytes(), None)
    stolen = CertificatePair(x509.load_pem_x509_certificate(certificate_file(data).read_bytes()), key)  # type: ignore[arg-type]
    with forged(stolen, tmp_path / "forged.pem") as there:
        page = chromium.new_page()
        assert page.goto(f"https://localhost:{port}/https"), "what the authority may speak for is trusted"
        with pytest.raises(Error, match="ERR_CERT_INVALID"):
            page.goto(f"https://{BANK}:{there}/")
        page.close()


@contextmanager
def forged(stolen: CertificatePair, file: Path) -> Iterator[int]:
    """The port of a server that has a certificate for BANK."""
    made = make_certificate(stolen, CertificateHosts([BANK], []))
    key = made.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(made.certificate.public_bytes(Encoding.PEM) + key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()
