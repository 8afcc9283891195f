"""One scenario with one SDK of Ping: its apps and users, and what it expects."""

import base64
import json
import re
import threading

import signing
from dialect import JSON, Refused, Settings, output
from dialects import DIALECTS

URL_SAFE = re.compile(r"[A-Za-z0-9._-]+")
SCENARIOS = []


class Stop(Exception):
    """Ends a scenario at an expectation without which the rest makes no sense."""


def scenario(point, dialects=("I2", "A2", "IL", "AL"), journeys=(), provider=False, option=None):
    """Adds a scenario: the point of the list, the SDKs that have the request, and what the scenario needs."""
    def add(function):
        SCENARIOS.append((point, function, dialects, journeys, provider, option))
        return function
    return add


def together(*calls):
    """Makes the calls at the same time and returns their results."""
    results = [None] * len(calls)

    def run(index):
        try:
            results[index] = calls[index]()
        except Exception as error:
            results[index] = error
    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results


class Check:
    """One scenario with one SDK."""

    standing = {}
    keys = {}

    def __init__(self, dialect, options, settings):
        self.dialect = dialect
        self.options = options
        self.settings = settings
        self.problems = []

    # Expectations.

    def expect(self, condition, expected, came):
        if not condition:
            self.problems.append(f"expected {expected}, got {came}")
        return bool(condition)

    def require(self, condition, expected, came):
        if not self.expect(condition, expected, came):
            raise Stop

    def is_json(self, answer):
        return (answer.header("Content-Type") or "").split(";")[0].strip().lower() == JSON

    def expect_json(self, answer):
        kind = answer.header("Content-Type")
        self.expect(self.is_json(answer), "Content-Type application/json", f"{kind} at {answer}")

    def expect_am_error(self, answer, statuses, message=None, what=""):
        """The answer is an error in AM's form: code, reason and message."""
        found = answer.object()
        fits = (answer.status in statuses and self.is_json(answer)
                and set(found) - {"detail"} == {"code", "reason", "message"} and found["code"] == answer.status
                and isinstance(found["reason"], str) and found["message"] == (message or str(found["message"])))
        self.expect(fits, f'{what} {one_of(statuses)} and JSON {{"code","reason","message"}} with this code'
                    + (f" and the message {message}" if message else ""), answer)

    def expect_oauth_error(self, answer, statuses, errors=None, what=""):
        """The answer is an error of OAuth: error and error_description, and nothing else. It is no redirect."""
        found = answer.object()
        fits = (answer.status in statuses and self.is_json(answer) and answer.header("Location") is None
                and set(found) == {"error", "error_description"}
                and all(isinstance(text, str) for text in found.values())
                and found["error"] in (errors or (found["error"],)))
        self.expect(fits, f'{what} {one_of(statuses)} and JSON {{"error","error_description"}} without another member'
                    + (f", error {one_of(errors)}" if errors else ""), answer)

    # Apps.

    def app(self, client=None, with_oidc=None):
        """Returns a freshly installed app."""
        settings = self.settings
        return DIALECTS[self.dialect](Settings(
            settings.server, settings.realm, client or settings.app, settings.redirect, settings.scopes,
            settings.cookie, settings.bundle, settings.with_oidc if with_oidc is None else with_oidc))

    def person(self, number=1):
        if number == 1:
            return self.options.user, self.options.password
        return self.options.second_user, self.options.second_password

    def fill(self, app, node, number=1, key=None, user_id=None, password=None):
        """Answers the callbacks of a node that the SDK's user or key answers."""
        name, own_password = self.person(number)
        for callback in node.callbacks:
            kind = callback["type"]
            if kind == "NameCallback":
                callback["input"][0]["value"] = name
            elif kind == "PasswordCallback":
                callback["input"][0]["value"] = password or own_password
            elif kind == "DeviceBindingCallback":
                app.bind(callback, key)
            elif kind == "DeviceSigningVerifierCallback":
                app.sign(callback, key, user_id)

    def walk(self, app, node, number=1, until=None, force=False, no_session=False, **inputs):
        """Answers nodes until the journey ends or a callback of the type `until` is asked. Returns that node."""
        for _ in range(12):
            if node.kind != "continue" or (until and node.callback(until)):
                return node
            self.fill(app, node, number, **inputs)
            node = app.next(node, force=force, no_session=no_session)
        raise Refused(f"the journey does not end: {node}")

    def journey(self, app, name, number=1, **inputs):
        """Walks a journey to its end and returns the last node."""
        flags = {flag: inputs[flag] for flag in ("force", "no_session") if flag in inputs}
        return self.walk(app, app.start(name, **flags), number, **inputs)

    def login(self, app=None, number=1):
        """Logs in as after the deletion of the session on the device: the server begins another session."""
        app = app or self.app()
        app.forget_session()
        node = self.journey(app, "login", number)
        self.require(node.kind == "success" and app.session, "a session after the right password", node)
        return app

    def standing_login(self):
        """Returns a copy of an app that stays logged in. Its scenarios end neither session nor tokens."""
        if self.dialect not in Check.standing:
            Check.standing[self.dialect] = self.login()
        return Check.standing[self.dialect].copied()

    def signed_in(self):
        """Returns an app with a session and tokens of its own."""
        app = self.login()
        app.obtain_tokens()
        return app

    def bound(self, app, number=1, kid=None, key=None):
        """Binds a key by the journey `bind`. Returns the key and the universal id."""
        key = key or signing.new_key(self.dialect, kid)
        node = self.walk(app, app.start("bind"), number, until="DeviceBindingCallback")
        self.require(node.kind == "continue", "DeviceBindingCallback in the journey bind", node)
        user_id = output(node.callback("DeviceBindingCallback"), "userId")
        node = self.walk(app, node, number, key=key)
        self.require(node.kind == "success", "success of the journey bind", node)
        return key, user_id

    def username(self, app, session=None):
        info = app.read_info(app.session_info(*([session] if session else [])))
        return info["username"]

    def alive(self, session):
        """Whether the server still knows the session."""
        return self.app(with_oidc=False).session_info(session, shows=("header",)).status == 200

    def clean_up(self, app, *kids):
        """Removes keys of the app's user."""
        name = self.username(app)
        for kid in kids:
            app.delete_device(name, "2fa/binding", kid)

    def expect_tokens(self, answer, what):
        """The answer has all members that the SDKs need."""
        self.expect(answer.status == 200, f"{what}: status 200", answer)
        self.expect_json(answer)
        found = answer.object()
        for member in ("access_token", "refresh_token", "id_token", "scope"):
            self.expect(isinstance(found.get(member), str) and found.get(member), f"{what}: the text {member}", answer)
        lives = found.get("expires_in")
        self.expect(isinstance(lives, int) and not isinstance(lives, bool) and lives > 0,
                    f"{what}: a positive integer expires_in", repr(lives))
        self.expect(found.get("token_type") == "Bearer", f"{what}: token_type Bearer", found.get("token_type"))
        self.expect("expires_at" not in found, f"{what}: no expires_at", answer)
        for member in ("access_token", "refresh_token", "id_token"):
            if isinstance(found.get(member), str):
                self.expect(URL_SAFE.fullmatch(found[member]), f"{what}: only A-Z a-z 0-9 - _ . in {member}",
                            found[member])
        if isinstance(found.get("scope"), str):
            # A server that has no claim of the scope may leave `address` out.
            missing = set(self.settings.scopes) - {"address"} - set(found["scope"].split(" "))
            self.expect(not missing, f"{what}: the scopes that were asked for", found["scope"])

    def expect_code(self, app, authorization, what):
        """The answer of `/authorize` is a redirect with a code as the SDK reads it. Returns the code."""
        answer = authorization.answer
        self.expect(answer.status == 302, f"{what}: status 302", answer)
        length = answer.header("Content-Length")
        self.expect(answer.body == b"" and length == "0", f"{what}: an empty body with Content-Length 0",
                    f"Content-Length {length}, {answer}")
        self.expect_location(authorization, what)
        try:
            code = app.read_code(authorization)
        except Refused as refusal:
            raise Refused(f"{refusal} {what}") from None
        self.expect(URL_SAFE.fullmatch(code), f"{what}: only A-Z a-z 0-9 - _ . in the code", code)
        return code

    def expect_location(self, authorization, what):
        """The answer redirects to the app, with the state as it was sent."""
        location, state = authorization.answer.header("Location") or "", authorization.state
        self.require(location.startswith(authorization.redirect + "?"),
                     f"{what}: Location {authorization.redirect}?…", authorization.answer)
        self.expect("+" not in location and " " not in location, f"{what}: %20 for a space in Location", location)
        came = authorization.parameters().get("state")
        self.expect(came == state, f"{what}: the state {state}", came)

    # Expectations of several scenarios.

    def expect_revoked(self, answer, what):
        self.expect(answer.status == 200 and (not answer.body or isinstance(answer.json(), dict)),
                     f"{what}: 200 with an empty body or a JSON object", answer)

    def expect_logged_out(self, answer, session, what):
        self.expect(answer.status == 200, f"{what}: status 200", answer)
        self.expect(answer.json() == {"result": "Successfully logged out"},
                     f'{what}: {{"result":"Successfully logged out"}}', answer)
        self.expect(not self.alive(session), f"{what}: a dead session", "a live one")

    def expect_cookie_kept(self, app, answer):
        """The answer has not touched the cookie of the app's session."""
        names = [line.partition("=")[0] for line in answer.all("Set-Cookie")]
        if app.cookies is not None:
            kept = app.cookies.value(self.settings.cookie, app.json_url("sessions"))
            self.expect(kept == app.session, "the newer session's cookie to stay", f"{kept} after {answer}")
            self.expect(self.settings.cookie not in names, "no Set-Cookie", answer)

    def expect_list(self, app, name, kind):
        """The answer is a list in AM's form. Returns its elements."""
        answer = app.list_devices(name, kind)
        if not self.expect(answer.status == 200 and self.is_json(answer), f"200 and JSON at {kind}", answer):
            return []
        found = answer.object()
        result = found.get("result")
        if not self.expect(isinstance(result, list), f"the list result at {kind}", answer):
            return []
        frame = {"resultCount": len(result), "pagedResultsCookie": None, "totalPagedResultsPolicy": "NONE",
                 "totalPagedResults": -1, "remainingPagedResults": -1}
        missing = {key: value for key, value in frame.items() if key not in found or found[key] != value}
        self.expect(not missing, f"{missing} at {kind}", answer)
        return result

    def expect_signed(self, journey, number, key, user_id, succeeds=True):
        """Signs in a journey and checks its end. Returns the app."""
        app = self.app()
        node = self.journey(app, journey, number, key=key, user_id=user_id)
        if succeeds:
            self.expect(node.kind == "success" and app.session, f"success of {journey} by the key of user {number}",
                        node)
        else:
            self.expect_am_error(node.answer, (401,), "Login failure", f"{journey} with a replaced key")
        if app.session:
            name = self.person(number)[0]
            self.expect(self.username(app) == self.username(self.login(number=number)), f"the session of {name}",
                         self.username(app))
        return app


def one_of(values):
    if isinstance(values, range):
        return f"{values.start} to {values.stop - 1}"
    return " or ".join(str(value) for value in values)


def claims_of(token):
    """Returns the claims of a JWT, unverified, as an SDK's app shows them."""
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
