"""The server's trees. Each is a generator that yields pages and is sent the values of their inputs.

A tree is named by what it is to do: its kind and, after dashes, how it differs.

    Login
    Bind-TYPE[-DETAIL…]     name and password, then the Device Binding node for TYPE. Details: `refused` (the journey fails although
                            the message was good), `optional` (the node fails, the tree goes on to success), `broken` (stored, then 500),
                            `page` (a page follows), `second` (the callback is the second of its page), `attested` (attestation: true),
                            `told` (a client error leads to a page that is called like it), `limit` (one device at most)
    Sign[-TEXT]             name, then the Device Signing Verifier node over random bytes or TEXT; ClientNotRegistered, No Registered Device
                            and Key not found lead to binding
    Usernameless[-null|-missing]
    Fallback                name, then signing; whatever fails leads to the password
    Told                    name, then signing; a client error leads to a page that is called like it
    Suspend                 the journey goes on by a link, whose id the page shows
    Slow                    the session is over when the page is answered
    Tokenless               success with an empty token

With `busy` in its name a gateway before the server sends the first answer to each page away.
"""

import hashlib
import hmac
import secrets
import threading
import time

import callbacks
from messages import Wrong, check_message, check_signature, compact, encode

SECRET = secrets.token_bytes(32)
KINDS = {"NONE", "APPLICATION_PIN", "BIOMETRIC_ONLY", "BIOMETRIC_ALLOW_FALLBACK"}
SUFFIX = ",ou=user,o=alpha,ou=services,ou=am-config"

lock = threading.Lock()
devices = {}  # universal id -> list of records


class LoginFailure(Exception):
    """The journey ends with 401."""


class SessionTimeout(Exception):
    """The journey's session is over."""


def universal_id(name):
    return f"id={name}{SUFFIX}"


def name_of(identity):
    return identity.removeprefix("id=").removesuffix(SUFFIX)


def devices_of(name):
    with lock:
        return list(devices.get(universal_id(name), []))


class Journey:
    """One journey under way."""

    def __init__(self, tree, query):
        self.tree = tree
        self.stage = tree
        self.options = {name: query.get(name) == "true" for name in ("noSession", "ForceAuth")}
        self.is_tokenless = tree == "Tokenless"
        self.user = self.suspended_id = None
        self.pages = self.run()

    def run(self):
        kind, _, detail = self.tree.partition("-")
        match kind:
            case "Login" | "Slow" | "Tokenless":
                yield from self.log_in()
                if kind == "Slow":
                    raise SessionTimeout
            case "Bind":
                yield from self.log_in()
                kind, _, details = detail.partition("-")
                yield from self.bind(kind, set(details.split("-")))
            case "Sign" | "Fallback" | "Told":
                values = yield [callbacks.name_callback(1)]
                self.user = values[0]
                outcome = yield from self.sign(detail or None, universal_id(self.user))
                yield from self.after_signing(kind, outcome)
            case "Usernameless":
                identity = {"null": None, "missing": ()}.get(detail, "")
                if (yield from self.sign(None, identity)) != "success":
                    raise LoginFailure
            case "Suspend":
                self.suspended_id = "a+b/" + secrets.token_hex(8) + "=="
                yield [callbacks.suspended_output(self.suspended_id)]
                yield from self.log_in()
            case _:
                raise LoginFailure

    def log_in(self):
        values = yield [callbacks.name_callback(1), callbacks.password_callback(2), callbacks.unknown_callback(3)]
        if values[1] != f"{values[0]}'s password":
            raise LoginFailure
        self.user = values[0]

    def after_signing(self, kind, outcome):
        if outcome == "success":
            return
        if kind == "Told":
            yield from self.tell(outcome)
        elif kind == "Fallback":
            yield from self.log_in()
        elif outcome in ("ClientNotRegistered", "noDeviceRegistered", "keyNotFound"):
            yield from self.bind("NONE", set())
        else:
            raise LoginFailure

    def tell(self, outcome):
        """A page that shows which way the tree went."""
        self.stage = outcome
        yield [callbacks.text_output(1, outcome)]
        raise LoginFailure

    def bind(self, kind, details):
        """The Device Binding node."""
        if "limit" in details and devices_of(self.user):
            yield from self.tell("exceedDeviceLimit")
        # Whoever answers nothing is asked again, with another challenge, for ever; here for as long as it can be by mistake.
        for _ in range(3):
            challenge = callbacks.random_challenge()
            index = 2 if "second" in details else 1
            callback = callbacks.binding_callback(
                index, universal_id(self.user), self.user, kind, challenge, attestation="attested" in details)
            page = [callbacks.text_output(1, "Bind this device"), callback] if index == 2 else [callback]
            jws, device_name, device_id, error = yield page
            if jws and device_id:
                break
            if error:
                if error not in ("Unsupported", "Abort", "Timeout", "Custom"):
                    raise Wrong("a client error that this node has no outcome for")
                if "told" in details:
                    yield from self.tell(error)
                raise LoginFailure
        else:
            raise Wrong("neither a message with its device id nor an error, again and again")
        if error:
            raise Wrong("a message and an error at once")
        self.store(kind, details, challenge, jws, device_name, device_id)
        if "broken" in details:
            raise RuntimeError("stored, and then the server fails")
        if "page" in details:
            yield [callbacks.text_output(1, "The device is bound")]

    def store(self, kind, details, challenge, jws, device_name, device_id):
        header, claims = check_message(jws, challenge)
        jwk = header.get("jwk") or {}
        check_signature(jws, jwk)
        if claims.get("sub") != universal_id(self.user):
            raise Wrong("sub")
        if jwk.get("kid") != header["kid"] or not device_name or kind not in KINDS:
            raise Wrong("kid, device name or a type that nobody knows")
        # Who says `ios` is not asked for a certificate chain: `check_message` has seen that it says so.
        if "x5c" in jwk:
            raise Wrong("a certificate chain of Android")
        if "refused" in details:
            raise LoginFailure
        if "optional" in details:
            return
        now = int(time.time() * 1000)
        with lock:
            if any(record["uuid"] == header["kid"] for records in devices.values() for record in records):
                raise Wrong("kid is not unique")
            devices.setdefault(universal_id(self.user), []).append({
                "_id": header["kid"], "_rev": "1", "createdDate": now, "lastAccessDate": now, "deviceId": device_id,
                "deviceName": device_name, "uuid": header["kid"], "key": jwk, "deviceManagementStatus": False,
            })

    def sign(self, challenge, identity):
        """The Device Signing Verifier node: returns its outcome."""
        if self.user and not devices_of(self.user):
            # Before any callback.
            return "noDeviceRegistered"
        for _ in range(3):
            challenge = challenge or callbacks.random_challenge()
            jws, error = yield [callbacks.signing_callback(1, identity, challenge)]
            if jws:
                break
            if error:
                if error not in ("Unsupported", "Abort", "Timeout", "ClientNotRegistered", "Custom"):
                    raise Wrong("a client error that this node has no outcome for")
                return error
        else:
            raise Wrong("neither a message nor an error, again and again")
        header, claims = check_message(jws, challenge)
        if not claims.get("sub") or self.user and claims["sub"] != universal_id(self.user):
            raise LoginFailure
        name = name_of(claims["sub"])
        records = devices_of(name)
        if not records:
            return "noDeviceRegistered"
        record = next((record for record in records if record["uuid"] == header["kid"]), None)
        if record is None:
            return "keyNotFound"
        check_signature(jws, record["key"])
        record["lastAccessDate"] = int(time.time() * 1000)
        self.user = name
        return "success"

    def auth_id(self):
        now = int(time.time())
        header = encode(compact({"typ": "JWT", "alg": "HS256"}).encode())
        claims = {"authIndexType": "service", "authIndexValue": self.tree, "realm": "/alpha",
                  "otk": secrets.token_hex(16), "iat": now, "exp": now + 300}
        text = f"{header}.{encode(compact(claims).encode())}"
        return f"{text}.{encode(hmac.new(SECRET, text.encode(), hashlib.sha256).digest())}"
