"""The device keys of Ping's SDKs, and the messages that a device signs when it is bound and when it signs.

The iOS SDKs sign with EC P-256 keys (ES256), the Android SDKs with RSA keys of 2048 bits (RS512).
"""

import base64
import hashlib
import json
import time
import uuid

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def number(value, length=None):
    """Returns an unsigned integer as base64url, in `length` bytes or in as few as possible."""
    return base64url(value.to_bytes(length or (value.bit_length() + 7) // 8, "big"))


class EllipticKey:
    """An EC P-256 key, as the iOS SDKs make it. Its `kid` is the app's key tag: by default an upper-case UUID."""

    algorithm = "ES256"

    def __init__(self, kid=None):
        self.kid = kid or str(uuid.uuid4()).upper()
        self.private = ec.generate_private_key(ec.SECP256R1())

    def jwk(self):
        numbers = self.private.public_key().public_numbers()
        return {"kty": "EC", "crv": "P-256", "x": number(numbers.x, 32), "y": number(numbers.y, 32), "use": "sig",
                "alg": self.algorithm, "kid": self.kid}

    def sign(self, data):
        r, s = decode_dss_signature(self.private.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


class RSAKey:
    """An RSA key of 2048 bits, as the Android SDKs make it. Its `kid` is a lower-case UUID."""

    algorithm = "RS512"

    def __init__(self, kid=None):
        self.kid = kid or str(uuid.uuid4())
        self.private = rsa.generate_private_key(65537, 2048)

    def jwk(self):
        numbers = self.private.public_key().public_numbers()
        return {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e), "use": "sig", "alg": self.algorithm,
                "kid": self.kid}

    def sign(self, data):
        return self.private.sign(data, padding.PKCS1v15(), hashes.SHA512())


def jws(key, header, claims, escaped):
    """Returns a compact JWS. With `escaped`, the payload contains `\\/` instead of `/`, as Foundation writes JSON."""
    payload = json.dumps(claims, separators=(",", ":"))
    if escaped:
        payload = payload.replace("/", "\\/")
    text = base64url(json.dumps(header, separators=(",", ":")).encode()) + "." + base64url(payload.encode())
    return text + "." + base64url(key.sign(text.encode()))


def claims_of(user_id, challenge, seconds, bundle):
    now = int(time.time())
    return {"sub": user_id, "iss": bundle, "challenge": challenge, "iat": now, "nbf": now, "exp": now + seconds}


ANDROID = {"platform": "android", "android-version": 34}
# By SDK: its kind of key, `typ`, whether the message of signing has the key too, and the claims beside those of all.
STYLES = {
    "I2": {"key": EllipticKey, "typ": "JWS", "jwk": True, "bind": {"platform": "ios"}, "sign": {"platform": "ios"}},
    "IL": {"key": EllipticKey, "typ": "JWS", "jwk": False, "bind": {"platform": "ios"}, "sign": {}},
    "A2": {"key": RSAKey, "typ": None, "jwk": False, "bind": ANDROID, "sign": {}},
    "AL": {"key": RSAKey, "typ": None, "jwk": False, "bind": ANDROID, "sign": {}},
}


def new_key(dialect, kid=None):
    return STYLES[dialect]["key"](kid)


def bind_message(dialect, key, user_id, challenge, seconds, bundle):
    """Returns the JWS with which the SDK `dialect` binds a key. The header contains the public key."""
    style = STYLES[dialect]
    header = {"alg": key.algorithm, "kid": key.kid, "jwk": key.jwk()}
    if style["typ"]:
        header["typ"] = style["typ"]
    claims = {**claims_of(user_id, challenge, seconds, bundle), **style["bind"]}
    return jws(key, header, claims, escaped=dialect in ("I2", "IL"))


def sign_message(dialect, key, user_id, challenge, seconds, bundle):
    """Returns the JWS with which the SDK `dialect` signs a challenge."""
    style = STYLES[dialect]
    header = {"alg": key.algorithm, "kid": key.kid}
    if style["typ"]:
        header["typ"] = style["typ"]
    if style["jwk"]:
        header["jwk"] = key.jwk()
    claims = {**claims_of(user_id, challenge, seconds, bundle), **style["sign"]}
    return jws(key, header, claims, escaped=dialect in ("I2", "IL"))


def proof(key, method, url, token=None, nonce=None):
    """Returns a DPoP proof by an `EllipticKey` (RFC 9449). `token` is the access token that the request shows."""
    jwk = {name: value for name, value in key.jwk().items() if name in ("kty", "crv", "x", "y")}
    claims = {"jti": str(uuid.uuid4()), "htm": method, "htu": url, "iat": int(time.time())}
    if token is not None:
        claims["ath"] = base64url(hashlib.sha256(token.encode()).digest())
    if nonce is not None:
        claims["nonce"] = nonce
    return jws(key, {"alg": key.algorithm, "typ": "dpop+jwt", "jwk": jwk}, claims, escaped=False)
