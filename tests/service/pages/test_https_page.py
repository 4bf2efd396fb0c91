"""HTTPS at home: in a browser that trusts the authority, what needs a secure connection works at the local name."""

from __future__ import annotations

import base64
import hashlib
import os
import ssl
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.authority import FOLDER, SERVICE, certificate_file, fingerprint
from service.hosts import own_name
from tests.browser import FLAGS, MISSING, find
from tests.served import PATIENCE, Service, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext

ROOT = Path(__file__).parents[3]
ELSEWHERE = "0.0.0.0"  # noqa: S104 - the name of the machine is answered only where others reach it


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """The data folder of a service that speaks HTTPS, and its port."""
    data, port = tmp_path_factory.mktemp("https") / "data", free_port()
    settings = {"KIFU_DATA": str(data), "KIFU_PORT": str(port), "KIFU_HTTPS": "1", "KIFU_HOST": ELSEWHERE}
    command = [sys.executable, "-m", "service.web", "service.app:create_app"]
    process = subprocess.Popen(command, env=os.environ | settings, cwd=ROOT)
    try:
        for _ in range(PATIENCE * 20):
            try:
                if httpx.get(f"http://127.0.0.1:{port}/https").status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.05)
        yield data, port
    finally:
        process.terminate()
        process.wait(PATIENCE)


def trusting(browser: Browser, data: Path) -> Browser:
    """A browser that trusts the certificate of the service, and finds the machine by its local name."""
    certificate = x509.load_pem_x509_certificate((data / FOLDER / SERVICE).read_bytes())
    known = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    digest = base64.b64encode(hashlib.sha256(known).digest()).decode()
    flags = [
        f"--ignore-certificate-errors-spki-list={digest}",
        f"--host-resolver-rules=MAP {own_name()}.local 127.0.0.1",
    ]
    path = find()
    if path is None:
        pytest.skip(MISSING)
    return browser.browser_type.launch(executable_path=path, args=[*FLAGS, *flags])


def test_a_phone_that_trusts_the_authority_keeps_pages_and_follows_a_game(
    browser: Browser, folder: tuple[Path, int]
) -> None:
    data, port = folder
    base = f"https://{own_name()}.local:{port}"
    own = f"https://localhost:{port}"
    with trusting(browser, data) as chromium:
        context: BrowserContext = chromium.new_context(base_url=base)
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()

        page.goto(f"http://{own_name()}.local:{port}/https")
        assert not page.evaluate("isSecureContext")
        assert fingerprint(certificate_file(data).read_bytes()) in page.inner_text("main")
        page.get_by_role("link", name="Go on to Kifu").click()
        page.wait_for_url(f"{base}/")
        assert page.evaluate("isSecureContext")
        assert page.evaluate("'crypto' in window && 'subtle' in crypto && 'wakeLock' in navigator")
        assert page.evaluate("navigator.serviceWorker.ready.then((found) => found.active !== null)")

        service = Service(own, (data / "owner.token").read_text(encoding="ascii").strip())
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
    from playwright.sync_api import Error

    context = browser.new_context()
    with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        context.new_page().goto(f"http://127.0.0.1:{folder[1]}/")
    context.close()
