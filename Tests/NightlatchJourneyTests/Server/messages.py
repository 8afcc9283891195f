"""JSON and signed messages, read strictly."""

import base64
import json
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

APPLICATIONS = {"com.example.app"}


class Wrong(Exception):
    """The client has broken a rule."""


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    if "=" in text or "+" in text or "/" in text:
        raise Wrong("not base64url without padding")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def no_duplicates(pairs):
    if len(dict(pairs)) != len(pairs):
        raise Wrong("duplicate members")
    return dict(pairs)


def parse(data):
    return json.loads(data, object_pairs_hook=no_duplicates)


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def check_message(text, challenge):
    """The header and claims of a message in form and time; its signature is not looked at."""
    parts = text.split(".")
    if len(parts) != 3:
        raise Wrong("not a compact JWS")
    header, claims = parse(decode(parts[0])), parse(decode(parts[1]))
    if header.get("alg") != "ES256" or header.get("typ") != "JWS" or not header.get("kid"):
        raise Wrong("header")
    if claims.get("iss") not in APPLICATIONS:
        raise Wrong("iss")
    if claims.get("challenge") != challenge:
        raise Wrong("challenge")
    now = time.time()
    if not all(type(claims.get(name)) is int for name in ("iat", "nbf", "exp")):
        raise Wrong("times are not whole seconds")
    if claims["iat"] > now + 30 or claims["nbf"] > now + 30 or not now - 30 < claims["exp"] <= now + 60 + 60:
        raise Wrong("times")
    if claims.get("platform") != "ios":
        raise Wrong("platform")
    return header, claims


def check_signature(text, jwk):
    if jwk.get("kty") != "EC" or jwk.get("crv") != "P-256" or jwk.get("alg") != "ES256" or jwk.get("use") != "sig":
        raise Wrong("jwk")
    signed, _, signature = text.rpartition(".")
    x, y, raw = decode(jwk["x"]), decode(jwk["y"]), decode(signature)
    if len(x) != 32 or len(y) != 32 or len(raw) != 64:
        raise Wrong("sizes")
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point = ec.EllipticCurvePublicNumbers(int.from_bytes(x, "big"), int.from_bytes(y, "big"), ec.SECP256R1())
    try:
        point.public_key().verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise Wrong("signature") from None
