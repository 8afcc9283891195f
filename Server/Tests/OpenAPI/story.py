"""Plays a device and a backend to the end, and compares every answer with the description. This covers the
successful answers that random requests rarely reach. Prints their number."""

import hashlib
import os
import re
import sys
import time
import urllib.parse

import requests
import schemathesis

import device as nightlatch

address, backend_key = os.environ["NIGHTLATCH_SERVER"], os.environ["NIGHTLATCH_BACKEND_KEY"]
schema = schemathesis.openapi.from_url(address + "/openapi.json")
operations = {
    (operation.ok().method.upper(), operation.ok().path): operation.ok() for operation in schema.get_all_operations()
}
checked = []


def members(schema_object, document):
    """Yields the members that an object may have by its schema."""
    if "$ref" in schema_object:
        target = document
        for part in schema_object["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        yield from members(target, document)
    yield from schema_object.get("properties", {}).items()
    for branch in schema_object.get("oneOf", []):
        yield from members(branch, document)


def require_described(value, schema_object, document, path):
    """Fails if an answer has a member that the description does not have."""
    if isinstance(value, dict):
        known = {}
        for name, member in members(schema_object, document):
            known.setdefault(name, member)
        if not known:
            return
        assert set(value) <= set(known), f"{path}: not described: {set(value) - set(known)}"
        for name, member in value.items():
            require_described(member, known[name], document, f"{path}.{name}")
    elif isinstance(value, list) and "items" in schema_object:
        for element in value:
            require_described(element, schema_object["items"], document, path + "[]")


class CheckedServer(nightlatch.Server):
    """A relying party whose answers are compared with its description."""

    def call(self, method, path, headers=None, body=None):
        response = requests.request(method, self.address + path, headers=headers, data=body, timeout=30)
        bare = urllib.parse.urlparse(path).path
        template = next(
            template
            for known, template in operations
            if known == method and matches(template, bare) and (template == bare or "{" in template)
        )
        operation = operations[method, template]
        operation.validate_response(response)
        if response.content:
            content = operation.definition.raw["responses"][str(response.status_code)]["content"]
            require_described(response.json(), next(iter(content.values()))["schema"], schema.raw_schema, template)
        checked.append(f"{operation.definition.raw['operationId']} {response.status_code}")
        return Checked(response)


class Checked:
    def __init__(self, response):
        self.status, self.headers, self.body, self.json = (
            response.status_code,
            response.headers,
            response.content,
            response.json,
        )


def matches(template, path):
    parts, known = path.split("/"), template.split("/")
    return len(parts) == len(known) and all(a == b or b.startswith("{") for a, b in zip(parts, known))


def expect(answer, status):
    assert answer.status == status, (answer.status, answer.body)
    return answer.json() if answer.body else None


server = CheckedServer(address, backend_key)
backend = server.backend_headers
# The description itself is not one of the operations that schemathesis knows.
for path in ("/health/live", "/health/ready", "/.well-known/jwks.json"):
    expect(server.call("GET", path), 200)

credentials = {"user": "carol", "password": "correct horse"}
expect(server.post("/v1/passwords", credentials, backend), 200)
expect(server.post("/v1/passwords/verify", credentials, backend), 200)
expect(server.post("/v1/enrolment-codes/by-password", credentials), 200)
expect(server.post("/v1/passwords/verify", {**credentials, "password": "wrong"}, backend), 403)

device = nightlatch.Device(server, "carol")
other = nightlatch.Device(server, "carol")
device.refresh()
expect(server.call("GET", "/v1/devices", device.credentials("GET", "/v1/devices")), 200)
for token in (device.access_token, device.refresh_token, "nonsense"):
    expect(server.form("/oauth/introspect", {"token": token}, backend), 200)

for index, decision in enumerate(("confirm", "reject", None, None)):
    transaction = os.urandom(16).hex()
    details = {
        "amount": "129.90",
        "currency": "EUR",
        "payee": "Nachtzug GmbH 🚂",
        "lines": [{"label": "Fahrt", "value": "Wien – Hamburg"}],
        "expires_at": int(time.time()) + 600,
    }
    request = {"id": transaction, "user": "carol", "devices": "all", "details": details}
    if index == 3:
        request["devices"] = [device.id]
    expect(server.post("/v1/transactions", request, backend), 200)
    expect(server.post("/v1/transactions", {**request, "user": "dave"}, backend), 409)
    path = "/v1/pending-transactions"
    expect(server.call("GET", path, device.credentials("GET", path)), 200)
    if decision is None:
        expect(server.call("POST", f"/v1/transactions/{transaction}/void", backend), 200)
    else:
        expect(device.decide(details, transaction, decision), 200)
        expect(server.call("POST", f"/v1/transactions/{transaction}/void", backend), 409)
        begun = "/v1/decision/begin"
        expect(server.post(begun, {"transaction": transaction}, device.credentials("POST", begun)), 409)
    expect(server.call("GET", f"/v1/transactions/{transaction}", backend), 200)
expect(server.call("GET", "/v1/transactions?user=carol", backend), 200)

pin = nightlatch.TwoPartyPin(device)
assert expect(pin.standing(), 200)["next_epoch"] == 1
element = pin.blinded_element()
expect(pin.evaluate(1, 0, element), 409)
offer = expect(pin.open(1, device.key), 200)
assert expect(pin.open(1, device.key), 200)["public_key"] == offer["public_key"]
guess = expect(pin.evaluate(1, offer["window"], element), 200)
assert expect(pin.evaluate(1, offer["window"], element), 200)["guess"] == guess["guess"]
clearing = expect(pin.promote(1, offer["window"], guess["guess"], device.key), 200)
guess = expect(pin.evaluate(1, clearing["window"], pin.blinded_element()), 200)
assert guess["tries_left"] == 9 and guess["charged"] == [guess["guess"]]
expect(pin.prove(1, clearing["window"], pin.device.key.thumbprint), 409)
cleared = expect(pin.prove(1, clearing["window"], guess["guess"]), 200)
assert cleared["cleared"] == [guess["guess"]]
stale = expect(pin.evaluate(1, clearing["window"], pin.blinded_element()), 409)
assert stale["code"] == "pin_window_passed" and stale["pin"]["window"] == cleared["window"]
expect(pin.evaluate(1, cleared["window"], nightlatch.encode(b"\x02" + b"\xff" * 48)), 400)
expect(pin.open(2, device.key), 403)
expect(pin.open(2, pin.knowledge_key), 200)
assert "candidate" not in expect(pin.abandon(2, pin.knowledge_key), 200)
expect(pin.open(2, pin.knowledge_key), 409)
for count in range(9, -1, -1):
    assert expect(pin.evaluate(1, cleared["window"], pin.blinded_element()), 200)["tries_left"] == count
assert expect(pin.evaluate(1, cleared["window"], pin.blinded_element()), 409)["code"] == "pin_destroyed"

path = f"/v1/devices/{other.id}/rename"
expect(server.post(path, {"name": "Tablet"}, device.credentials("POST", path)), 200)
for verb in ("block", "unblock"):
    path = f"/v1/devices/{other.id}/{verb}"
    expect(server.call("POST", path, device.credentials("POST", path)), 200)
path = f"/v1/devices/{other.id}/revoke"
expect(server.call("POST", path, device.credentials("POST", path)), 200)
expect(server.call("GET", "/v1/devices", other.credentials("GET", "/v1/devices")), 401)
expect(server.call("GET", "/v1/devices", device.credentials("GET", "/v1/devices")), 200)
path = "/v1/profiles"
expect(server.call("GET", path + "?user=carol", backend), 404)
profile = {
    "user": "carol",
    "name": "Carol “C.” Beispiel 🚂",
    "given_name": "Carol",
    "family_name": "Beispiel",
    "email": "carol+news@mail.example",
    "email_verified": True,
    "phone_number": "+43 (1) 234-56",
}
kept = expect(server.post(path, profile, backend), 200)
assert {**kept, **profile} == kept and kept["revision"] == 1 and abs(kept["updated_at"] - time.time()) < 3600
assert expect(server.call("GET", path + "?user=carol", backend), 200) == kept
# What was read can be sent back with a change.
assert expect(server.post(path, {**kept, "name": "Carol"}, backend), 200)["revision"] == 2
expect(server.post(path, {"user": "dave"}, backend), 404)
expect(server.post(path, {"user": "carol", "email_verified": True}, backend), 400)
for _ in range(2):
    expect(server.post(path + "/remove", {"user": "carol"}, backend), 200)
expect(server.call("GET", path + "?user=carol", backend), 404)

# The policies of an app and a user, which a device gets signed.
path = "/v1/apps/nightlatch/policy"
assert expect(server.call("GET", path, backend), 200)["revision"] == 0
expect(server.post(path, {"pin_history": 5}, backend), 400)
of_app = expect(server.post(path, {"pin_lengths": {"least": 6, "most": 8}, "hardware": "preferred"}, backend), 200)
assert of_app["changed_by"] == "backend" and expect(server.call("GET", path, backend), 200) == of_app
assert expect(server.post(path, of_app["policy"], backend), 200) == of_app
device.refresh()
assert device.policy["policy"] == of_app["policy"] and device.policy["revision"] == of_app["revision"]
path = "/v1/policies"
of_user = {"user": "carol", "policy": {"pin_lengths": {"least": 8, "most": 8}}}
expect(server.post(path, {**of_user, "user": "dave"}, backend), 404)
revision = expect(server.post(path, of_user, backend), 200)["revision"]
assert expect(server.call("GET", path + "?user=carol", backend), 200)["policy"] == of_user["policy"]
device.log_in()
assert device.policy["policy"] == {**of_app["policy"], **of_user["policy"]} and device.policy["revision"] == revision
known = device.policy
device.log_in()
assert device.policy is known
expect(server.post(path, {"user": "carol", "policy": {}}, backend), 200)
third = nightlatch.Device(server, "carol")
assert third.policy["policy"] == of_app["policy"] and third.policy["revision"] > revision
third.revoke()

path = "/v1/apps/web-1"
app = {
    "client_id": "web-1",
    "client_name": "Bücher & mehr",
    "redirect_uris": ["https://app.example/callback"],
    "post_logout_redirect_uris": ["com.example.app:/goodbye"],
    "token_endpoint_auth_method": "client_secret_basic",
    "binds_devices": True,
    "device_policy": "one",
}
expect(server.call("GET", path, backend), 404)
registered = expect(server.post(path, app, backend), 200)
secret = registered.pop("client_secret")
assert len(secret) == 43 and registered["revision"] == 1
assert expect(server.call("GET", path, backend), 200) == registered
expect(server.post(path, app, backend), 409)
expect(server.post("/v1/apps/web-2", app, backend), 400)
# What was read can be sent back with a change.
changed = expect(server.post(path, {**registered, "client_name": "Bücher"}, backend), 200)
assert changed == {**registered, "client_name": "Bücher", "revision": 2}
renewed = expect(server.post(path, {**changed, "new_secret": True}, backend), 200)
renewed_secret = renewed.pop("client_secret")
assert renewed_secret != secret and renewed == {**changed, "revision": 3}

# A login in a browser: the device scans the page, the user enters the number. And logins that a backend asks for.
login_page = re.compile(r'href="[^"]*/login#([A-Za-z0-9_-]+)"')
number_shown = re.compile(r"<dd>(\d\d)</dd>")


def open_page():
    browser = requests.Session()
    request = {
        "client_id": "web-1",
        "response_type": "code",
        "scope": "openid",
        "redirect_uri": "https://app.example/callback",
        "code_challenge": nightlatch.encode(hashlib.sha256(b"x" * 43).digest()),
        "code_challenge_method": "S256",
    }
    response = browser.get(
        address + "/oauth/authorize", params=request, headers={"Accept": "text/html"}, timeout=30
    )
    page = response.text
    return login_page.search(page)[1], number_shown.search(page)[1]


def ask():
    plain = requests.post(
        address + "/oauth/bc-authorize",
        {"scope": "openid", "login_hint": "carol"},
        auth=("web-1", renewed_secret),
        timeout=30,
    )
    assert plain.status_code == 200, plain.text


code, number = open_page()
expect(device.claim(code), 200)
listed = "/v1/remote-logins"
logins = expect(server.call("GET", listed, device.credentials("GET", listed)), 200)["logins"]
result = expect(device.decide_remote_login(logins[0], "confirm", number), 200)
assert result["state"] == "confirmed"
expect(device.claim(code), 409)
ask()
rejected = device.remote_logins()[0]
assert expect(device.decide_remote_login(rejected, "reject"), 200)["state"] == "rejected"
begun = "/v1/remote-logins/begin"
expect(server.post(begun, {"login": rejected["id"]}, device.credentials("POST", begun)), 409)
ask()
changed_login = device.remote_logins()[0]
changed_login["details"]["app"] = "Another app"
expect(device.decide_remote_login(changed_login, "confirm"), 409)
code, number = open_page()
expect(device.claim(code), 200)
scanned = next(login for login in device.remote_logins() if login["details"]["has_number"])
wrong = f"{(int(number) + 1) % 100:02}"
assert expect(device.decide_remote_login(scanned, "confirm", wrong), 200)["state"] == "number_wrong"

keyed = {"client_id": "web-2", "client_name": "x", "token_endpoint_auth_method": "private_key_jwt"}
keyed["jwks"] = {"keys": [device.key.jwk]}
expect(server.post("/v1/apps/web-2", keyed, backend), 200)
assert [found["client_id"] for found in expect(server.call("GET", "/v1/apps", backend), 200)["apps"]] == ["web-1", "web-2"]
for _ in range(2):
    expect(server.call("POST", path + "/remove", backend), 200)
expect(server.call("GET", path, backend), 404)

# Operators' programs, with an API key.
operator = {"Authorization": "Bearer " + os.environ["NIGHTLATCH_API_KEY"]}
for path in ("/v1/admin/users", "/v1/admin/api-keys"):
    assert expect(server.call("GET", path, backend), 403)["code"] == "api_key_scope_missing"
    expect(server.call("GET", path), 401)
expect(server.call("GET", "/v1/admin/users?prefix=car&limit=1", operator), 200)
shown = expect(server.call("GET", "/v1/admin/user?user=carol", operator), 200)
assert {found["id"] for found in shown["devices"]} >= {device.id, other.id}
tablet = nightlatch.Device(server, "carol")
justified = {"user": "carol", "reason": "ticket 4711"}
path = f"/v1/admin/devices/{tablet.id}/"
assert expect(server.post(path + "rename", {"user": "carol", "name": "Tablet"}, operator), 200)["name"] == "Tablet"
expect(server.post(path + "block", {"user": "carol"}, operator), 400)
assert expect(server.post(path + "block", justified, operator), 200)["blocked_by"] == "operator"
expect(server.post(path + "unblock", justified, operator), 200)
assert expect(server.post(path + "revoke", justified, operator), 200)["status"] == "revoked"
assert expect(server.post(path + "block", justified, operator), 409)["code"] == "device_ended"
expect(server.call("GET", "/v1/admin/devices?user=carol", operator), 200)
expect(server.call("GET", "/v1/admin/journey-keys?user=carol", operator), 200)
key = {"user": "carol", "key": "no-such-key"}
expect(server.post("/v1/admin/journey-keys/rename", {**key, "name": "x"}, operator), 404)
expect(server.post("/v1/admin/journey-keys/remove", {**key, "reason": "x"}, operator), 404)
expect(server.call("GET", "/v1/admin/journey-sessions?user=carol", operator), 200)
expect(server.post("/v1/admin/journey-sessions/end", justified, operator), 200)
page = expect(server.call("GET", "/v1/admin/transactions?limit=1", operator), 200)
expect(server.call("GET", "/v1/admin/transactions?limit=1&cursor=" + page["next"], operator), 200)
last = os.urandom(16).hex()
details["expires_at"] = int(time.time()) + 600
expect(server.post("/v1/transactions", {"id": last, "user": "carol", "devices": "all", "details": details}, backend), 200)
expect(server.post(f"/v1/admin/transactions/{last}/void", {"reason": "ticket 4711"}, operator), 200)
for subject, name in (("app", "nightlatch"), ("user", "carol")):
    path = "/v1/admin/policies/" + subject
    query = "/v1/apps/nightlatch/policy" if subject == "app" else "/v1/policies?user=carol"
    revision = expect(server.call("GET", query, operator), 200)["revision"]
    replaced = {subject: name, "policy": {"hardware": "required"}, "revision": revision}
    assert expect(server.post(path, replaced, operator), 200)["changed_by"] == "operator"
    expect(server.post(path, {**replaced, "policy": {}}, operator), 409)
entries = expect(server.call("GET", "/v1/admin/audit?user=carol&limit=500", operator), 200)["entries"]
blocked = next(entry for entry in entries if entry["event"] == "device_blocked" and "actor_key" in entry)
assert (blocked["actor"], blocked["actor_name"], blocked["reason"]) == ("operator", "tests", "ticket 4711")
page = expect(server.call("GET", "/v1/admin/audit?limit=2", operator), 200)
expect(server.call("GET", "/v1/admin/audit?limit=2&cursor=" + page["next"], operator), 200)
expect(server.call("GET", "/v1/admin/overview", operator), 200)
fresh = expect(server.post("/v1/admin/api-keys", {"name": "fresh", "scopes": ["users:read"]}, operator), 200)
fresh_headers = {"Authorization": "Bearer " + fresh["token"]}
expect(server.call("GET", "/v1/admin/users", fresh_headers), 200)
expect(server.call("GET", "/v1/admin/overview", fresh_headers), 403)
expect(server.post(f"/v1/admin/api-keys/{fresh['id']}/revoke", {"reason": "done"}, operator), 200)
expect(server.call("GET", "/v1/admin/users", fresh_headers), 401)
assert len(expect(server.call("GET", "/v1/admin/api-keys", operator), 200)["entries"]) == 2
expect(server.post("/v1/admin/signing-keys/rotate", {"reason": "yearly"}, operator), 200)
expect(server.post("/v1/passwords", {"user": "erin", "password": "correct horse"}, backend), 200)
expect(server.post("/v1/admin/users/export", {"user": "erin"}, operator), 200)
expect(server.post("/v1/admin/users/delete", {"user": "erin", "reason": "request 12"}, operator), 200)
expect(server.call("GET", "/v1/admin/user?user=erin", operator), 404)

path = "/oauth/revoke"
expect(server.form(path, {"token": device.refresh_token}, {"DPoP": device.proof("POST", path)}), 200)
expect(server.call("GET", "/v1/devices", device.credentials("GET", "/v1/devices")), 401)

good = {name.split()[0] for name in checked if name.endswith(" 200")}
# This server has no journeys, so no user has a journey key.
names = {operation.definition.raw["operationId"] for operation in operations.values()} - {"renameJourneyKey", "removeJourneyKey"}
assert good == names, f"never answered with 200: {names - good}"
print(f"{len(checked)} answers of {len(good)} routes", file=sys.stdout)
