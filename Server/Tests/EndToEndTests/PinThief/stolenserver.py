"""The data of a server: its database, byte by byte and row by row, and the keys in it, opened with the master key."""

import base64
import hashlib
import hmac
import json
import re
import sqlite3

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pin import decode, hkdf


# Names of users, all of the same length.
NAMES = ("alice", "bobby", "carol")


class StolenServer:
    def __init__(self, folder):
        self.path = folder + "/nightlatch.sqlite"
        self.database = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        with open(folder + "/master.key") as file:
            self.master = decode(file.read().strip())

    def state(self, device):
        row = self.database.execute("SELECT state FROM pin_hardening WHERE device_id = ?", [device]).fetchone()
        return json.loads(row[0])

    def key(self, device):
        """Returns the private key of the device's current epoch."""
        current = self.state(device)["current"]
        name = hmac.digest(self.derived("nightlatch master key id v1"), b"", "sha256")[:4]
        box, public = decode(current["box"]), decode(current["public_key"])
        associated = b"nightlatch pin key v1" + name + device.encode() + public + str(current["epoch"]).encode()
        scalar = AESGCM(self.derived("nightlatch pin key v1")).decrypt(box[:12], box[12:], associated)
        return ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP384R1())

    def derived(self, label):
        return hkdf(self.master, b"", label.encode())

    def secrets(self):
        """Returns the secrets that could key a value."""
        return [self.master] + [self.derived(f"nightlatch {name} v1") for name in ("pin key", "master key id")]

    def bytes(self):
        """Returns all bytes of the database's files, both raw and decoded from base64url and hexadecimal digits."""
        raw = b""
        for suffix in ("", "-wal"):
            with open(self.path + suffix, "rb") as file:
                raw += file.read()
        texts = [raw]
        for run in set(re.findall(rb"[A-Za-z0-9_-]{11,}", raw)):
            # A value may begin at any character, whatever precedes it.
            for start in range(4):
                part = run[start:]
                texts.append(base64.urlsafe_b64decode(part[: len(part) // 4 * 4] + tail(part)))
        for run in set(re.findall(rb"[0-9A-Fa-f]{16,}", raw)):
            for start in range(2):
                part = run[start:]
                texts.append(bytes.fromhex(part[: len(part) // 2 * 2].decode()))
        # The zeros keep the search from matching across two texts.
        return (b"\x00" * 16).join(texts)

    def tables(self):
        names = self.database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return [name for (name,) in names.fetchall()]

    def rows(self, device):
        """Returns all rows about a device, with their tables."""
        found = []
        for table in self.tables():
            for row in self.database.execute(f'SELECT * FROM "{table}"').fetchall():
                if any(device in str(value) or device.encode() in as_bytes(value) for value in row):
                    # Numbers of rows differ but reveal nothing.
                    found.append((table, ["number" if isinstance(value, int) else parsed(value) for value in row]))
        return found


def tail(part):
    """Returns the rest of a run after whole groups of four characters, padded; empty if it is only one character."""
    rest = part[len(part) // 4 * 4 :]
    return b"" if len(rest) < 2 else rest + b"=" * (4 - len(rest))


def as_bytes(value):
    return value if isinstance(value, bytes) else str(value).encode()


def parsed(value):
    try:
        return json.loads(as_bytes(value)) if as_bytes(value)[:1] in (b"{", b"[") else value
    except ValueError:
        return value


def shape(value):
    """Returns a value's form without random parts and times: its structure, the names of members, and counters."""
    if isinstance(value, dict):
        # Numbers of entries differ, like those of rows.
        return {name: "number" if name == "sequence" else shape(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shape(member) for member in value]
    if isinstance(value, bytes):
        return ["bytes", len(value)]
    if isinstance(value, str):
        is_word = re.fullmatch("[a-z_]+", value) and value not in NAMES
        return value if is_word else ["text", len(value)]
    # Seconds since 1970.
    return "time" if isinstance(value, int) and value > 1_000_000_000 else value


def leaves(value):
    """Returns all texts and bytes in a value that are too long to be equal by chance."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return {leaf for member in value for leaf in leaves(member)}
    return {value} if isinstance(value, (str, bytes)) and len(value) >= 16 else set()


def digest_of(element):
    return hashlib.sha256(element).digest()
