"""A client of PingAM journeys in two dialects: those of the vendor's SDKs for iOS and for Android.

Written only from the protocol's description, without code of Nightlatch, so that it can tell whether a server meets the
SDKs' expectations. Each dialect depends on the same properties as its SDK: names on iOS, positions on Android.
"""

import base64
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, length=None):
    length = length or (value.bit_length() + 7) // 8
    return base64url(value.to_bytes(length, "big"))


class Answer:
    """A server's answer to one request."""

    def __init__(self, status, text):
        self.status, self.text = status, text
        # The query with which the journey of this step was begun.
        self.query = ""
        self.json = json.loads(text) if text else None

    @property
    def is_more(self):
        return self.status == 200 and "authId" in self.json

    @property
    def is_done(self):
        return self.status == 200 and "authId" not in self.json

    def callback(self, kind):
        return next(callback for callback in self.json["callbacks"] if callback["type"] == kind)

    def output(self, kind, name):
        return next(pair["value"] for pair in self.callback(kind)["output"] if pair["name"] == name)


class Key:
    """A key pair that signs as its dialect requires."""

    def __init__(self, kind="EC", curve=None, bits=2048):
        self.kid = str(uuid.uuid4())
        if kind == "EC":
            self.private = ec.generate_private_key(curve or ec.SECP256R1())
            self.alg = "ES256"
        else:
            self.private = rsa.generate_private_key(65537, bits)
            self.alg = "RS512"

    def jwk(self):
        numbers = self.private.public_key().public_numbers()
        about = {"use": "sig", "alg": self.alg, "kid": self.kid}
        if isinstance(numbers, rsa.RSAPublicNumbers):
            return {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e), **about}
        length = (numbers.curve.key_size + 7) // 8
        return {
            "kty": "EC", "crv": {256: "P-256", 384: "P-384"}[numbers.curve.key_size],
            "x": number(numbers.x, length), "y": number(numbers.y, length), **about,
        }

    def sign(self, data):
        if isinstance(self.private, rsa.RSAPrivateKey):
            digest = {"RS256": hashes.SHA256(), "RS384": hashes.SHA384(), "RS512": hashes.SHA512()}[self.alg]
            return self.private.sign(data, padding.PKCS1v15(), digest)
        length = (self.private.curve.key_size + 7) // 8
        r, s = utils.decode_dss_signature(self.private.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(length, "big") + s.to_bytes(length, "big")


class Dialect:
    platform = None

    def echo(self, callbacks):
        """Returns the callbacks in the form in which they are sent back."""
        return callbacks

    def path_part(self, text):
        """Returns a name as it is written in an address."""
        return urllib.parse.quote(text, safe="")

    def payload(self, claims):
        return json.dumps(claims, separators=(",", ":"))


class IOS(Dialect):
    """ES256, `typ` is `JWS`, the key in every header, escaped slashes, inputs found by the end of their names."""

    platform = "ios"
    application = "com.example.ios"

    def new_key(self):
        return Key("EC")

    def request_headers(self):
        return {"x-requested-with": "ping-sdk", "x-requested-platform": "ios", "Accept-Language": "en-GB, en;q=0.9"}

    def resume_query(self, begun):
        return "?noSession=false&ForceAuth=false"

    def header(self, key, binding):
        return {"alg": key.alg, "typ": "JWS", "kid": key.kid, "jwk": key.jwk()}

    def extra_claims(self, binding):
        return {"platform": "ios"}

    def payload(self, claims):
        return super().payload(claims).replace("/", "\\/")

    def fill(self, callback, values):
        for name, value in values.items():
            matches = [pair for pair in callback["input"] if pair["name"].endswith(name)]
            assert len(matches) == 1, (name, callback["input"])
            matches[0]["value"] = value

    def read_binding(self, callback):
        names = [pair["name"] for pair in callback["output"]]
        # The SDK reads the challenge while it parses, and needs it when it reaches `attestation`.
        assert names.index("challenge") < names.index("attestation")
        outputs = {pair["name"]: pair["value"] for pair in callback["output"]}
        for name in ["userId", "username", "authenticationType", "challenge", "title", "subtitle", "description"]:
            assert isinstance(outputs[name], str), name
        return outputs


class Android(Dialect):
    """RS512, no `typ`, the key only in the header of a binding, inputs found by position, callbacks with their `_id`.

    Names in addresses are not escaped, as in the older SDK.
    """

    platform = "android"
    application = "com.example.android"

    def new_key(self):
        return Key("RSA")

    def request_headers(self):
        return {"x-requested-with": "ping-sdk", "x-requested-platform": "android", "Accept-Language": "en-GB, en;q=0.9"}

    def resume_query(self, begun):
        """Returns the query with which the journey was begun."""
        asked = urllib.parse.parse_qs(begun)
        values = {name: asked.get(name, ["false"])[0] for name in ["noSession", "ForceAuth"]}
        return "?" + urllib.parse.urlencode(values)

    def echo(self, callbacks):
        return [{**callback, "_id": index} for index, callback in enumerate(callbacks)]

    def path_part(self, text):
        return text

    def header(self, key, binding):
        header = {"alg": key.alg, "kid": key.kid}
        return {**header, "jwk": key.jwk()} if binding else header

    def extra_claims(self, binding):
        return {"platform": "android", "android-version": 35} if binding else {"platform": "android"}

    def fill(self, callback, values):
        order = {
            "DeviceBindingCallback": ["jws", "deviceName", "deviceId", "clientError"],
            "DeviceSigningVerifierCallback": ["jws", "clientError"],
        }[callback["type"]]
        assert len(callback["input"]) == len(order)
        for name, value in values.items():
            callback["input"][order.index(name)]["value"] = value

    def read_binding(self, callback):
        outputs = {pair["name"]: pair["value"] for pair in callback["output"]}
        # The SDK decodes the challenge if `attestation` is present, even if it is false.
        assert "attestation" in outputs
        challenge = outputs["challenge"]
        assert len(base64.b64decode(challenge, validate=True)) == 32 and len(challenge) == 44
        return outputs


class Client:
    """An app with its keys."""

    def __init__(self, base, realm, dialect):
        self.base, self.realm, self.dialect = base, realm, dialect
        self.cookie = "iPlanetDirectoryPro"
        self.token = None
        # The `Accept-Language` of a user with another language than the dialect's; None for the dialect's.
        self.languages = None
        self.device_id = uuid.uuid4().hex

    # The endpoint of journeys

    def request(self, method, path, body=None, version="resource=2.1, protocol=1.0", headers=None):
        url = f"{self.base}/json/realms/{self.realm}/{path}"
        all_headers = {"Accept-API-Version": version, "Content-Type": "application/json"}
        all_headers.update(self.dialect.request_headers())
        if self.languages:
            all_headers["Accept-Language"] = self.languages
        if self.token:
            all_headers[self.cookie] = self.token
        all_headers.update(headers or {})
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data=data, headers=all_headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return Answer(response.status, response.read().decode())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read().decode())

    def begin(self, journey, query=""):
        path = f"authenticate?authIndexType=service&authIndexValue={urllib.parse.quote(journey)}" + query
        answer = self.request("POST", path, {})
        answer.query = query
        return answer

    def resume(self, answer):
        """Sends the complete question back, with the inputs that were filled in."""
        body = {"authId": answer.json["authId"], "callbacks": self.dialect.echo(answer.json["callbacks"])}
        more = self.request("POST", "authenticate" + self.dialect.resume_query(answer.query), body)
        more.query = answer.query
        return more

    def log_in(self, answer, user, password):
        assert [callback["type"] for callback in answer.json["callbacks"]] == ["NameCallback", "PasswordCallback"]
        for callback, value in zip(answer.json["callbacks"], [user, password]):
            callback["input"][0]["value"] = value
        return self.resume(answer)

    def name_user(self, answer, user):
        answer.callback("NameCallback")["input"][0]["value"] = user
        return self.resume(answer)

    # Messages

    def message(self, key, subject, challenge, timeout, binding, change=None, header=None, payload=None):
        """Returns a JWS. `change` may edit its claims, `header` its header, and `payload` the text of its payload."""
        now = int(time.time())
        claims = {
            "sub": subject, "iss": self.dialect.application, "challenge": challenge, "iat": now, "nbf": now,
            "exp": now + timeout, **self.dialect.extra_claims(binding),
        }
        if change:
            change(claims)
        fields = self.dialect.header(key, binding)
        if header:
            header(fields)
        text = self.dialect.payload(claims)
        if payload:
            text = payload(text)
        parts = [base64url(json.dumps(fields).encode()), base64url(text.encode())]
        return ".".join(parts + [base64url(key.sign(".".join(parts).encode()))])

    def bind(self, answer, key, name="Test phone", device_id=None, **changes):
        callback = answer.callback("DeviceBindingCallback")
        asked = self.dialect.read_binding(callback)
        message = self.message(key, asked["userId"], asked["challenge"], asked["timeout"], True, **changes)
        device_id = self.device_id if device_id is None else device_id
        self.dialect.fill(callback, {"jws": message, "deviceName": name, "deviceId": device_id})
        return self.resume(answer)

    def sign(self, answer, key, user_id=None, **changes):
        callback = answer.callback("DeviceSigningVerifierCallback")
        asked = {pair["name"]: pair["value"] for pair in callback["output"]}
        subject = asked["userId"] or user_id
        message = self.message(key, subject, asked["challenge"], asked["timeout"], False, **changes)
        self.dialect.fill(callback, {"jws": message})
        return self.resume(answer)

    def fail(self, answer, kind, error):
        """Reports an error on the device."""
        self.dialect.fill(answer.callback(kind), {"clientError": error})
        return self.resume(answer)

    # Devices

    def devices_path(self, user, device=""):
        path = f"users/{self.dialect.path_part(user)}/devices/2fa/binding"
        return path + (f"/{self.dialect.path_part(device)}" if device else "?_queryFilter=true")

    def devices(self, user):
        return self.request("GET", self.devices_path(user), version="resource=1.0")

    def rename(self, user, device, name):
        body = {**device, "deviceName": name}
        return self.request("PUT", self.devices_path(user, device["_id"]), body, version="resource=1.0")

    def unbind(self, user, device):
        return self.request("DELETE", self.devices_path(user, device), version="resource=1.0")

    def sign_off(self):
        answer = self.request("POST", "sessions?_action=logout", {}, version="resource=3.1, protocol=1.0")
        self.token = None
        return answer

    def session(self):
        return self.request("POST", "sessions?_action=getSessionInfo", {}, version="resource=2.1")
