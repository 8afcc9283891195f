"""A bound device in Python with another cryptographic library, written only from docs/protocol.md."""

import base64
import hashlib
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verified(message, jwk, typ):
    """The claims of a compact JWS by ES256 with the public key."""
    header, claims, signature = message.split(".")
    names = json.loads(decode(header))
    assert names["alg"] == "ES256" and names["typ"] == typ and "crit" not in names, names
    numbers = ec.EllipticCurvePublicNumbers(
        int.from_bytes(decode(jwk["x"]), "big"), int.from_bytes(decode(jwk["y"]), "big"), ec.SECP256R1()
    )
    raw = decode(signature)
    assert len(raw) == 64
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    numbers.public_key().verify(der, f"{header}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(decode(claims))


def compact(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


class Key:
    """A P-256 key that signs messages."""

    def __init__(self):
        self.private = ec.generate_private_key(ec.SECP256R1())
        numbers = self.private.public_key().public_numbers()
        self.jwk = {
            "kty": "EC",
            "crv": "P-256",
            "x": encode(numbers.x.to_bytes(32, "big")),
            "y": encode(numbers.y.to_bytes(32, "big")),
        }
        self.thumbprint = encode(hashlib.sha256(compact(self.jwk)).digest())

    def sign(self, header, claims):
        text = encode(compact({"alg": "ES256", **header})) + "." + encode(compact(claims))
        der = self.private.sign(text.encode(), ec.ECDSA(hashes.SHA256()))
        r, s = utils.decode_dss_signature(der)
        return text + "." + encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


class Answer:
    """A server's answer."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    def json(self):
        return json.loads(self.body)


class Server:
    """A relying party, and the key of its backend."""

    def __init__(self, address, backend_key):
        self.address = address
        self.backend_key = backend_key
        self.issuer = self.call("GET", "/.well-known/oauth-authorization-server").json()["issuer"]

    def call(self, method, path, headers=None, body=None):
        request = urllib.request.Request(self.address + path, data=body, headers=headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return Answer(response)
        except urllib.error.HTTPError as error:
            return Answer(error)

    def post(self, path, message, headers=None):
        headers = {"Content-Type": "application/json", **(headers or {})}
        return self.call("POST", path, headers, compact(message))

    def form(self, path, fields, headers):
        headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return self.call("POST", path, headers, urllib.parse.urlencode(fields).encode())

    @property
    def backend_headers(self):
        return {"Authorization": "Bearer " + self.backend_key}


class LoginEnded(Exception):
    """The refresh token is no longer valid."""


class Device:
    """A device of a user, bound and logged in."""

    nonce_life = 30

    def __init__(self, server, user, code=None):
        """Binds with the enrolment code, or with one that the backend gets."""
        self.server = server
        self.user = user
        self.key = Key()
        self.possession_key = Key()
        self.policy = {"revision": 0, "policy": {}}
        self.id = self.bind(code)
        self.log_in()

    def claims(self, challenge):
        return {
            "iss": "nightlatch",
            "sub": self.user,
            "aud": self.server.issuer,
            "jti": encode(os.urandom(16)),
            "iat": challenge["issued_at"],
            "exp": challenge["issued_at"] + 60,
            "challenge": challenge["challenge"],
        }

    def bind(self, code=None):
        if code is None:
            grant = self.server.post("/v1/enrolment-codes", {"user": self.user}, self.server.backend_headers).json()
            code = grant["code"]
        begun = self.server.post(
            "/v1/binding/begin", {"enrolment_code": code, "device_key": self.key.thumbprint}
        ).json()
        claims = {
            **self.claims(begun),
            "device_name": "Python’s phone 📱",
            "dpop_jkt": self.possession_key.thumbprint,
        }
        message = self.key.sign({"typ": "nightlatch-binding+jwt", "jwk": self.key.jwk}, claims)
        finish = {"handle": begun["handle"], "message": message, "policy_revision": 0}
        answer = self.server.post("/v1/binding/finish", finish).json()
        self.answer_key = answer["answer_key"]
        self.accept_policy(answer)
        return answer["device"]

    def accept_policy(self, answer):
        """Keeps the policy of an answer, if it has one."""
        if "policy" not in answer:
            return
        claims = verified(answer["policy"], self.answer_key, "nightlatch-policy+jwt")
        assert (claims["iss"], claims["aud"], claims["sub"]) == (self.server.issuer, "nightlatch", self.user), claims
        assert claims["revision"] > self.policy["revision"], claims
        self.policy = claims

    def begin_login(self):
        answer = self.server.post("/v1/login/begin", {"user": self.user, "device": self.id})
        self.nonce = answer.headers["DPoP-Nonce"]
        self.nonce_time = time.monotonic()
        return answer.json()

    def log_in(self):
        begun = self.begin_login()
        claims = {
            **self.claims(begun),
            "dpop_jkt": self.possession_key.thumbprint,
            "user_verification": "pin",
        }
        fields = {
            "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
            "assertion": self.key.sign({"typ": "nightlatch-login+jwt", "kid": self.key.thumbprint}, claims),
            "challenge_handle": begun["handle"],
            "policy_revision": self.policy["revision"],
        }
        answer = self.server.form("/oauth/token", fields, {"DPoP": self.proof("POST", "/oauth/token")})
        assert answer.status == 200, answer.body
        self.accept(answer.json())

    def accept(self, grant):
        self.access_token = grant["access_token"]
        self.refresh_token = grant["refresh_token"]
        self.accept_policy(grant)
        self.renewal_time = time.monotonic() + grant["expires_in"] / 2

    def refresh(self):
        fields = {
            "grant_type": "refresh_token",
            "refresh_token": self.refresh_token,
            "policy_revision": self.policy["revision"],
        }
        answer = self.server.form("/oauth/token", fields, {"DPoP": self.proof("POST", "/oauth/token")})
        if answer.status == 400 and answer.json()["error"] == "invalid_grant":
            raise LoginEnded(answer.body)
        assert answer.status == 200, answer.body
        self.accept(answer.json())

    def proof(self, method, path, token=None):
        if time.monotonic() > self.nonce_time + self.nonce_life:
            self.begin_login()
        claims = {
            "jti": encode(os.urandom(16)),
            "htm": method,
            "htu": self.server.issuer + path,
            "iat": int(time.time()),
            "nonce": self.nonce,
        }
        if token is not None:
            claims["ath"] = encode(hashlib.sha256(token.encode()).digest())
        return self.possession_key.sign({"typ": "dpop+jwt", "jwk": self.possession_key.jwk}, claims)

    def credentials(self, method, path):
        """Returns the headers of a request to a protected route."""
        if time.monotonic() > self.renewal_time:
            self.refresh()
        return {
            "Authorization": "DPoP " + self.access_token,
            "DPoP": self.proof(method, path, self.access_token),
        }

    def decide(self, details, transaction, decision):
        begun = self.server.post(
            "/v1/decision/begin", {"transaction": transaction}, self.credentials("POST", "/v1/decision/begin")
        ).json()
        canonical = json.dumps(details, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        claims = {
            **self.claims(begun),
            "transaction_id": transaction,
            "decision": decision,
            "details_hash": encode(hashlib.sha256(canonical.encode()).digest()),
        }
        message = self.key.sign({"typ": "nightlatch-transaction+jwt", "kid": self.key.thumbprint}, claims)
        return self.server.post("/v1/decision/finish", {"handle": begun["handle"], "message": message})

    def revoke(self):
        """Revokes this device."""
        path = f"/v1/devices/{self.id}/revoke"
        return self.server.call("POST", path, self.credentials("POST", path))

    def remote_logins(self):
        """Returns the list of logins elsewhere that wait for the user."""
        path = "/v1/remote-logins"
        return self.server.call("GET", path, self.credentials("GET", path)).json()["logins"]

    def claim(self, code):
        """Tells that the user scanned a login page."""
        path = "/v1/remote-logins/claim"
        return self.server.post(path, {"code": code}, self.credentials("POST", path))

    def decide_remote_login(self, login, decision, number=None):
        """Decides a login of the list. The number belongs to a confirmation."""
        path = "/v1/remote-logins/begin"
        begun = self.server.post(path, {"login": login["id"]}, self.credentials("POST", path)).json()
        canonical = json.dumps(login["details"], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        claims = {
            **self.claims(begun),
            "login_id": login["id"],
            "decision": decision,
            "details_hash": encode(hashlib.sha256(canonical.encode()).digest()),
        }
        if number is not None:
            claims["number"] = number
        message = self.key.sign({"typ": "nightlatch-remote-login+jwt", "kid": self.key.thumbprint}, claims)
        return self.server.post("/v1/remote-logins/finish", {"handle": begun["handle"], "message": message})


class TwoPartyPin:
    """A device's two-party PIN, written from docs/two-party-pin.md, without the computations on the evaluation: any
    point will do."""

    def __init__(self, device):
        self.device = device
        self.knowledge_key = None

    @staticmethod
    def blinded_element():
        point = ec.generate_private_key(ec.SECP384R1()).public_key()
        return encode(
            point.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.CompressedPoint)
        )

    def message(self, kind, key, **own):
        claims = {
            "iss": "nightlatch",
            "sub": self.device.user,
            "aud": self.device.server.issuer,
            "device_id": self.device.id,
            "jti": encode(os.urandom(16)),
            "iat": int(time.time()),
            "exp": int(time.time()) + 60,
            **own,
        }
        return key.sign({"typ": f"nightlatch-pin-{kind}+jwt", "jwk": key.jwk}, claims)

    def ask(self, route, kind, key, **own):
        return self.device.server.post("/v1/pin/" + route, {"message": self.message(kind, key, **own)})

    def standing(self):
        return self.ask("standing", "standing", self.device.possession_key)

    def open(self, epoch, key):
        return self.ask("open", "opening", key, epoch=epoch)

    def evaluate(self, epoch, window, element):
        return self.ask(
            "evaluate", "guess", self.device.possession_key, epoch=epoch, window=window, blinded_element=element
        )

    def prove(self, epoch, window, guess):
        return self.ask("prove", "proof", self.knowledge_key, epoch=epoch, window=window, guess=guess)

    def promote(self, epoch, window, guess, opener):
        key = Key()
        said = {"epoch": epoch, "window": window, "guess": guess}
        answer = self.device.server.post(
            "/v1/pin/promote",
            {
                "message": self.message("promotion", opener, **said, knowledge_key=key.thumbprint),
                "knowledge_key_message": self.message("candidacy", key, **said),
            },
        )
        if answer.status == 200:
            self.knowledge_key = key
        return answer

    def abandon(self, epoch, key):
        return self.ask("abandon", "abandonment", key, epoch=epoch)
