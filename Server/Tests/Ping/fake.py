"""A tiny server of journeys and OpenID Connect that answers as Ping's documentation says, for the test of the replay.

It keeps everything in memory and protects nothing. A fault is a sentence; the server with this fault answers wrongly in
one way, and `FAULTS` says where the replay must notice it.
"""

import base64
import hashlib
import http.server
import json
import secrets
import threading
import time
import urllib.parse
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

COOKIE = "iPlanetDirectoryPro"
REALM = "alpha"
BUNDLE = "com.example.app"
REDIRECT = "org.forgerock.demo://oauth2redirect"
PASSWORDS = {"alice": "correct horse", "bob": "battery staple"}
CLIENTS = {"demo": False, "demo-dpop": True, "demo-other": False}
JOURNEYS = {
    "login": ["page"], "bind": ["page", "bind"], "sign": ["name", "sign"], "usernameless-sign": ["sign"],
    "message": ["page", "message"], "choice": ["choice", "page"], "attributes": ["attributes", "page"],
}
# A fault, the points of the replay that must notice it, and a part of the line in which they say so.
FAULTS = {
    "the state is dropped": (6, "the state"),
    "the body at 302 is not empty": (6, "an empty body"),
    "a refresh gives no refresh_token": (9, "refresh_token"),
    "expires_in is a text": (9, "expires_in"),
    "an OAuth error has a reason": (8, "without another member"),
    "revoke of the access token ends the refresh token": (10, "refresh after revoke"),
    "endSession ends the newer session": (13, "the newer session to live"),
    "logout clears the newer cookie": (14, "the newer session's cookie to stay"),
    "discovery has no revocation_endpoint": (1, "revocation_endpoint"),
    "userinfo refuses with 403": (11, "401"),
    "discovery redirects": (1, "expected 200"),
    "the cookie precedes the header": (2, "the header's session before the cookie's"),
    "ForceAuth is ignored": (2, "with ForceAuth"),
    "a number as a text is refused": (3, "success with the text 1"),
    "a suspended journey is not found by an empty page": (4, "AM's form"),
    "success sets no cookie": (5, "Set-Cookie"),
    "noSession is ignored": (5, "no tokenId"),
    "Location has + for a space": (6, "%20 for a space"),
    "a session gives one code only": (6, "again with the same session"),
    "any redirect URI is good": (7, "at the redirect URI"),
    "PKCE is optional": (7, "no code"),
    "a code is good twice": (8, "at the second use"),
    "the verifier is not compared": (8, "with a wrong verifier"),
    "revoke of the refresh token leaves the access token": (10, "user info"),
    "logout of a dead session succeeds": (12, "at a dead session"),
    "logout ends the session of the body": (12, "the session of the body to live"),
    "endSession ends nothing": (13, "the session of the ID token to end"),
    "a time has no Z": (15, "ISO 8601"),
    "DELETE of a device answers 204": (16, "not 200"),
    "there is no list of profiles": (16, "at profile"),
    "a key is removed without a session": (17, "without a session"),
    "a kid is for one user only": (18, "success of the journey bind"),
    "a replaced key still signs": (18, "with a replaced key"),
    "an untouched message is true": (19, "the untouched input"),
    "validateOnly is ignored": (19, "validateOnly"),
    "an error of a journey has no reason": (20, "with this code"),
    "an unknown OAuth address has AM's error": (20, "at an unknown address"),
    "an app that demands DPoP gets bearer tokens": (23, "no tokens"),
    "an app that demands DPoP refreshes tokens of another app": (23, "the refresh token of another app"),
    "a bearer token serves with the scheme DPoP": (23, "user info with a proof and a bearer token"),
    "a bound token serves as a bearer token": (23, "user info with its token as a bearer token"),
}


class Refusal(Exception):
    """An error answer."""

    def __init__(self, status, body):
        super().__init__(status)
        self.status = status
        self.body = body


def am_error(status, message, reason=None):
    reasons = {400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed"}
    return Refusal(status, {"code": status, "reason": reason or reasons[status], "message": message})


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def universal_id(user):
    return f"id={user},ou=user,o={REALM},ou=services,ou=am-config"


def verified(message, challenge, key_for):
    """Returns header and claims of a JWS after all checks of a device's message."""
    try:
        header_part, payload, signature = message.split(".")
        header, claims = json.loads(decoded(header_part)), json.loads(decoded(payload))
        jwk = key_for(header, claims)
        data, signature = f"{header_part}.{payload}".encode(), decoded(signature)
        if jwk["kty"] == "EC":
            x, y = (int.from_bytes(decoded(jwk[name]), "big") for name in ("x", "y"))
            key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
            r, s = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
            key.verify(encode_dss_signature(r, s), data, ec.ECDSA(hashes.SHA256()))
        else:
            n, e = (int.from_bytes(decoded(jwk[name]), "big") for name in ("n", "e"))
            rsa.RSAPublicNumbers(e, n).public_key().verify(signature, data, padding.PKCS1v15(), hashes.SHA512())
    except (ValueError, KeyError, InvalidSignature):
        raise am_error(401, "Login failure") from None
    if claims.get("iss") != BUNDLE or claims.get("challenge") != challenge or claims["exp"] < time.time():
        raise am_error(401, "Login failure")
    return header, claims


class World:
    """What the server knows."""

    def __init__(self, faults=()):
        self.faults = set(faults)
        self.lock = threading.RLock()
        self.sessions, self.walks, self.codes, self.grants = {}, {}, {}, {}
        self.access, self.refresh = {}, {}
        self.devices, self.replaced = {user: {} for user in PASSWORDS}, {}

    def has(self, fault):
        assert fault in FAULTS, fault
        return fault in self.faults

    # Journeys.

    def callback(self, kind, number, outputs, inputs):
        return {"type": kind, "output": [{"name": name, "value": value} for name, value in outputs.items()],
                "input": [{"name": f"IDToken{number}{name}", "value": value} for name, value in inputs.items()]}

    def callbacks(self, walk):
        """Returns the callbacks of the step at which the journey is."""
        step, make = JOURNEYS[walk["journey"]][walk["at"]], self.callback
        prompt = {"title": "Authentication required", "subtitle": "Cryptography device binding",
                  "description": "Please complete with biometric to proceed", "timeout": 60}
        walk["challenge"] = base64.b64encode(secrets.token_bytes(32)).decode()
        user_id = universal_id(walk["user"]) if walk["user"] else ""
        if step == "page":
            return [make("NameCallback", 1, {"prompt": "User Name"}, {"": ""}),
                    make("PasswordCallback", 2, {"prompt": "Password"}, {"": ""})]
        if step == "name":
            return [make("NameCallback", 1, {"prompt": "User Name"}, {"": ""})]
        if step == "bind":
            outputs = {"userId": user_id, "username": walk["user"], "authenticationType": "NONE",
                       "challenge": walk["challenge"], **prompt, "attestation": False}
            inputs = dict.fromkeys(("jws", "deviceName", "deviceId", "clientError"), "")
            return [make("DeviceBindingCallback", 1, outputs, inputs)]
        if step == "sign":
            outputs = {"userId": user_id, "challenge": walk["challenge"], **prompt}
            return [make("DeviceSigningVerifierCallback", 1, outputs, {"jws": "", "clientError": ""})]
        if step == "message":
            outputs = {"prompt": "", "messageType": 0, "options": ["Yes", "No"], "optionType": -1, "defaultOption": 1}
            return [make("TextOutputCallback", 1, {"message": "Proceed?", "messageType": "0"}, {}),
                    make("ConfirmationCallback", 2, outputs, {"": 100})]
        if step == "choice":
            outputs = {"prompt": "Choose", "choices": ["first", "second"], "defaultChoice": 1}
            return [make("ChoiceCallback", 1, outputs, {"": 1})]
        values = {"StringAttributeInputCallback": ("city", ""), "NumberAttributeInputCallback": ("age", 0.0),
                  "BooleanAttributeInputCallback": ("news", False)}
        fixed = {"required": True, "policies": {}, "failedPolicies": [], "validateOnly": False}
        return [make(kind, number, {"name": name, "prompt": name, **fixed, "value": value},
                     {"": value, "validateOnly": False})
                for number, (kind, (name, value)) in enumerate(values.items(), 1)]

    def answer(self, walk, callbacks):
        """Takes the inputs of a step. Returns whether the journey goes on to the next step."""
        step = JOURNEYS[walk["journey"]][walk["at"]]
        inputs = {callback["type"]: [member["value"] for member in callback["input"]] for callback in callbacks}
        fails = am_error(401, "Login failure")
        if step in ("page", "name"):
            walk["user"] = inputs["NameCallback"][0]
            if walk["user"] not in PASSWORDS or (
                    step == "page" and inputs["PasswordCallback"][0] != PASSWORDS[walk["user"]]):
                raise fails
        elif step == "bind":
            message, name, identifier, _ = inputs["DeviceBindingCallback"]
            header, claims = verified(message, walk["challenge"], lambda header, claims: header["jwk"])
            if claims["sub"] != universal_id(walk["user"]) or not identifier:
                raise fails
            kid, now = header["kid"], int(time.time() * 1000)
            if self.has("a kid is for one user only") and any(
                    kid in keys for user, keys in self.devices.items() if user != walk["user"]):
                raise fails
            if kid in self.devices[walk["user"]]:
                self.replaced[kid] = self.devices[walk["user"]][kid]["key"]
            self.devices[walk["user"]][kid] = {
                "_id": kid, "_rev": "1", "createdDate": now, "lastAccessDate": now, "deviceId": identifier,
                "deviceName": name, "uuid": kid, "key": header["jwk"], "deviceManagementStatus": False}
        elif step == "sign":
            def key_for(header, claims):
                user = claims["sub"].partition(",")[0].removeprefix("id=")
                if walk["user"] not in (None, user):
                    raise fails
                walk["signer"] = user
                return self.devices[user][header["kid"]]["key"]
            message = inputs["DeviceSigningVerifierCallback"][0]
            try:
                verified(message, walk["challenge"], key_for)
            except Refusal:
                if not self.has("a replaced key still signs"):
                    raise
                verified(message, walk["challenge"], lambda header, claims: self.replaced[header["kid"]])
            walk["user"] = walk["signer"]
        elif step == "message":
            index = int(inputs["ConfirmationCallback"][0])
            if index == 0 or (index == 100 and self.has("an untouched message is true")):
                raise fails
        elif step == "choice":
            if int(inputs["ChoiceCallback"][0]) != 1:
                raise fails
        else:
            if any(values[1] for values in inputs.values()) and not self.has("validateOnly is ignored"):
                return False
            if int(inputs["NumberAttributeInputCallback"][0]) != 30:
                raise fails
        return True

    def authenticate(self, query, body, session):
        """Starts or continues a journey. Returns its answer, and the session that it began."""
        if "suspendedId" in query:
            if self.has("a suspended journey is not found by an empty page"):
                raise Refusal(404, None)
            raise am_error(401, "Login failure")
        if "authIndexType" in query:
            if query["authIndexType"] != "service" or query.get("authIndexValue") not in JOURNEYS:
                raise am_error(400, "No such journey")
            found, forced = self.sessions.get(session), query.get("ForceAuth") == "true"
            forced = forced and not self.has("ForceAuth is ignored")
            if found and found["journey"] == query["authIndexValue"] and not forced:
                return self.success(session), session
            silent = query.get("noSession") == "true" and not self.has("noSession is ignored")
            walk = {"journey": query["authIndexValue"], "at": 0, "user": None, "silent": silent}
        else:
            walk = self.walks.pop(body.get("authId"), None)
            if walk is None:
                raise am_error(401, "Login failure")
            if self.has("a number as a text is refused") and any(
                    isinstance(callback["input"][0]["value"], str) for callback in body["callbacks"]
                    if callback["type"] == "ChoiceCallback"):
                raise am_error(400, "No number")
            if self.answer(walk, body["callbacks"]):
                walk["at"] += 1
            if walk["at"] == len(JOURNEYS[walk["journey"]]):
                if walk["silent"]:
                    return {"successUrl": f"/enduser/?realm=/{REALM}", "realm": f"/{REALM}"}, None
                token = secrets.token_urlsafe(32)
                self.sessions[token] = {"user": walk["user"], "journey": walk["journey"], "id": str(uuid.uuid4())}
                return self.success(token), token
        identifier = secrets.token_urlsafe(32)
        self.walks[identifier] = walk
        return {"authId": identifier, "callbacks": self.callbacks(walk), "stage": "UsernamePassword"}, None

    def success(self, token):
        return {"tokenId": token, "successUrl": f"/enduser/?realm=/{REALM}", "realm": f"/{REALM}"}

    # OpenID Connect.

    def oauth_error(self, status, error, description="Refused."):
        body = {"error": error, "error_description": description}
        if self.has("an OAuth error has a reason"):
            body["reason"] = "Bad Request"
        return Refusal(status, body)

    def tokens(self, identifier, refreshed):
        """Issues tokens of a grant. A refresh replaces the refresh token."""
        grant = self.grants[identifier]
        kind = "DPoP" if CLIENTS[grant["client"]] else "Bearer"
        access, refresh = (f"{name}-{secrets.token_urlsafe(24)}" for name in ("at", "rt"))
        self.access[access] = identifier
        self.refresh = {token: owner for token, owner in self.refresh.items() if owner != identifier}
        self.refresh[refresh] = identifier
        claims = {"iss": "fake", "aud": grant["client"], "sub": grant["user"], "sid": grant["sid"]}
        found = {"access_token": access, "refresh_token": refresh, "scope": grant["scope"], "token_type": kind,
                 "expires_in": "3599" if self.has("expires_in is a text") else 3599,
                 "id_token": ".".join((encoded(b'{"alg":"none"}'), encoded(json.dumps(claims).encode()), "none"))}
        if refreshed and self.has("a refresh gives no refresh_token"):
            del found["refresh_token"]
        return found

    def schemes(self, identifier):
        """Returns the schemes with which an access token of the grant serves."""
        found = {"DPoP" if CLIENTS[self.grants[identifier]["client"]] else "Bearer"}
        if self.has("a bearer token serves with the scheme DPoP"):
            found.add("DPoP")
        if self.has("a bound token serves as a bearer token"):
            found.add("Bearer")
        return found

    def token(self, form, proof):
        """Answers the token endpoint. Any text counts as a proof."""
        kind, client = form.get("grant_type"), form.get("client_id")
        if kind is None:
            raise self.oauth_error(400, "invalid_request")
        if client not in CLIENTS:
            raise self.oauth_error(400, "invalid_client")
        if kind not in ("authorization_code", "refresh_token"):
            raise self.oauth_error(400, "unsupported_grant_type")
        if CLIENTS[client] and proof is None and not self.has("an app that demands DPoP gets bearer tokens"):
            raise self.oauth_error(400, "invalid_dpop_proof")
        if kind == "refresh_token":
            identifier = self.refresh.get(form.get("refresh_token"))
            owner = self.grants[identifier]["client"] if identifier else None
            mixed = CLIENTS[client] and self.has("an app that demands DPoP refreshes tokens of another app")
            if identifier is None or (owner != client and not mixed):
                raise self.oauth_error(400, "invalid_grant")
            return self.tokens(identifier, True)
        code = self.codes.get(form.get("code"))
        challenge = encoded(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if code is None or code["client"] != client or code["redirect"] != form.get("redirect_uri") \
                or (code["challenge"] != challenge and not self.has("the verifier is not compared")):
            raise self.oauth_error(400, "invalid_grant")
        if not self.has("a code is good twice"):
            del self.codes[form["code"]]
        identifier = str(uuid.uuid4())
        self.grants[identifier] = code
        return self.tokens(identifier, False)

    def revoke(self, token):
        if token is None:
            raise self.oauth_error(400, "invalid_request")
        identifier = self.refresh.get(token)
        if identifier is None and self.has("revoke of the access token ends the refresh token"):
            identifier = self.access.get(token)
        self.access.pop(token, None)
        if identifier:
            if not self.has("revoke of the refresh token leaves the access token"):
                self.access = {key: owner for key, owner in self.access.items() if owner != identifier}
            self.refresh = {key: owner for key, owner in self.refresh.items() if owner != identifier}
        return {}


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    world = None

    def log_message(self, *_):
        pass

    def reply(self, status, body=None, headers=()):
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if body is not None:
            self.send_header("Content-Type", "application/json")
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def handle_request(self):
        path, _, query = self.path.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        self.content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urllib.parse.unquote(path.removeprefix("/am")).strip("/").split("/")
        try:
            with self.world.lock:
                if parts[0] == "json":
                    self.json_route(parts[3:])
                else:
                    self.oauth_route([part for part in parts[1:] if part not in ("realms", "root", REALM)])
        except Refusal as refusal:
            body = refusal.body
            if self.world.has("an error of a journey has no reason") and body and "code" in body:
                body = {name: value for name, value in body.items() if name != "reason"}
            self.reply(refusal.status, body)

    do_GET = do_POST = do_PUT = do_DELETE = handle_request

    def cookie(self):
        for part in (self.headers.get("Cookie") or "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE:
                return value
        return None

    def session(self):
        if self.world.has("the cookie precedes the header"):
            return self.cookie() or self.headers.get(COOKIE)
        return self.headers.get(COOKIE) or self.cookie()

    def signed_in(self):
        found = self.world.sessions.get(self.session())
        if found is None:
            raise am_error(401, "Access Denied")
        return found

    def json_body(self):
        try:
            return json.loads(self.content or b"{}")
        except ValueError:
            raise am_error(400, "No JSON") from None

    def json_route(self, parts):
        world = self.world
        if parts == ["authenticate"]:
            if self.command != "POST":
                raise am_error(405, "POST is needed")
            answer, token = world.authenticate(self.query, self.json_body(), self.session())
            sets = token and not world.has("success sets no cookie")
            self.reply(200, answer, [("Set-Cookie", f"{COOKIE}={token}; Path=/; HttpOnly")] if sets else [])
        elif parts == ["sessions"]:
            self.sessions_route(self.query.get("_action"))
        elif len(parts) >= 4 and parts[0] == "users" and parts[2] == "devices":
            self.devices_route(parts[1], "/".join(parts[3:]))
        else:
            raise am_error(404, "Not found")

    def sessions_route(self, action):
        world = self.world
        if action not in ("logout", "getSessionInfo"):
            raise am_error(400, "No such action")
        if action == "logout" and world.has("logout of a dead session succeeds"):
            if self.session() not in world.sessions:
                self.reply(200, {"result": "Successfully logged out"})
                return
        found = self.signed_in()
        if action == "getSessionInfo":
            ends = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
            if world.has("a time has no Z"):
                ends = ends.removesuffix("Z") + "+00:00"
            self.reply(200, {
                "username": found["user"], "universalId": universal_id(found["user"]), "realm": f"/{REALM}",
                "latestAccessTime": ends, "maxIdleExpirationTime": ends, "maxSessionExpirationTime": ends})
            return
        token = self.session()
        del world.sessions[token]
        if world.has("logout ends the session of the body"):
            world.sessions.pop(self.json_body().get("tokenId"), None)
        clears = self.cookie() == token or world.has("logout clears the newer cookie")
        self.reply(200, {"result": "Successfully logged out"},
                   [("Set-Cookie", f"{COOKIE}=; Path=/; Max-Age=0")] if clears else [])

    def devices_route(self, owner, rest):
        if self.command == "DELETE" and self.world.has("a key is removed without a session"):
            user = owner.partition(",")[0].removeprefix("id=")
        else:
            user = self.signed_in()["user"]
        if owner not in (user, universal_id(user)):
            raise am_error(403, "User not permitted.")
        kind, _, identifier = rest.partition("/") if rest.startswith("profile") else (
            "/".join(rest.split("/")[:2]), "", "/".join(rest.split("/")[2:]))
        if kind == "profile" and self.world.has("there is no list of profiles"):
            raise am_error(404, "Not found")
        if kind not in ("2fa/oath", "2fa/push", "2fa/binding", "2fa/webauthn", "profile"):
            raise am_error(404, "Not found")
        devices = self.world.devices[user] if kind == "2fa/binding" else {}
        if not identifier:
            self.reply(200, {"result": list(devices.values()), "resultCount": len(devices), "pagedResultsCookie": None,
                             "totalPagedResultsPolicy": "NONE", "totalPagedResults": -1, "remainingPagedResults": -1})
        elif identifier not in devices:
            raise am_error(404, "Not found")
        elif self.command == "DELETE":
            element = devices.pop(identifier)
            if self.world.has("DELETE of a device answers 204"):
                self.reply(204)
            else:
                self.reply(200, element)
        else:
            devices[identifier]["deviceName"] = self.json_body()["deviceName"]
            self.reply(200, devices[identifier])

    def oauth_route(self, parts):
        world, rest = self.world, "/".join(parts)
        form = dict(pair.partition("=")[::2] for pair in self.content.decode().split("&") if pair)
        form = {urllib.parse.unquote_plus(name): urllib.parse.unquote_plus(value) for name, value in form.items()}
        if rest == ".well-known/openid-configuration" and world.has("discovery redirects"):
            self.reply(302, None, [("Location", self.path)])
        elif rest == ".well-known/openid-configuration":
            base = f"http://{self.headers['Host']}/am/oauth2/{REALM}"
            document = {"issuer": base, "authorization_endpoint": f"{base}/authorize",
                        "token_endpoint": f"{base}/access_token", "userinfo_endpoint": f"{base}/userinfo",
                        "end_session_endpoint": f"{base}/connect/endSession",
                        "revocation_endpoint": f"{base}/token/revoke"}
            if world.has("discovery has no revocation_endpoint"):
                del document["revocation_endpoint"]
            self.reply(200, document)
        elif rest == "authorize":
            self.authorize_route()
        elif rest in ("access_token", "token/revoke"):
            if self.command != "POST":
                raise world.oauth_error(405, "invalid_request")
            answer = world.token(form, self.headers.get("DPoP")) if rest == "access_token" else world.revoke(
                form.get("token"))
            self.reply(200, answer)
        elif rest == "userinfo":
            kind, _, token = (self.headers.get("Authorization") or "").partition(" ")
            identifier = world.access.get(token)
            if identifier is not None and kind not in world.schemes(identifier):
                identifier = None
            if identifier is None:
                raise world.oauth_error(403 if world.has("userinfo refuses with 403") else 401, "invalid_token")
            user = world.grants[identifier]["user"]
            self.reply(200, {"sub": user, "email": f"{user}@example.com", "email_verified": True, "name": user,
                             "given_name": user, "family_name": "Example", "address": {"locality": "Berlin"},
                             "birthdate": "2000-01-31", "updated_at": int(time.time())})
        elif rest == "connect/endSession":
            self.end_session_route()
        else:
            if world.has("an unknown OAuth address has AM's error"):
                raise am_error(404, "Not found")
            raise world.oauth_error(404, "not_found")

    def authorize_route(self):
        world, query = self.world, self.query
        if query.get("client_id") not in CLIENTS:
            raise world.oauth_error(400, "invalid_client")
        if query.get("redirect_uri") != REDIRECT and not world.has("any redirect URI is good"):
            raise world.oauth_error(400, "redirect_uri_mismatch")
        found = world.sessions.get(self.session())
        if found is None or (query.get("code_challenge_method") != "S256" and not world.has("PKCE is optional")):
            answer = {"error": "invalid_request",
                      "error_description": "Failed to get resource owner session from request"}
        else:
            code, issuer = secrets.token_urlsafe(24), f"http://{self.headers['Host']}/am/oauth2/{REALM}"
            answer = {"code": code, "iss": issuer, "client_id": query["client_id"]}
            if world.has("a session gives one code only"):
                del world.sessions[self.session()]
            world.codes[code] = {"client": query["client_id"], "redirect": query["redirect_uri"], "user": found["user"],
                                 "challenge": query.get("code_challenge"), "scope": query["scope"], "sid": found["id"]}
        if "state" in query and not world.has("the state is dropped"):
            answer["state"] = query["state"]
        quote = urllib.parse.quote_plus if world.has("Location has + for a space") else urllib.parse.quote
        location = query["redirect_uri"] + "?" + urllib.parse.urlencode(answer, quote_via=quote, safe="")
        body = "Moved" if world.has("the body at 302 is not empty") else None
        self.reply(302, body, [("Location", location)])

    def end_session_route(self):
        world = self.world
        try:
            named = json.loads(decoded(self.query["id_token_hint"].split(".")[1]))["sid"]
        except (KeyError, IndexError, ValueError):
            raise world.oauth_error(400, "invalid_request") from None
        if not world.has("endSession ends nothing"):
            world.sessions = {token: found for token, found in world.sessions.items() if found["id"] != named}
        if world.has("endSession ends the newer session"):
            world.sessions.clear()
        self.reply(204)


class Server:
    """The server on a free port of the loopback interface, until the end of a `with`."""

    def __init__(self, faults=()):
        handler = type("WorldHandler", (Handler,), {"world": World(faults)})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/am"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
