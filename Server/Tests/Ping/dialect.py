"""What is common to the four SDKs of Ping in `dialects`: an app on a device, its requests, and how it reads answers."""

import base64
import copy
import hashlib
import json
import random
import secrets
import string
import threading
import urllib.parse
import uuid

import signing
import wire

# The members of the discovery document that name an endpoint which the SDKs use.
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "end_session_endpoint",
             "revocation_endpoint")
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
LETTERS = string.ascii_letters + string.digits
# The callbacks of the journeys that the replay walks, and those that AM's default trees use.
CALLBACKS = {
    "BooleanAttributeInputCallback", "ChoiceCallback", "ConfirmationCallback", "DeviceBindingCallback",
    "DeviceProfileCallback", "DeviceSigningVerifierCallback", "HiddenValueCallback", "KbaCreateCallback",
    "MetadataCallback", "NameCallback", "NumberAttributeInputCallback", "PasswordCallback", "PollingWaitCallback",
    "StringAttributeInputCallback", "SuspendedTextOutputCallback", "TermsAndConditionsCallback", "TextInputCallback",
    "TextOutputCallback", "ValidatedCreatePasswordCallback", "ValidatedCreateUsernameCallback",
}
# Stands for “what the app has stored”, where None means “nothing”.
STORED = object()


class Refused(Exception):
    """The SDK fails at this answer."""


class Settings:
    """How an app is configured."""

    def __init__(self, server, realm, app, redirect, scopes, cookie, bundle, with_oidc=True):
        self.server = server.rstrip("/")
        self.realm = realm
        self.app = app
        self.redirect = redirect
        self.scopes = scopes
        self.cookie = cookie
        self.bundle = bundle
        self.with_oidc = with_oidc

    def discovery(self):
        """Returns the four addresses of the discovery document, by their shape."""
        base, name = f"{self.server}/oauth2", ".well-known/openid-configuration"
        return {
            "realm": f"{base}/{self.realm}/{name}",
            "realms": f"{base}/realms/{self.realm}/{name}",
            "query": f"{base}/{name}?realm=/{self.realm}",
            "long": f"{base}/realms/root/realms/{self.realm}/{name}",
        }


class Node:
    """An answer of a journey as the SDK gives it to the app.

    `kind` is `continue`, `success`, `error` (the SDK has the server's message) or `failure` (it has none).
    """

    def __init__(self, kind, answer, data):
        self.kind = kind
        self.answer = answer
        self.data = data
        self.callbacks = copy.deepcopy(data.get("callbacks") or [])

    def callback(self, kind):
        """Returns the first callback of this type, or None."""
        return next((callback for callback in self.callbacks if callback.get("type") == kind), None)

    def __str__(self):
        return f"{self.kind} at {self.answer}"


class Authorization:
    """A request to `/authorize` with its answer."""

    def __init__(self, answer, client, redirect, state, verifier):
        self.answer = answer
        self.client = client
        self.redirect = redirect
        self.state = state
        self.verifier = verifier

    def parameters(self):
        """Returns the parameters of `Location`. A `+` in them stays a `+`, as for Foundation."""
        _, _, query = (self.answer.header("Location") or "").partition("?")
        pairs = [pair.partition("=") for pair in query.split("#")[0].split("&") if pair]
        return {urllib.parse.unquote(name): urllib.parse.unquote(value) for name, _, value in pairs}


# How the libraries encode parameters.

def raw(pairs):
    """`key=value` without any encoding, as I2 and IL write forms."""
    return "&".join(f"{name}={value}" for name, value in pairs)


def foundation(pairs):
    """Foundation's URLComponents: a space is `%20`; `: / ? + @` stay."""
    return "&".join(f"{name}={urllib.parse.quote(value, safe=':/?+@!$()*,;~')}" for name, value in pairs)


def ktor(pairs):
    """Ktor: a space is `+`."""
    return "&".join(f"{name}={urllib.parse.quote_plus(value)}" for name, value in pairs)


def android(pairs):
    """Android's Uri and OkHttp's forms: a space is `%20`."""
    return "&".join(f"{name}={urllib.parse.quote(value, safe='')}" for name, value in pairs)


def shuffled(pairs):
    """Swift's dictionaries have no order."""
    pairs = list(pairs)
    random.shuffle(pairs)
    return pairs


def output(callback, name, default=None):
    """Returns an output of a callback."""
    for member in callback.get("output") or []:
        if member.get("name") == name:
            return member.get("value")
    return default


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


class Dialect:
    """What is common to the four SDKs. The subclasses have what differs."""

    name = ""
    # The shape of the discovery address that the app is configured with.
    shape = "realm"
    # Whether requests of a journey show the session as a header. All other requests do.
    header_in_journeys = False
    # Whether the app has cookies, and whether its store distinguishes paths.
    has_cookies, cookies_by_path = True, True
    # The headers that every request has: from the SDK, and from its networking library.
    marks, library = [], []
    # Whether a journey asks for the discovery document first.
    discovers_first = False
    good_statuses = range(200, 300)

    def __init__(self, settings):
        self.settings = settings
        self.session = None
        self.tokens = None
        self.document = None
        self.proof_key = None
        self.cookies = wire.CookieStore(self.cookies_by_path) if self.has_cookies else None

    def copied(self):
        """Returns the app as it is now, to go another way."""
        other = type(self)(self.settings)
        other.session, other.tokens, other.document = self.session, dict(self.tokens or {}) or None, self.document
        if self.cookies is not None:
            other.cookies = self.cookies.copy()
        return other

    def restarted(self):
        """Returns the app after a restart: session, tokens and cookies were stored, the discovery document was not."""
        other = self.copied()
        other.document = None
        return other

    def forget_session(self):
        """Deletes the session on the device only."""
        self.session = None
        if self.cookies is not None:
            self.cookies.clear()

    # Sending.

    def send(self, method, url, headers, body=None, cookie=STORED):
        """Sends a request. `cookie` is a `Cookie` header instead of the stored one; None sends none."""
        if cookie is STORED:
            cookie = self.cookies.header(url) if self.cookies is not None else None
        headers = headers + ([("Cookie", cookie)] if cookie else [])
        # The library adds only what the SDK has not set.
        names = {name.lower() for name, _ in headers}
        headers += [(name, value) for name, value in self.library if name.lower() not in names]
        answer = wire.send(method, url, headers, body)
        if self.cookies is not None:
            self.cookies.store(url, answer)
        return answer

    def session_header(self, session=STORED):
        session = self.session if session is STORED else session
        return [(self.settings.cookie, session)] if session else []

    def shown(self, session, shows):
        """Returns the session's header and the `cookie` of `send`, for a request that shows the session so."""
        session = self.session if session is STORED else session
        if shows is None:
            return self.session_header(session), STORED
        header = self.session_header(session) if "header" in shows else []
        return header, f"{self.settings.cookie}={session}" if "cookie" in shows and session else None

    def json_url(self, rest):
        return f"{self.settings.server}/json/realms/{self.settings.realm}/{rest}"

    def shown_in_journey(self, session, shows):
        if shows is None and not self.header_in_journeys:
            return [], STORED
        return self.shown(session, shows)

    # Discovery.

    def discovery_headers(self):
        return []

    def discover(self, shape=None):
        """Asks for the discovery document. Returns the answer."""
        return self.send("GET", self.settings.discovery()[shape or self.shape], self.discovery_headers())

    def read_discovery(self, answer):
        raise NotImplementedError

    def endpoint(self, member):
        """Returns the address of an endpoint, from the discovery document."""
        if self.document is None:
            self.document = self.read_discovery(self.discover())
        return self.document[member]

    # Journeys.

    def start_query(self, force, no_session):
        return []

    def step_query(self, force, no_session):
        return []

    def start_body(self):
        return b""

    def start_headers(self):
        raise NotImplementedError

    def step_headers(self):
        return self.start_headers()

    def step_members(self, node, callbacks):
        raise NotImplementedError

    def start_url(self, pairs):
        query = "&".join(f"{name}={urllib.parse.quote(value, safe='')}" for name, value in pairs)
        return self.json_url("authenticate") + (f"?{query}" if query else "")

    def start(self, journey, force=False, no_session=False, session=STORED, shows=None, cookie=STORED):
        """Starts a journey and returns its first node."""
        pairs = [("authIndexType", "service"), ("authIndexValue", journey)] + self.start_query(force, no_session)
        return self.begin(pairs, session, shows, cookie)

    def begin(self, pairs, session=STORED, shows=None, cookie=STORED):
        """Starts with the parameters `pairs`. I2 and A2 show the session as a header, IL and AL only as a cookie."""
        if self.discovers_first and self.settings.with_oidc:
            self.endpoint(ENDPOINTS[0])
        header, own_cookie = self.shown_in_journey(session, shows)
        cookie = own_cookie if cookie is STORED else cookie
        answer = self.send("POST", self.start_url(pairs), self.start_headers() + header, self.start_body(), cookie)
        return self.received(answer)

    def resume(self, suspended):
        """Continues a suspended journey, as after a link in an email."""
        return self.begin([("suspendedId", suspended)] + self.resume_query())

    def resume_query(self):
        return []

    def next(self, node, force=False, no_session=False, members=None, query=None):
        """Sends the node back with its inputs and returns the next node. `members` and `query` are additions."""
        callbacks = [callback for callback in node.callbacks if self.is_sent(callback)]
        body = {**self.step_members(node, callbacks), **(members or {})}
        pairs = self.step_query(force, no_session) + list((query or {}).items())
        header, cookie = self.shown_in_journey(STORED, None)
        content = json.dumps(body, separators=(",", ":")).encode()
        return self.received(self.send("POST", self.start_url(pairs), self.step_headers() + header, content, cookie))

    def received(self, answer):
        node = self.read_node(answer)
        if node.kind == "success" and node.data.get("tokenId"):
            self.session = node.data["tokenId"]
        for callback in node.callbacks:
            self.read_callback(callback)
        return node

    def is_sent(self, callback):
        """Whether the SDK sends the callback back."""
        return True

    def read_node(self, answer):
        raise NotImplementedError

    def read_callback(self, callback):
        """Fails where the SDK's parser fails."""
        names = [member.get("name") for member in callback.get("output") or []]
        if callback["type"] == "DeviceBindingCallback" and "attestation" in names:
            if names.index("challenge") > names.index("attestation"):
                raise Refused("the challenge comes after the attestation")

    def known(self, data, strict):
        """Returns the members with the callbacks that the SDK knows."""
        callbacks = data.get("callbacks") or []
        found = [callback for callback in callbacks if callback.get("type") in CALLBACKS]
        if strict and len(found) < len(callbacks):
            raise Refused(f"a callback is unknown: {[callback.get('type') for callback in callbacks]}")
        return {**data, "callbacks": found}

    # Inputs.

    def input(self, callback, suffix, position, value):
        """Fills an input: Android by position, iOS by the end of its name."""
        inputs = callback.get("input") or []
        if self.name in ("A2", "AL"):
            if position >= len(inputs):
                raise Refused(f"{callback['type']} has no input {position + 1}")
            inputs[position]["value"] = value
            return
        for member in inputs:
            if member.get("name", "").endswith(suffix):
                member["value"] = value
                return
        raise Refused(f"{callback['type']} has no input “…{suffix}”")

    def bind(self, callback, key):
        """Answers a DeviceBindingCallback: makes and signs the message for this key."""
        user, challenge = output(callback, "userId"), output(callback, "challenge")
        for name in ("userId", "username", "authenticationType", "challenge", "title", "subtitle", "description"):
            if not isinstance(output(callback, name), str):
                raise Refused(f"the output {name} of DeviceBindingCallback is no text")
        if len(base64.b64decode(challenge, validate=True)) != 32:
            raise Refused("the challenge is not Base64 of 32 bytes")
        message = signing.bind_message(
            self.name, key, user, challenge, output(callback, "timeout", 60), self.settings.bundle)
        self.input(callback, "jws", 0, message)
        self.input(callback, "deviceName", 1, f"Phone {self.name}")
        self.input(callback, "deviceId", 2, str(uuid.uuid5(uuid.NAMESPACE_DNS, self.name)).upper())

    def sign(self, callback, key, user_id):
        """Answers a DeviceSigningVerifierCallback. `user_id` is what the app stored with the key."""
        user = output(callback, "userId") or user_id
        message = signing.sign_message(
            self.name, key, user, output(callback, "challenge"), output(callback, "timeout", 60), self.settings.bundle)
        self.input(callback, "jws", 0, message)

    def choose(self, callback, index):
        """Answers a ChoiceCallback. None leaves the default as it is."""
        callback["input"][0]["value"] = output(callback, "defaultChoice", 0) if index is None else index

    # Authorization.

    authorize_encoding = staticmethod(android)

    def make_verifier(self):
        return signing.base64url(secrets.token_bytes(64))

    def make_state(self):
        return signing.base64url(secrets.token_bytes(16))

    def authorize_pairs(self, client, redirect, scope, state, challenge, extra):
        raise NotImplementedError

    def authorize_headers(self):
        raise NotImplementedError

    def scope(self):
        return " ".join(self.settings.scopes)

    def authorize(self, client=None, redirect=None, state=STORED, session=STORED, shows=None, pkce=True, encoding=None,
                  headers=None):
        """Asks for a code with the session. The parameters replace what the SDK sends by itself."""
        client, redirect = client or self.settings.app, redirect or self.settings.redirect
        state = self.make_state() if state is STORED else state
        verifier = self.make_verifier() if pkce else None
        challenge = signing.base64url(hashlib.sha256(verifier.encode()).digest()) if pkce else None
        pairs = self.authorize_pairs(client, redirect, self.scope(), state, challenge, [])
        pairs = [(name, value) for name, value in pairs if value is not None]
        if not pkce:
            pairs = [(name, value) for name, value in pairs if not name.startswith("code_challenge")]
        url = self.endpoint("authorization_endpoint") + "?" + (encoding or self.authorize_encoding)(pairs)
        header, cookie = self.shown(session, shows)
        answer = self.send("GET", url, header + (headers or []) + self.authorize_headers(), None, cookie)
        return Authorization(answer, client, redirect, state, verifier)

    def read_code(self, authorization):
        """Returns the code. What the SDK does not accept raises `Refused`."""
        raise NotImplementedError

    # Tokens.

    form_encoding = staticmethod(android)

    def form_headers(self):
        raise NotImplementedError

    def post_form(self, member, pairs, encoding=None):
        body = (encoding or self.form_encoding)(pairs).encode()
        return self.send_proved("POST", self.endpoint(member), self.form_headers(), body)

    def send_proved(self, method, url, headers, body=None, token=None):
        """Sends a request: with a DPoP proof, which no SDK sends, if a scenario has set `proof_key`."""
        if self.proof_key is None:
            return self.send(method, url, headers, body)
        nonce = None
        for _ in range(2):
            proof = signing.proof(self.proof_key, method, url, token, nonce)
            answer = self.send(method, url, headers + [("DPoP", proof)], body)
            nonce = answer.header("DPoP-Nonce")
            if answer.object().get("error") != "use_dpop_nonce":
                break
        return answer

    def exchange(self, authorization, code, client=None, verifier=None, redirect=None, encoding=None):
        """Exchanges a code for tokens. Returns the answer."""
        pairs = [("grant_type", "authorization_code"), ("code", code),
                 ("redirect_uri", redirect or authorization.redirect), ("client_id", client or authorization.client),
                 ("code_verifier", verifier or authorization.verifier)]
        return self.post_form("token_endpoint", pairs, encoding)

    def refresh_pairs(self, token):
        raise NotImplementedError

    def refresh(self, token=None, encoding=None):
        """Refreshes the tokens, or those of `token`. Returns the answer."""
        return self.post_form("token_endpoint", self.refresh_pairs(token or self.tokens["refresh_token"]), encoding)

    def read_tokens(self, answer):
        """Returns the tokens of an answer as the SDK stores them."""
        raise NotImplementedError

    def store_refreshed(self, answer):
        """Stores the answer to a refresh. IL and AL keep the old refresh token if there is no new one."""
        tokens = self.read_tokens(answer)
        old = (self.tokens or {}).get("refresh_token")
        if self.name in ("IL", "AL") and "refresh_token" not in tokens and old:
            tokens["refresh_token"] = old
        self.tokens = tokens

    def obtain_tokens(self):
        """Authorizes and exchanges the code, as the SDK does after a journey."""
        authorization = self.authorize()
        self.tokens = self.read_tokens(self.exchange(authorization, self.read_code(authorization)))
        return self.tokens

    def revoke(self, token=None):
        """Revokes a token: by default the refresh token, else the access token. Returns the answer."""
        token = token or self.tokens.get("refresh_token") or self.tokens["access_token"]
        return self.post_form("revocation_endpoint", [("token", token), ("client_id", self.settings.app)])

    def user_refresh(self):
        """What the SDK does when the app itself asks for new tokens. Returns the answers of refresh and revoke."""
        answer = self.refresh()
        self.store_refreshed(answer)
        return answer, None

    def userinfo_headers(self):
        return []

    def scheme(self):
        """Returns the scheme with which the SDK sends its access token."""
        return "Bearer"

    def userinfo(self, token=STORED, scheme=None):
        """Asks for the user's claims. Without a token there is no `Authorization`. Returns the answer."""
        token = (self.tokens or {}).get("access_token") if token is STORED else token
        headers = [("Authorization", f"{scheme or self.scheme()} {token}")] if token else []
        headers += self.userinfo_headers()
        return self.send_proved("GET", self.endpoint("userinfo_endpoint"), headers, token=token)

    def read_userinfo(self, answer):
        if answer.status not in self.good_statuses or not isinstance(answer.json(), dict):
            raise Refused(f"user info needs {self.good_statuses} and a JSON object: {answer}")
        return answer.json()

    def end_session(self, id_token, cookie=STORED):
        """Ends the session that the ID token names. Returns the answer."""
        query = "?" + self.authorize_encoding([("id_token_hint", id_token), ("client_id", self.settings.app)])
        url = self.endpoint("end_session_endpoint") + query
        return self.send("GET", url, [("Accept", JSON)] + self.marks, None, cookie)

    # The session.

    def logout_request(self, session):
        """Returns headers and body of the logout of a session."""
        raise NotImplementedError

    def logout_session(self, session=STORED, cookie=STORED, body=None, headers=None):
        """Logs a session out, shown by header. Returns the answer."""
        session = self.session if session is STORED else session
        own_headers, own_body = self.logout_request(session)
        return self.send("POST", self.json_url("sessions?_action=logout"),
                         self.session_header(session) + (own_headers if headers is None else headers),
                         own_body if body is None else body, cookie)

    def logout(self):
        """Logs the user out as the SDK does. Returns the answers to the logout of the session and to the revoke."""
        answers = {}
        session, tokens = self.session, self.tokens
        self.forget_session()
        revoking = threading.Thread(target=lambda: answers.update(revoke=self.revoke()))
        if tokens:
            revoking.start()
            if not self.revokes_in_background():
                revoking.join()
        answers["session"] = self.logout_session(session)
        if tokens:
            revoking.join()
        self.tokens = None
        return answers["session"], answers.get("revoke")

    def revokes_in_background(self):
        return False

    def info_request(self):
        raise NotImplementedError

    def session_info(self, session=STORED, shows=None, cookie=STORED):
        """Asks for the session's user. Returns the answer."""
        headers, body = self.info_request()
        header, own_cookie = self.shown(session, shows)
        cookie = own_cookie if cookie is STORED else cookie
        return self.send("POST", self.json_url("sessions?_action=getSessionInfo"), header + headers, body, cookie)

    def read_info(self, answer):
        """Returns the six texts that the SDKs require."""
        found = answer.json()
        if answer.status not in self.good_statuses or not isinstance(found, dict):
            raise Refused(f"getSessionInfo needs {self.good_statuses} and a JSON object: {answer}")
        for name in ("username", "universalId", "realm", "latestAccessTime", "maxIdleExpirationTime",
                     "maxSessionExpirationTime"):
            if not isinstance(found.get(name), str):
                raise Refused(f"{name} of getSessionInfo is no text: {answer}")
        return found

    # Devices.

    def device_headers(self):
        return [("Accept-API-Version", "resource=1.0")] + self.marks

    def device_url(self, username, kind, identifier=None):
        return self.json_url(f"users/{username}/devices/{kind}" + (f"/{identifier}" if identifier else ""))

    def list_devices(self, username, kind, session=STORED):
        header, cookie = self.shown(session, None)
        url = self.device_url(username, kind) + "?_queryFilter=true"
        return self.send("GET", url, header + self.device_headers(), None, cookie)

    def put_device(self, username, kind, device, if_match=None):
        """Changes a device. `if_match` replaces the SDK's own choice of `If-Match: *`."""
        if_match = self.matches(kind) if if_match is None else if_match
        header, cookie = self.shown(STORED, None)
        headers = header + self.device_headers() + ([("If-Match", "*")] if if_match else [])
        if ("Content-Type", JSON) not in headers:
            headers.append(("Content-Type", JSON))
        content = json.dumps(self.put_members(device)).encode()
        return self.send("PUT", self.device_url(username, kind, device["_id"]), headers, content, cookie)

    def matches(self, kind):
        return kind in ("2fa/push", "2fa/oath")

    def put_members(self, device):
        return device

    def delete_device(self, username, kind, identifier, body=None):
        header, cookie = self.shown(STORED, None)
        headers = header + self.device_headers()
        if body is not None and ("Content-Type", JSON) not in headers:
            headers.append(("Content-Type", JSON))
        return self.send("DELETE", self.device_url(username, kind, identifier), headers, body, cookie)

    def read_changed(self, answer):
        """Accepts the answer to PUT or DELETE: exactly 200 with JSON."""
        if answer.status != 200 or not isinstance(answer.json(), dict):
            raise Refused(f"not 200 with a JSON object: {answer}")
        return answer.json()
