"""Opens vaults. Written from docs/vault-format.md and the RFCs that it names alone: nothing of the product is used.

Reads a JSON array from standard input and prints one with an answer for each element:

{"file": base64url, "pin": digits}                   a file, and a PIN that alone opens it
{"file": base64url, "pin": digits, "y": base64url}   and what the hardener has made of it
{"file": base64url, "pin": digits, "tier": true}     and the local tier of a hardened slot
{"file": base64url, "phrase": words}
{"file": base64url, "biometric_key": base64url}      the private key that biometrics release

"part" names the part to open, "sealed" unless it says "change". An answer is {"items": {name: base64url}, "authenticated": bool, …}, or
{"refused": why}.
"""

import base64
import hashlib
import hmac
import json
import re
import sys

from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Refused(Exception):
    pass


def require(holds, why):
    if not holds:
        raise Refused(why)


# Notation


def u64(number):
    return number.to_bytes(8, "big")


def encode(part):
    if isinstance(part, str):
        return part.encode()
    return u64(part) if isinstance(part, int) else part


def T(*parts):
    return b"".join(len(part).to_bytes(4, "big") + part for part in map(encode, parts))


def b64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text, size=None):
    require(isinstance(text, str) and re.fullmatch("[A-Za-z0-9_-]*", text), "no base64url")
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise Refused("no base64url") from None
    require(b64(data) == text, "base64url with unused bits")
    require(size is None or len(data) == size, "bytes of another length")
    return data


def expand(key, info, size=32):
    result, block = b"", b""
    for index in range(1, -(-size // 32) + 1):
        block = hmac.digest(key, block + info + bytes([index]), "sha256")
        result += block
    return result[:size]


def extract(salt, material):
    return hmac.digest(salt or bytes(32), material, "sha256")


def hkdf(material, salt, info, size=32):
    return expand(extract(salt, material), info, size)


def unbox(box, key, description):
    """What a box holds, or None."""
    if len(box) < 28:
        return None
    try:
        return AESGCM(key).decrypt(box[:12], box[12:], description)
    except InvalidTag:
        return None


def canonical(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()


def once(pairs):
    require(len({name for name, _ in pairs}) == len(pairs), "a member twice")
    return dict(pairs)


def members(value, needed, optional=()):
    require(isinstance(value, dict), "no object")
    require(set(needed) <= set(value) <= set(needed) | set(optional), f"other members than {sorted(needed)}")
    require(all(member is not None for member in value.values()), "a member that is null")
    return value


def whole(value, least=0):
    require(type(value) is int and least <= value < 2**64, "no number")
    return value


# The file and the record


def read_file(data):
    require(data[:3] == b"NLS", "no vault")
    require(data[3:4] == b"1" and len(data) >= 44, "a file of another version")
    revision, record = data[4:12], data[44:]
    require(hashlib.sha256(revision + record).digest() == data[12:44], "a damaged file")
    return read_record(record, int.from_bytes(revision, "big"))


def read_record(data, revision):
    require(len(data) <= 256 * 1024, "a record that is too large")
    try:
        record = json.loads(data, object_pairs_hook=once)
    except ValueError:
        raise Refused("no JSON") from None
    require(isinstance(record, dict) and record.get("format") in (1, 2), "a record of another format")
    newer = record["format"] == 2
    members(
        record, ["format", "vault_id", "revision", "ledger", "sealed"] + ["checksum"] * newer,
        ["guesses", "record_mac", "change"])
    require(canonical(record) == data, "JSON that is not canonical")
    require(whole(record["revision"], 1) == revision < 2**64 - 1, "another revision")
    decode(record["vault_id"], 16)
    if newer:
        bare = {name: value for name, value in record.items() if name not in ("checksum", "record_mac")}
        said = hashlib.sha256(T("nightlatch record checksum", canonical(bare))).digest()
        require(decode(record["checksum"], 32) == said, "a damaged record")
    for part in ["sealed", "change"]:
        if part in record:
            check_part(record[part], part == "change")
    return record


def check_part(part, is_change):
    members(part, ["slots", "content"], ["predecessor", "keeps_recipients"] if is_change else [])
    content, slots = part["content"], part["slots"]
    newer = "format" in content
    members(
        content, ["epoch", "generation", "items", "mac"] + (["format", "sealed_recipients"] if newer else ["recipients"]),
        ["rekey_due"] + ["pin_hardened"] * newer)
    require(not newer or content["format"] == 2, "a part of another format")
    for mark in ("rekey_due", "pin_hardened"):
        require(content.get(mark, True) is True, "a mark that is not true")
    whole(content["epoch"]), whole(content["generation"])
    require(isinstance(content["items"], dict), "no object")
    for name in content["items"]:
        require(re.fullmatch("[a-z0-9._-]{1,64}", name), "no name of a secret")
    members(slots, [], ["pin", "biometrics", "recovery"] + ["biometric_key"] * newer)
    require(not newer or ("biometric_key" in slots) == ("biometrics" in slots), "no key for the slot")
    commitment = ["commitment"] * newer
    if "pin" in slots:
        members(slots["pin"], ["salt", "key_derivation", "box"] + commitment, ["hardened"])
        hardened = slots["pin"].get("hardened")
        if hardened is not None:
            members(hardened, ["key", "knowledge_key"], ["local_tier"])
            members(hardened["key"], ["device", "epoch", "public_key"])
            members(hardened["key"]["device"], ["device"], ["issuer", "user", "possession_key"])
            if "local_tier" in hardened:
                members(hardened["local_tier"], ["salt", "box"] + commitment)
    for slot in ("biometrics", "recovery"):
        if slot in slots:
            members(slots[slot], ["encapsulated_key", "ciphertext"])


# Slots


class Vault:
    def __init__(self, record, name):
        require(name in record, "no such part")
        self.id, self.part = record["vault_id"], record[name]
        self.content, self.slots = self.part["content"], self.part["slots"]
        self.format = self.content.get("format", 1)

    def slot_info(self, way, *more):
        return T("nightlatch slot", self.format, self.id, way, self.content["epoch"], *more)

    # The PIN

    def open_pin(self, pin, y=None, tier=False):
        require("pin" in self.slots, "no PIN")
        slot = self.slots["pin"]
        hardened = slot.get("hardened")
        if hardened is None or tier:
            local = hardened["local_tier"] if tier else slot
            return self.open_local(pin, local, slot["key_derivation"]), None
        key = hardened["key"]
        device, epoch, public = key["device"]["device"], key["epoch"], decode(key["public_key"], 49)
        salt, parameters = decode(slot["salt"], 32), slot["key_derivation"]
        halves = stretch(pin, salt, parameters, 64)
        a, s = halves[:32], halves[32:]
        x = T("nightlatch two-party pin input v1", device, epoch, a)
        if y is None:
            return None, x
        description = T("nightlatch two-party pin key v1", self.id, device, epoch, public, canonical(parameters))
        kek = hkdf(s + y, salt, description)
        if self.format == 2:
            self.commit(slot, expand(kek, T("nightlatch two-party commitment v1")))
        vault_key = unbox(decode(slot["box"]), expand(kek, T("nightlatch two-party vault key v1")), description)
        require(vault_key is not None and len(vault_key) == 32, "wrong PIN")
        knowledge = unbox(
            decode(hardened["knowledge_key"]), expand(kek, T("nightlatch two-party knowledge key v1")), description)
        require(knowledge is not None and len(knowledge) == 32, "wrong PIN")
        self.check_mac(vault_key, "wrong PIN")
        require(self.format == 1 or "pin_hardened" in self.content, "wrong PIN")
        return vault_key, x

    def open_local(self, pin, slot, parameters):
        salt = decode(slot["salt"], 32)
        description = self.slot_info("pin", canonical(parameters))
        key = hkdf(stretch(pin, salt, parameters, 32), salt, description)
        if self.format == 2:
            self.commit(slot, expand(key, T("nightlatch pin key commitment")))
            key = expand(key, T("nightlatch pin wrapping key"))
        vault_key = unbox(decode(slot["box"]), key, description)
        require(vault_key is not None and len(vault_key) == 32, "wrong PIN")
        self.check_mac(vault_key, "wrong PIN")
        is_tier = slot is not self.slots["pin"]
        require(self.format == 1 or ("pin_hardened" in self.content) == is_tier, "wrong PIN")
        return vault_key

    @staticmethod
    def commit(slot, commitment):
        require(hmac.compare_digest(decode(slot["commitment"], 32), commitment), "wrong PIN")

    # The recovery phrase and biometrics

    def open_phrase(self, words):
        require("recovery" in self.slots, "no phrase")
        seed = hashlib.pbkdf2_hmac("sha512", words.encode(), b"mnemonic", 2048, 64)
        keys = {
            True: hkdf(seed, None, b"nightlatch hidden recovery key"), False: hkdf(seed, None, b"nightlatch recovery key")}
        for is_authenticated in [True, False] if self.format == 2 else [False]:
            private = x25519.X25519PrivateKey.from_private_bytes(keys[is_authenticated])
            vault_key = hpke_open(X25519(private), self.slots["recovery"], self.slot_info("recovery_phrase"))
            if vault_key is None:
                continue
            self.check_mac(vault_key, "a changed record")
            own = b64(private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
            require(self.recipients(vault_key).get("recovery") == own, "wrong phrase")
            return vault_key, is_authenticated
        raise Refused("wrong phrase")

    def open_biometrics(self, scalar):
        require("biometrics" in self.slots, "no biometrics")
        private = ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())
        vault_key = hpke_open(P256(private), self.slots["biometrics"], self.slot_info("biometrics"))
        require(vault_key is not None, "another key")
        self.check_mac(vault_key, "a changed record")
        return vault_key

    # The content

    def derive(self, vault_key, *info):
        return hkdf(vault_key, None, T(*info))

    def check_mac(self, vault_key, why):
        content = self.content
        label = "nightlatch vault content" + (", rekey due" if "rekey_due" in content else "")
        said = T(label, self.format, self.id, content["epoch"], content["generation"])
        if self.format == 1:
            said += T(canonical(content["recipients"]))
        else:
            said += T(int("pin_hardened" in content), decode(content["sealed_recipients"]))
        for name in sorted(content["items"]):
            said += T(name, decode(content["items"][name]))
        mac = hmac.digest(self.derive(vault_key, "nightlatch vault mac"), said, "sha256")
        require(hmac.compare_digest(mac, decode(content["mac"], 32)), why)

    def recipients(self, vault_key):
        if self.format == 1:
            recipients = self.content["recipients"]
        else:
            text = unbox(
                decode(self.content["sealed_recipients"]), self.derive(vault_key, "nightlatch vault recipients key"),
                T("nightlatch vault recipients", self.format, self.id))
            require(text is not None, "a changed record")
            recipients = json.loads(text, object_pairs_hook=once)
            require(canonical(recipients) == text, "JSON that is not canonical")
        marks = ["recovery_was_readable"] if self.format == 2 else []
        return members(recipients, [], ["biometrics", "recovery"] + marks)

    def items(self, vault_key):
        items = {}
        for name, box in self.content["items"].items():
            secret = unbox(
                decode(box), self.derive(vault_key, "nightlatch vault item key", name),
                T("nightlatch vault item", self.format, self.id, name))
            require(secret is not None, "a changed record")
            items[name] = b64(secret)
        return items

    def predecessor(self, vault_key):
        kept = ", recipients kept" if self.part.get("keeps_recipients") else ""
        return unbox(
            decode(self.part["predecessor"]), self.derive(vault_key, "nightlatch vault predecessor key"),
            T("nightlatch vault predecessor" + kept, self.format, self.id))


def stretch(pin, salt, parameters, size):
    algorithm = parameters.get("algorithm")
    if algorithm == "argon2id":
        members(parameters, ["algorithm", "memory_kib", "passes", "lanes"])
        return hash_secret_raw(
            pin.encode(), salt, whole(parameters["passes"], 1), whole(parameters["memory_kib"], 8),
            whole(parameters["lanes"], 1), size, Type.ID)
    require(algorithm == "pbkdf2-hmac-sha256", "another key derivation")
    members(parameters, ["algorithm", "iterations"])
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), salt, whole(parameters["iterations"], 1), size)


# HPKE, RFC 9180, base mode, of one message


class X25519:
    kem = 0x0020

    def __init__(self, private):
        self.private = private
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def exchange(self, sender):
        return self.private.exchange(x25519.X25519PublicKey.from_public_bytes(sender))


class P256:
    kem = 0x0010

    def __init__(self, private):
        self.private = private
        self.public = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def exchange(self, sender):
        return self.private.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))


def hpke_open(recipient, slot, info):
    sender, ciphertext = decode(slot["encapsulated_key"], len(recipient.public)), decode(slot["ciphertext"], 48)
    kem_suite = b"KEM" + recipient.kem.to_bytes(2, "big")
    suite = b"HPKE" + recipient.kem.to_bytes(2, "big") + (1).to_bytes(2, "big") + (2).to_bytes(2, "big")

    def labeled_extract(suite, salt, label, material):
        return extract(salt, b"HPKE-v1" + suite + label + material)

    def labeled_expand(suite, key, label, info, size):
        return expand(key, size.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info, size)

    try:
        agreed = recipient.exchange(sender)
    except ValueError:
        return None
    secret = labeled_expand(
        kem_suite, labeled_extract(kem_suite, b"", b"eae_prk", agreed), b"shared_secret", sender + recipient.public, 32)
    context = (
        b"\x00" + labeled_extract(suite, b"", b"psk_id_hash", b"") + labeled_extract(suite, b"", b"info_hash", info))
    key_secret = labeled_extract(suite, secret, b"secret", b"")
    key = labeled_expand(suite, key_secret, b"key", context, 32)
    nonce = labeled_expand(suite, key_secret, b"base_nonce", context, 12)
    return unbox(nonce + ciphertext, key, b"")


def answer(request):
    try:
        vault = Vault(read_file(decode(request["file"])), request.get("part", "sealed"))
        said = {}
        if "phrase" in request:
            vault_key, said["authenticated"] = vault.open_phrase(request["phrase"])
        elif "biometric_key" in request:
            vault_key = vault.open_biometrics(decode(request["biometric_key"], 32))
        else:
            y = decode(request["y"]) if "y" in request else None
            vault_key, x = vault.open_pin(request["pin"], y, request.get("tier", False))
            if x is not None:
                said["x"] = b64(x)
            if vault_key is None:
                return said
        vault.recipients(vault_key)
        if "predecessor" in vault.part:
            require(vault.predecessor(vault_key) is not None, "a changed record")
        return {**said, "format": vault.format, "items": vault.items(vault_key)}
    except Refused as refused:
        return {"refused": str(refused)}


print(json.dumps([answer(request) for request in json.load(sys.stdin)]))
