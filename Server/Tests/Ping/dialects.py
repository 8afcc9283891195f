"""What four SDKs of Ping send, and what they accept.

| name | SDK |
|---|---|
| `I2` | ping-ios-sdk 2.x |
| `A2` | ping-android-sdk 2.x |
| `IL` | forgerock-ios-sdk 4.x |
| `AL` | forgerock-android-sdk 4.x |

An object of these classes is one app on one device: it has a session, tokens and cookies. A method that sends returns
the server's `Answer`. A method `read_…` does with an answer what the SDK does, and raises `Refused` where the SDK would
fail. Nothing here was taken from another implementation; all facts come from Ping's published sources, by description.
"""

import json
import secrets
import threading
import urllib.parse
import uuid

from dialect import ENDPOINTS, FORM, JSON, LETTERS, STORED, Dialect, Node, Refused, foundation, is_integer, ktor, \
    output, raw, shuffled


class I2(Dialect):
    """ping-ios-sdk 2.x."""

    name = "I2"
    shape = "realm"
    # URLSession keeps cookies by itself, so a request may have header and cookie.
    header_in_journeys = True
    library = [("Accept", "*/*"), ("Accept-Encoding", "gzip, deflate"), ("Accept-Language", "en-GB,en;q=0.9"),
               ("User-Agent", "App/1 CFNetwork/1490.0.4 Darwin/23.2.0"), ("Connection", "keep-alive")]
    discovers_first = True
    good_statuses = (200,)
    authorize_encoding = staticmethod(foundation)
    ping = [("x-requested-with", "ping-sdk"), ("x-requested-platform", "ios")]

    def discovery_headers(self):
        return [("Content-Type", JSON)]

    def read_discovery(self, answer):
        found = answer.json()
        if answer.status != 200 or not isinstance(found, dict):
            raise Refused(f"discovery needs exactly 200 and a JSON object: {answer}")
        for member in ENDPOINTS:
            if not isinstance(found.get(member), str):
                raise Refused(f"the discovery document has no text {member}: no journey starts")
        return found

    def start_query(self, force, no_session):
        return [("ForceAuth", "true")] * force + [("noSession", "true")] * no_session

    def step_query(self, force, no_session):
        return [("noSession", "true" if no_session else "false"), ("ForceAuth", "true" if force else "false")]

    def start_body(self):
        return b"{}"

    def start_headers(self):
        return [("Accept-API-Version", "resource=2.1, protocol=1.0"), ("Content-Type", JSON)] + self.ping

    def step_members(self, node, callbacks):
        return {"authId": node.data["authId"], "callbacks": callbacks}

    def is_sent(self, callback):
        if callback["type"] == "TextOutputCallback":
            return str(output(callback, "messageType")) != "4"
        return callback["type"] != "MetadataCallback"

    def read_node(self, answer):
        found = answer.json()
        if 400 <= answer.status < 500 and isinstance(found, dict):
            return Node("error", answer, found)
        if answer.status != 200 or not isinstance(found, dict):
            return Node("failure", answer, {})
        return Node("continue" if "authId" in found else "success", answer, self.known(found, strict=False))

    def make_state(self):
        return str(uuid.uuid4()).upper()

    def scope(self):
        return " ".join(shuffled(self.settings.scopes))

    def authorize_pairs(self, client, redirect, scope, state, challenge, extra):
        return shuffled([
            ("client_id", client), ("response_type", "code"), ("scope", scope), ("redirect_uri", redirect),
            ("state", state), ("code_challenge", challenge), ("code_challenge_method", "S256")] + extra)

    def authorize_headers(self):
        return [("Accept-API-Version", "resource=2.1, protocol=1.0"), ("Content-Type", JSON)]

    def read_code(self, authorization):
        if authorization.answer.status != 302:
            raise Refused(f"/authorize needs exactly 302: {authorization.answer}")
        code = authorization.parameters().get("code")
        if not code:
            raise Refused(f"“Code not found in redirect”: {authorization.answer}")
        return code

    def form_encoding(self, pairs):
        return raw(shuffled(pairs))

    def form_headers(self):
        return [("Content-Type", FORM)]

    def refresh_pairs(self, token):
        return [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", self.settings.app)]

    def read_tokens(self, answer):
        found = answer.json()
        if answer.status != 200 or not isinstance(found, dict):
            raise Refused(f"tokens need exactly 200 and a JSON object: {answer}")
        if not isinstance(found.get("access_token"), str) or not is_integer(found.get("expires_in")):
            raise Refused(f"tokens need the text access_token and the integer expires_in: {answer}")
        for member in ("token_type", "scope", "refresh_token", "id_token"):
            if not isinstance(found.get(member, ""), (str, type(None))):
                raise Refused(f"{member} is no text: {answer}")
        if not is_integer(found.get("expires_at", 0)):
            raise Refused(f"expires_at is no integer: {answer}")
        return found

    def logout_request(self, session):
        return [("Accept-API-Version", "resource=3.1, protocol=1.0"), ("Content-Type", JSON)], b"{}"

    def info_request(self):
        return [("Accept-API-Version", "resource=2.1")], None


class A2(Dialect):
    """ping-android-sdk 2.x."""

    name = "A2"
    shape = "query"
    has_cookies = False
    header_in_journeys = True
    marks = [("x-requested-with", "ping-sdk"), ("x-requested-platform", "android")]
    library = [("Accept", "*/*"), ("Accept-Charset", "UTF-8"), ("User-Agent", "Ktor client")]
    discovers_first = True
    authorize_encoding = staticmethod(ktor)
    form_encoding = staticmethod(ktor)

    def discovery_headers(self):
        return list(self.marks)

    def read_discovery(self, answer):
        found = answer.json()
        if answer.status not in range(200, 300) or not isinstance(found, dict):
            raise Refused(f"discovery needs 2xx and a JSON object: {answer}")
        return {**dict.fromkeys(ENDPOINTS, ""), **found}

    def start_query(self, force, no_session):
        return [("ForceAuth", "true" if force else "false"), ("noSession", "true" if no_session else "false")]

    def step_query(self, force, no_session):
        return [("noSession", "true" if no_session else "false")]

    def resume_query(self):
        return self.start_query(False, False)

    def start_body(self):
        return b"{}"

    def start_headers(self):
        # In some locales the SDK writes the quality with a comma.
        return [("Accept-API-Version", "resource=2.1, protocol=1.0"), ("Content-Type", JSON),
                ("Accept-Language", "de-CH, de;q=0,9, en;q=0,8")] + self.marks

    def step_members(self, node, callbacks):
        return {**node.data, "callbacks": callbacks}

    def read_node(self, answer):
        found = answer.json()
        if answer.status == 200 and isinstance(found, dict):
            return Node("continue" if "authId" in found else "success", answer, self.known(found, strict=False))
        if 400 <= answer.status < 600 and isinstance(found, dict):
            return Node("failure" if str(found.get("code")) == "1999" else "error", answer, found)
        return Node("failure", answer, {})

    def make_state(self):
        # The SDK sends a state only if the app sets one.
        return None

    def authorize_pairs(self, client, redirect, scope, state, challenge, extra):
        return [("client_id", client), ("response_type", "code"), ("scope", scope), ("redirect_uri", redirect),
                ("code_challenge", challenge), ("code_challenge_method", "S256")] + extra + [("state", state)]

    def authorize_headers(self):
        return [("Accept-API-Version", "resource=2.1, protocol=1.0")] + self.marks

    def read_code(self, authorization):
        code = authorization.parameters().get("code")
        if authorization.answer.status != 302 or not code:
            self.session = None
            raise Refused(f"“Authorize failed, session is discarded”: {authorization.answer}")
        return code

    def form_headers(self):
        return [("Content-Type", FORM + "; charset=UTF-8")] + self.marks

    def refresh_pairs(self, token):
        return [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", self.settings.app),
                ("response_type", "code")]

    def read_tokens(self, answer):
        found = answer.json()
        if answer.status not in range(200, 300) or not isinstance(found, dict):
            raise Refused(f"tokens need 2xx and a JSON object: {answer}")
        return found

    def user_refresh(self):
        revoked = self.revoke(self.tokens["access_token"])
        answer = self.refresh()
        self.store_refreshed(answer)
        return answer, revoked

    def userinfo_headers(self):
        return list(self.marks)

    def logout_request(self, session):
        return [("Accept-API-Version", "resource=3.1, protocol=1.0"), ("Content-Type", JSON)] + self.marks, b"{}"

    def info_request(self):
        return [("Accept-API-Version", "resource=2.1, protocol=1.0"), ("Content-Type", JSON)] + self.marks, b"{}"

    def matches(self, kind):
        return True

    def delete_device(self, username, kind, identifier, body=b"{}"):
        return super().delete_device(username, kind, identifier, body)


class Legacy(Dialect):
    """What forgerock-ios-sdk and forgerock-android-sdk have in common: their own addresses, and cookies."""

    def endpoint(self, member):
        """Builds the address from the server's URL and the realm, as the SDKs do without discovery."""
        ends = {"authorization_endpoint": "authorize", "token_endpoint": "access_token",
                "userinfo_endpoint": "userinfo", "end_session_endpoint": "connect/endSession",
                "revocation_endpoint": "token/revoke"}
        return f"{self.settings.server}/oauth2/realms/{self.settings.realm}/{ends[member]}"

    def unbind(self, universal_id, kid, cookie=STORED):
        """Removes a bound key at the server, with the whole universal id. The session comes only by cookie."""
        url = self.device_url(self.path_segment(universal_id), "2fa/binding", self.path_segment(kid))
        return self.send("DELETE", url, self.device_headers(), None, cookie)

    def path_segment(self, text):
        raise NotImplementedError


class IL(Legacy):
    """forgerock-ios-sdk 4.x."""

    name = "IL"
    shape = "long"
    cookies_by_path = False
    marks = [("x-requested-with", "forgerock-sdk"), ("x-requested-platform", "ios")]
    library = [("Accept", "*/*"), ("Accept-Encoding", "gzip, deflate"), ("Accept-Language", "en-GB,en;q=0.9"),
               ("User-Agent", "App/1 CFNetwork/1490.0.4 Darwin/23.2.0"), ("Connection", "keep-alive")]
    good_statuses = range(200, 303)
    authorize_encoding = staticmethod(foundation)
    form_encoding = staticmethod(raw)

    def read_discovery(self, answer):
        if not isinstance(answer.json(), dict):
            raise Refused(f"discovery needs a JSON object: {answer}")
        return answer.json()

    def start_headers(self):
        return [("Accept-API-Version", "resource=2.1,protocol=1.0"), ("Content-Type", JSON)] + self.marks

    def step_members(self, node, callbacks):
        members = {name: node.data[name] for name in ("authId", "stage", "header", "description") if name in node.data}
        return {**members, "callbacks": callbacks}

    def is_sent(self, callback):
        return callback["type"] != "TextOutputCallback" or str(output(callback, "messageType")) in "0123"

    def read_body(self, answer):
        """Returns the JSON object of a good answer; an empty body counts as an empty one."""
        if answer.body and not isinstance(answer.json(), dict):
            raise Refused(f"the body is neither empty nor a JSON object: {answer}")
        return answer.object()

    def read_node(self, answer):
        found = self.read_body(answer)
        if answer.status not in range(200, 303):
            return Node("error", answer, found)
        return Node("continue" if "authId" in found else "success", answer, self.known(found, strict=True))

    def choose(self, callback, index):
        # The untouched default is sent as a text, a choice as an integer.
        callback["input"][0]["value"] = str(output(callback, "defaultChoice", 0)) if index is None else index

    def make_state(self):
        return "".join(secrets.choice(LETTERS) for _ in range(32))

    def make_verifier(self):
        return "".join(secrets.choice(LETTERS) for _ in range(43))

    def authorize_pairs(self, client, redirect, scope, state, challenge, extra):
        return [("response_type", "code"), ("client_id", client), ("scope", scope), ("redirect_uri", redirect),
                ("state", state), ("code_challenge", challenge), ("code_challenge_method", "S256")] + extra

    def authorize_headers(self):
        return [("Accept-API-Version", "resource=2.1,protocol=1.0"), ("Content-Type", FORM)] + self.marks

    def read_code(self, authorization):
        answer, parameters = authorization.answer, authorization.parameters()
        self.read_body(answer)
        if answer.status in range(200, 303) and answer.header("Location"):
            if parameters.get("state") != authorization.state:
                raise Refused(f"the state is not {authorization.state}: {answer}")
            if "code" in parameters:
                return parameters["code"]
        self.forget_session()
        self.tokens = None
        raise Refused(f"“user authentication required”: {answer}")

    def form_headers(self):
        version = [("accept-api-version", "resource=2.1,protocol=1.0")]
        return version + [("Accept", JSON), ("Content-Type", FORM)] + self.marks

    def refresh_pairs(self, token):
        return [("response_type", "token"), ("client_id", self.settings.app), ("scope", self.scope()),
                ("grant_type", "refresh_token"), ("refresh_token", token)]

    def read_tokens(self, answer):
        found = self.read_body(answer)
        if answer.status not in range(200, 303):
            raise Refused(f"no tokens: {answer}")
        if not isinstance(found.get("access_token"), str) or not is_integer(found.get("expires_in")) \
                or not isinstance(found.get("token_type"), str):
            raise Refused(f"tokens need the texts access_token and token_type and the integer expires_in: {answer}")
        return found

    def user_refresh(self):
        old = self.tokens["access_token"]
        answer = self.refresh()
        self.store_refreshed(answer)
        return answer, self.revoke(old)

    def scheme(self):
        # The type of the token comes verbatim before the token.
        return (self.tokens or {}).get("token_type", "Bearer")

    def userinfo_headers(self):
        return [("accept-api-version", "resource=2.1,protocol=1.0")] + self.marks

    def logout_request(self, session):
        body = json.dumps({"tokenId": session}, separators=(",", ":")).encode()
        return [("accept-api-version", "resource=3.1"), ("Content-Type", JSON)] + self.marks, body

    def revokes_in_background(self):
        return True

    def info_request(self):
        return [("Accept-API-Version", "resource=2.1"), ("Content-Type", JSON)] + self.marks, None

    def device_headers(self):
        return [("Accept-API-Version", "resource=1.0"), ("Content-Type", JSON)] + self.marks

    def path_segment(self, text):
        return text


class AL(Legacy):
    """forgerock-android-sdk 4.x."""

    name = "AL"
    shape = "realms"
    marks = [("x-requested-with", "forgerock-sdk"), ("x-requested-platform", "android")]
    library = [("Connection", "Keep-Alive"), ("Accept-Encoding", "gzip"), ("User-Agent", "okhttp/4.12.0")]
    version = [("Accept-API-Version", "resource=2.1, protocol=1.0")]

    def discovery_headers(self):
        return list(self.marks)

    def read_discovery(self, answer):
        found = answer.json()
        if answer.status not in range(200, 300) or not isinstance(found, dict):
            raise Refused(f"discovery needs 2xx and a JSON object: {answer}")
        for member in ("issuer",) + ENDPOINTS:
            if not isinstance(found.get(member), str):
                raise Refused(f"the discovery document has no text {member}")
        return found

    def start_headers(self):
        return self.version + self.marks

    def step_headers(self):
        return self.version + [("Content-Type", JSON + "; charset=utf-8")] + self.marks

    def step_members(self, node, callbacks):
        members = {name: node.data[name] for name in ("authId", "stage") if name in node.data}
        return {**members, "callbacks": callbacks}

    def read_callback(self, callback):
        super().read_callback(callback)
        name = {"TextOutputCallback": "messageType", "PollingWaitCallback": "waitTime"}.get(callback["type"])
        if name and not isinstance(output(callback, name), str):
            raise Refused(f"{name} of {callback['type']} is no text")

    def read_node(self, answer):
        found = answer.json()
        if answer.status not in range(200, 300):
            return Node("error", answer, found if isinstance(found, dict) else {})
        if not isinstance(found, dict):
            raise Refused(f"a step needs a JSON object: {answer}")
        return Node("continue" if "authId" in found else "success", answer, self.known(found, strict=True))

    def authorize_pairs(self, client, redirect, scope, state, challenge, extra):
        return extra + [("client_id", client), ("scope", scope), ("response_type", "code"), ("redirect_uri", redirect),
                        ("code_challenge", challenge), ("code_challenge_method", "S256"), ("state", state)]

    def authorize_headers(self):
        return self.version + self.marks

    def read_code(self, authorization):
        answer, parameters = authorization.answer, authorization.parameters()
        if answer.status in (300, 301, 302, 303, 307, 308):
            if parameters.get("state") != authorization.state:
                raise Refused(f"the state is not {authorization.state}: {answer}")
            if "code" in parameters:
                return parameters["code"]
        self.session = None
        raise Refused(f"AuthenticationRequiredException: {answer}")

    def form_headers(self):
        return self.version + [("Content-Type", FORM)] + self.marks

    def refresh_pairs(self, token):
        return [("scope", self.scope()), ("client_id", self.settings.app), ("grant_type", "refresh_token"),
                ("response_type", "code"), ("refresh_token", token)]

    def read_tokens(self, answer):
        found = answer.json()
        if answer.status not in range(200, 300) or not isinstance(found, dict):
            raise Refused(f"tokens need 2xx and a JSON object: {answer}")
        if not isinstance(found.get("access_token"), str):
            raise Refused(f"tokens need the text access_token: {answer}")
        return found

    def user_refresh(self):
        answers = {}
        old = self.tokens["access_token"]
        revoking = threading.Thread(target=lambda: answers.update(revoke=self.revoke(old)))
        revoking.start()
        answer = self.refresh()
        revoking.join()
        self.store_refreshed(answer)
        return answer, answers["revoke"]

    def userinfo_headers(self):
        return list(self.marks)

    def logout_request(self, session):
        return [("Accept-API-Version", "resource=3.1, protocol=1.0")] + self.marks, b""

    def revokes_in_background(self):
        return True

    def info_request(self):
        return [("Accept-API-Version", "resource=2.1"), ("Content-Type", JSON)] + self.marks, b""

    def put_members(self, device):
        return {**device, "urlSuffix": "devices/2fa/binding", "type": "bindingDevice"}

    def read_changed(self, answer):
        if answer.status not in range(200, 300):
            raise Refused(f"not 2xx: {answer}")
        return answer.object()

    def path_segment(self, text):
        return urllib.parse.quote(text, safe="")


DIALECTS = {dialect.name: dialect for dialect in (I2, A2, IL, AL)}
