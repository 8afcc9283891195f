"""Derives keys from PINs, only from docs/two-party-pin.md, RFC 9497, RFC 9380, RFC 9106 and RFC 5869, without
product code."""

import base64
import hashlib
import hmac
import json
import time

from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def number(value, size=8):
    return value.to_bytes(size, "big")


def transcript(label, *parts):
    return b"".join(number(len(part), 4) + part for part in (label.encode(), *parts))


def hkdf_expand(key, info, size=32):
    assert size <= 32
    return hmac.digest(key, info + b"\x01", "sha256")


def hkdf(material, salt, info):
    return hkdf_expand(hmac.digest(salt or bytes(32), material, "sha256"), info)


def opens(box, key, associated_data):
    try:
        AESGCM(key).decrypt(box[:12], box[12:], associated_data)
        return True
    except InvalidTag:
        return False


class Stretching:
    """Argon2id by the reference implementation, with the processor time that it took."""

    def __init__(self):
        self.seconds, self.count = 0.0, 0

    def __call__(self, pin, salt, parameters, size):
        assert parameters["algorithm"] == "argon2id", parameters
        start = time.process_time()
        key = hash_secret_raw(
            pin, salt, parameters["passes"], parameters["memory_kib"], parameters["lanes"], size, Type.ID)
        self.seconds += time.process_time() - start
        self.count += 1
        return key


class Slot:
    """A PIN slot of a vault's record."""

    def __init__(self, members, vault, epoch, form):
        self.parameters = members["key_derivation"]
        text = json.dumps(self.parameters, separators=(",", ":")).encode()
        self.salt, self.box = decode(members["salt"]), decode(members["box"])
        hardened = members.get("hardened")
        self.knowledge_box = hardened and decode(hardened["knowledge_key"])
        self.tier = hardened and hardened.get("local_tier")
        self.form = form
        self.commitment = form > 1 and decode(members["commitment"])
        self.local_info = transcript("nightlatch slot", number(form), vault, b"pin", number(epoch), text)
        if hardened:
            key = hardened["key"]
            self.device, self.epoch, self.public = key["device"]["device"], key["epoch"], decode(key["public_key"])
            self.info = transcript(
                "nightlatch two-party pin key v1", vault, self.device.encode(), number(self.epoch), self.public, text)

    def opens_alone(self, stretched, salt, box):
        """Whether the output of Argon2id alone opens a sealed box."""
        key = hkdf(stretched, salt, self.local_info)
        if self.form > 1:
            key = hkdf_expand(key, transcript("nightlatch pin wrapping key"))
        return opens(box, key, self.local_info)

    def input(self, a):
        return transcript("nightlatch two-party pin input v1", self.device.encode(), number(self.epoch), a)

    def keys(self, s, output):
        """Returns the keys that seal the boxes of the vault key and of the knowledge key."""
        key = hkdf(s + output, self.salt, self.info)
        return [
            hkdf_expand(key, transcript(f"nightlatch two-party {name} key v1")) for name in ("vault", "knowledge")]

    def opens_with(self, s, output):
        """Whether the vault key's box opens, or the slot's commitment matches. The knowledge key's box depends on
        the same key."""
        committed = hkdf_expand(hkdf(s + output, self.salt, self.info), transcript("nightlatch two-party commitment v1"))
        return opens(self.box, self.keys(s, output)[0], self.info) or committed == self.commitment


def slots(record):
    """Returns all PIN slots of a record: the current one, and that of a pending change."""
    vault = record["vault_id"].encode()
    sealed = [record[name] for name in ("sealed", "change") if record.get(name)]
    return [
        Slot(part["slots"]["pin"], vault, part["content"]["epoch"], part["content"].get("format", 1)) for part in sealed]


# P-384, and the map to it: RFC 9380, sections 6.6.2 and 8.3.
P = 2**384 - 2**128 - 2**96 + 2**32 - 1
A = P - 3
B = 0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF
Z = P - 12
CONTEXT = b"OPRFV1-\x01-P384-SHA384"


def expand_message(message, tag, size):
    """RFC 9380, section 5.3.1, with SHA-384."""
    tag = tag + number(len(tag), 1)
    first = hashlib.sha384(bytes(128) + message + number(size, 2) + b"\x00" + tag).digest()
    block, result = hashlib.sha384(first + b"\x01" + tag).digest(), b""
    for index in range(2, 2 + (size + 47) // 48):
        result += block
        block = hashlib.sha384(bytes(x ^ y for x, y in zip(first, block)) + number(index, 1) + tag).digest()
    return result[:size]


def field_elements(message):
    uniform = expand_message(message, b"HashToGroup-" + CONTEXT, 144)
    return [int.from_bytes(uniform[at : at + 72], "big") % P for at in (0, 72)]


def map_to_curve(u):
    """RFC 9380, section 6.6.2. The field's prime is 3 modulo 4."""
    twist = Z * u * u % P
    divisor = (twist * twist + twist) % P
    x = -B * pow(A, -1, P) * (1 + pow(divisor, -1, P)) % P if divisor else B * pow(Z * A, -1, P) % P
    square = (x * x * x + A * x + B) % P
    y = pow(square, (P + 1) // 4, P)
    if y * y % P != square:
        # Use the other x. The right side of its equation is `square` times twist³, which has a square root.
        x = twist * x % P
        y = pow(square * pow(twist, 3, P) % P, (P + 1) // 4, P)
    return x, y if y % 2 == u % 2 else P - y


def hash_to_group(message):
    (x1, y1), (x2, y2) = map(map_to_curve, field_elements(message))
    slope = (y2 - y1) * pow(x2 - x1, -1, P) % P
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def outputs(key, message):
    """Returns the two possible outputs of the function under a private key: Diffie-Hellman gives only the product's
    x."""
    point = ec.EllipticCurvePublicNumbers(*hash_to_group(message), ec.SECP384R1()).public_key()
    x = key.exchange(ec.ECDH(), point)
    results = []
    for first in (b"\x02", b"\x03"):
        parts = [message, first + x]
        hashed = b"".join(number(len(part), 2) + part for part in parts) + b"Finalize"
        results.append(hashlib.sha384(hashed).digest())
    return x, results
