"""A PingAM server as its clients see it, for tests: journeys, device binding, sessions, devices.

Written from descriptions of the protocol alone. It shares no code with the client that it tests, and is strict: an answer must be what was
asked, byte for byte, with nothing changed but the values of inputs. What is wrong is said in the message of a 400.

Prints its port, serves on the loopback address, and ends when its standard input does.
"""

import base64
import hashlib
import hmac
import json
import os
import secrets
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

COOKIE = "iPlanetDirectoryPro"
APPLICATIONS = {"com.example.app"}
PASSWORDS = {"alice": "alice's password", "bob": "bob's password"}
SECRET = secrets.token_bytes(32)

lock = threading.Lock()
pending = {}  # authId -> journey under way
sessions = {}  # token -> user name
devices = {}  # universal id -> list of records


class Wrong(Exception):
    """The client has broken a rule."""


class LoginFailure(Exception):
    """The journey ends with 401."""


def universal_id(name):
    return f"id={name},ou=user,o=alpha,ou=services,ou=am-config"


def name_of(identity):
    return next((name for name in PASSWORDS if universal_id(name) == identity), None)


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


def fields(**values):
    return [{"name": name, "value": value} for name, value in values.items()]


def inputs(index, *names):
    return [{"name": f"IDToken{index}{name}", "value": ""} for name in names]


def binding_callback(user, kind):
    challenge = base64.b64encode(secrets.token_bytes(32)).decode()
    return challenge, {
        "type": "DeviceBindingCallback",
        "output": fields(
            userId=universal_id(user), username=user, authenticationType=kind, challenge=challenge,
            title="Authentication required", subtitle="Cryptography device binding",
            description="Please complete with biometric to proceed", timeout=60, attestation=False),
        "input": inputs(1, "jws", "deviceName", "deviceId", "clientError"),
    }


def signing_callback(user, challenge=None):
    challenge = challenge or base64.b64encode(secrets.token_bytes(32)).decode()
    return challenge, {
        "type": "DeviceSigningVerifierCallback",
        "output": fields(
            userId=universal_id(user) if user else "", challenge=challenge, title="Authentication required",
            subtitle="Cryptography device binding", description="Please complete with biometric to proceed", timeout=60),
        "input": inputs(1, "jws", "clientError"),
    }


def name_callback(index):
    return {"type": "NameCallback", "output": fields(prompt="User Name"), "input": inputs(index, ""), "_id": index - 1}


def password_callback(index):
    return {"type": "PasswordCallback", "output": fields(prompt="Password"), "input": inputs(index, ""), "_id": index - 1}


def unknown_callback(index):
    return {
        "extra": {"z": 1, "a": [None, True, 1.5]}, "type": "BrandNewCallback", "output": fields(hint="/ü"),
        "input": inputs(index, "token"), "_id": index - 1,
    }


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


class Journey:
    """One journey under way: a generator that yields pages and is sent the values of their inputs."""

    def __init__(self, tree, query):
        self.tree = tree
        self.no_session = query.get("noSession") == "true"
        self.pages = self.run()
        self.user = None

    def run(self):
        kind, _, detail = self.tree.partition("-")
        if kind in ("Login", "Bind"):
            values = yield [name_callback(1), password_callback(2), unknown_callback(3)]
            if PASSWORDS.get(values[0]) != values[1]:
                raise LoginFailure
            self.user = values[0]
        if kind == "Bind":
            yield from self.bind(detail)
        if kind == "Sign":
            values = yield [name_callback(1)]
            self.user = values[0]
            outcome = yield from self.sign(detail or None)
            if outcome == "ClientNotRegistered":
                yield from self.bind("NONE")
        if kind == "Usernameless":
            yield from self.sign(None)
        if kind == "Fallback":
            # Whoever cannot sign gives a password: failure and Key not found lead there.
            values = yield [name_callback(1)]
            self.user = values[0]
            try:
                yield from self.sign(None)
            except LoginFailure:
                values = yield [name_callback(1), password_callback(2)]
                if PASSWORDS.get(values[0]) != values[1]:
                    raise

    def bind(self, detail):
        kind, _, ending = detail.partition("-")
        challenge, callback = binding_callback(self.user, kind)
        jws, device_name, device_id, error = yield [callback]
        if not jws or not device_id:
            if error:
                raise LoginFailure
            raise Wrong("neither a message with its device id nor an error: a server would ask again for ever")
        if error:
            raise Wrong("a message and an error at once")
        header, claims = check_message(jws, challenge)
        jwk = header.get("jwk") or {}
        check_signature(jws, jwk)
        if claims.get("sub") != universal_id(self.user):
            raise Wrong("sub")
        if jwk.get("kid") != header["kid"] or not device_name:
            raise Wrong("kid or device name")
        if ending == "refused":
            raise LoginFailure
        if ending == "optional":
            # The node fails, and the tree goes on to success all the same.
            return
        now = int(time.time() * 1000)
        with lock:
            if any(record["uuid"] == header["kid"] for records in devices.values() for record in records):
                raise Wrong("kid is not unique")
            devices.setdefault(universal_id(self.user), []).append({
                "_id": header["kid"], "_rev": "1", "createdDate": now, "lastAccessDate": now, "deviceId": device_id,
                "deviceName": device_name, "uuid": header["kid"], "key": jwk, "deviceManagementStatus": False,
            })
        if ending == "broken":
            raise RuntimeError("stored, and then the server fails")

    def sign(self, challenge):
        challenge, callback = signing_callback(self.user, challenge)
        jws, error = yield [callback]
        if not jws:
            if error == "ClientNotRegistered":
                return error
            if error:
                raise LoginFailure
            raise Wrong("neither a message nor an error")
        header, claims = check_message(jws, challenge)
        if self.user and claims.get("sub") != universal_id(self.user):
            raise LoginFailure
        records = devices.get(claims.get("sub"), [])
        record = next((record for record in records if record["uuid"] == header["kid"]), None)
        if record is None:
            raise LoginFailure
        check_signature(jws, record["key"])
        record["lastAccessDate"] = int(time.time() * 1000)
        self.user = name_of(claims["sub"])
        return None

    def auth_id(self):
        now = int(time.time())
        header = encode(compact({"typ": "JWT", "alg": "HS256"}).encode())
        claims = {"authIndexType": "service", "authIndexValue": self.tree, "realm": "/alpha",
                  "otk": secrets.token_hex(16), "iat": now, "exp": now + 300}
        text = f"{header}.{encode(compact(claims).encode())}"
        return f"{text}.{encode(hmac.new(SECRET, text.encode(), hashlib.sha256).digest())}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, cookies=()):
        data = compact(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json;charset=UTF-8")
        self.send_header("Content-Length", str(len(data)))
        for cookie in cookies:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, message):
        reason = {400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 500: "Internal Server Error"}[status]
        self.answer(status, {"code": status, "reason": reason, "message": message})

    def handle_request(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        try:
            self.route(url.path, query, body)
        except Wrong as wrong:
            self.refuse(400, str(wrong))
        except LoginFailure:
            self.refuse(401, "Login failure")
        except RuntimeError as error:
            self.refuse(500, str(error))

    do_GET = do_POST = do_PUT = do_DELETE = handle_request

    def route(self, path, query, body):
        prefix = "/am/json/realms/alpha/"
        if not path.startswith(prefix):
            return self.refuse(404, "no such realm")
        if not self.headers.get("x-requested-with"):
            raise Wrong("x-requested-with")
        path = path[len(prefix):]
        if path == "authenticate":
            return self.authenticate(query, body)
        if path == "sessions":
            return self.session(query, body)
        return self.device(path, query, body)

    def expect(self, method, version):
        if self.command != method or self.headers.get("Accept-API-Version") != version:
            raise Wrong(f"{self.command} with {self.headers.get('Accept-API-Version')}")
        if method != "GET" and method != "DELETE" and self.headers.get("Content-Type") != "application/json":
            raise Wrong("Content-Type")

    def authenticate(self, query, body):
        self.expect("POST", "resource=2.1, protocol=1.0")
        if body == b"{}":
            if query.get("authIndexType") != "service":
                raise Wrong("authIndexType")
            journey, sent = Journey(query["authIndexValue"], query), None
            cookies = ["amlbcookie=01; Path=/; HttpOnly"]
            values = None
        else:
            if "amlbcookie=01" not in (self.headers.get("Cookie") or ""):
                raise Wrong("the balancer's cookie was not kept")
            answer = parse(body)
            with lock:
                journey, sent = pending.pop(answer.get("authId"), (None, None))
            if journey is None:
                raise LoginFailure
            values = self.values(answer, sent, body)
            cookies = []
        try:
            page = journey.pages.send(values)
        except StopIteration:
            return self.succeed(journey, cookies)
        auth_id = journey.auth_id()
        with lock:
            pending[auth_id] = (journey, page)
        self.answer(200, {"authId": auth_id, "callbacks": page, "stage": journey.tree}, cookies)

    @staticmethod
    def values(answer, sent, body):
        values = []
        expected = json.loads(compact(sent))
        if len(answer.get("callbacks", [])) != len(expected):
            raise Wrong("callbacks are missing")
        for mine, theirs in zip(expected, answer["callbacks"]):
            for my_input, their_input in zip(mine["input"], theirs["input"]):
                my_input["value"] = their_input["value"]
                values.append(their_input["value"])
        if compact({"authId": answer["authId"], "callbacks": expected}).encode() != body:
            raise Wrong("callbacks were changed: " + body.decode())
        return values

    def succeed(self, journey, cookies):
        answer = {"successUrl": "/enduser/?realm=/alpha", "realm": "/alpha"}
        if not journey.no_session:
            token = secrets.token_urlsafe(32) + ".*AAJTSQ*"
            sessions[token] = journey.user
            answer = {"tokenId": token, **answer}
        self.answer(200, answer, cookies)

    def user(self):
        user = sessions.get(self.headers.get(COOKIE))
        if user is None:
            raise LoginFailure
        return user

    def session(self, query, body):
        if query.get("_action") == "logout":
            self.expect("POST", "resource=3.1, protocol=1.0")
            self.user()
            del sessions[self.headers[COOKIE]]
            return self.answer(200, {"result": "Successfully logged out"})
        self.expect("POST", "resource=2.1")
        user = self.user()
        return self.answer(200, {
            "username": user, "universalId": universal_id(user), "realm": "/alpha",
            "latestAccessTime": "2026-01-01T00:00:00Z", "maxIdleExpirationTime": "2026-01-01T00:30:00Z",
            "maxSessionExpirationTime": "2026-01-01T02:00:00Z"})

    def device(self, path, query, body):
        user = self.user()
        base = f"users/{user}/devices/2fa/binding"
        records = devices.setdefault(universal_id(user), [])
        if path == base:
            self.expect("GET", "resource=1.0")
            if query != {"_queryFilter": "true"}:
                raise Wrong("query")
            return self.answer(200, {
                "result": records, "resultCount": len(records), "pagedResultsCookie": None,
                "totalPagedResultsPolicy": "NONE", "totalPagedResults": -1, "remainingPagedResults": -1})
        identity = path.removeprefix(base + "/")
        record = next((record for record in records if record["_id"] == identity), None)
        if record is None:
            return self.refuse(404, "Not found")
        if self.command == "DELETE":
            self.expect("DELETE", "resource=1.0")
            records.remove(record)
            return self.answer(200, record)
        self.expect("PUT", "resource=1.0")
        changed = parse(body)
        if compact({**record, "deviceName": changed["deviceName"]}).encode() != body:
            raise Wrong("more than the name was changed")
        record["deviceName"] = changed["deviceName"]
        return self.answer(200, record)


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    os._exit(0)


main()
