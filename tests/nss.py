"""The store of certificate authorities that Chromium trusts on Linux.

`python -m tests.nss HOME FILE` makes the browser of the home folder HOME trust the authority with the certificate FILE.
It is a process of its own, because Chromium needs the same library, and a process can initialise it only once.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_uint, c_ulong, c_void_p
from ctypes.util import find_library
from pathlib import Path

from tests import warm

STORE = Path(".pki") / "nssdb"
LIBRARY = find_library("smime3")
"""The library that loads the others."""
VALID_CA, TRUSTED_CA = 1 << 3, 1 << 4


class Trust(Structure):
    """The uses that a certificate is trusted for: servers, mail, programs."""

    _fields_ = (("servers", c_uint), ("mail", c_uint), ("programs", c_uint))


def trust(home: Path, certificate: Path) -> None:
    """Make the browser of the home folder `home` trust an authority."""
    done = warm.run([sys.executable, "-m", "tests.nss", str(home), str(certificate)], text=True)
    assert done.returncode == 0, done.stderr


def main(home: Path, certificate: Path) -> None:
    """Add an authority to the store of a home folder."""
    (home / STORE).mkdir(parents=True, exist_ok=True)
    nss, content = ctypes.CDLL(LIBRARY), certificate.read_bytes()
    for name, result, taken in (
        ("NSS_InitReadWrite", c_int, [c_char_p]),
        ("PK11_GetInternalKeySlot", c_void_p, []),
        ("PK11_InitPin", c_int, [c_void_p, c_char_p, c_char_p]),
        ("CERT_DecodeCertFromPackage", c_void_p, [c_char_p, c_int]),
        ("PK11_ImportCert", c_int, [c_void_p, c_void_p, c_ulong, c_char_p, c_int]),
        ("CERT_GetDefaultCertDB", c_void_p, []),
        ("CERT_ChangeCertTrust", c_int, [c_void_p, c_void_p, POINTER(Trust)]),
        ("NSS_Shutdown", c_int, []),
    ):
        function = getattr(nss, name)
        function.restype, function.argtypes = result, taken
    done = [nss.NSS_InitReadWrite(f"sql:{home / STORE}".encode())]
    slot = nss.PK11_GetInternalKeySlot()
    done.append(nss.PK11_InitPin(slot, None, b""))
    known = nss.CERT_DecodeCertFromPackage(content, len(content))
    done.append(nss.PK11_ImportCert(slot, known, 0, b"Kifu", 0))
    asked = Trust(VALID_CA | TRUSTED_CA, 0, 0)
    done.append(nss.CERT_ChangeCertTrust(nss.CERT_GetDefaultCertDB(), known, byref(asked)))
    if any(done):
        sys.exit(f"the authority was not taken: {done}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
