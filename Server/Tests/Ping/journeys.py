"""What apps with Ping's SDKs do in and beside journeys: points 2 to 5, 12 and 14 to 20 of the list."""

import json
import re
import urllib.parse
import uuid

import wire
from check import URL_SAFE, scenario
from dialect import JSON, output

KINDS = ("2fa/oath", "2fa/push", "2fa/binding", "2fa/webauthn", "profile")


@scenario(2)
def start(check):
    """A journey starts with no session, with a live or dead one by header or by Cookie, and with two different ones."""
    node = check.app().start("login")
    check.expect(node.answer.status == 200 and node.kind == "continue" and node.callbacks,
                 "callbacks without a session", node)
    number = 2 if check.options.second_user else 1
    first, second = check.login(), check.login(number=number)
    name = check.username(first)
    for shows in (("header",), ("cookie",)):
        app = check.app()
        node = app.start("login", session=first.session, shows=shows)
        check.expect(node.answer.status == 200 and node.kind in ("continue", "success"),
                     f"callbacks or success with a live session by {shows[0]}", node)
        if node.kind == "success":
            check.expect(check.username(app) == name, f"the session's user by {shows[0]}", check.username(app))
    other = f"{check.settings.cookie}={second.session}"
    app = check.app()
    node = app.start("login", session=first.session, shows=("header",), cookie=other)
    check.expect(node.answer.status == 200 and node.kind in ("continue", "success"),
                 "callbacks or success with two sessions", node)
    if node.kind == "success":
        check.expect(check.username(app) == name, "the user of the header's session", check.username(app))
    info = app.read_info(app.session_info(first.session, shows=("header",), cookie=other))
    check.expect(info["username"] == name, f"the header's session before the cookie's: {name}", info["username"])
    first.logout_session()
    for shows in (("header",), ("cookie",)):
        node = check.app().start("login", session=first.session, shows=shows)
        check.expect(node.answer.status == 200 and node.kind == "continue",
                     f"callbacks with a dead session by {shows[0]}", node)
    if number == 2:
        check.expect(check.alive(second.session), "the other session to live", "a dead one")


@scenario(2, dialects=("I2", "A2"))
def step_up(check):
    """A journey with ForceAuth asks again although its session lives, and gives another session."""
    app = check.login()
    session = app.session
    node = app.start("login", force=True)
    check.require(node.kind == "continue", "callbacks with ForceAuth", node)
    node = check.walk(app, node, force=True)
    check.expect(node.kind == "success" and app.session != session, "another session", node)


@scenario(3)
def step(check):
    """A step may have more members, and flags in its query."""
    app = check.app()
    node = app.start("login")
    check.fill(app, node)
    node = app.next(
        node, members={"stage": "UsernamePassword", "header": "Sign in", "description": "Demo", "successUrl": "/"},
        query={"noSession": "false", "ForceAuth": "false"} if check.dialect in ("IL", "AL") else None)
    node = check.walk(app, node)
    check.expect(node.kind == "success" and app.session, "success", node)


@scenario(3, journeys=("message",))
def step_without_display(check):
    """A step may leave out a callback that only displays.

    Uses the journey `message`, described at `message_node`.
    """
    app = check.app()
    node = check.walk(app, app.start("message"), until="ConfirmationCallback")
    check.require(node.callback("ConfirmationCallback"), "a ConfirmationCallback", node)
    node.callbacks = [callback for callback in node.callbacks if callback["type"] != "TextOutputCallback"]
    node = check.walk(app, app.next(node))
    check.expect(node.kind == "success", "success without the TextOutputCallback", node)


@scenario(3, journeys=("choice",))
def step_with_text_for_number(check):
    """A step may have a number as a text.

    Uses the journey `choice`, described at `choice_node`.
    """
    for value, kind in (("1", "success"), ("0", "error")):
        app = check.app()
        node = check.walk(app, app.start("choice"), until="ChoiceCallback")
        check.require(node.callback("ChoiceCallback"), "a ChoiceCallback", node)
        node.callback("ChoiceCallback")["input"][0]["value"] = value
        node = check.walk(app, app.next(node))
        check.expect(node.kind == kind, f"{kind} with the text {value}", node)


@scenario(4)
def suspended(check):
    """A suspendedId, unknown or known, is resumed or refused in AM's form."""
    app = check.app()
    known = app.start("login").data.get("authId", "")
    for what, identifier in (("unknown", str(uuid.uuid4())), ("known", known)):
        node = app.resume(identifier)
        if what == "unknown" or node.answer.status != 200:
            check.expect_am_error(node.answer, range(400, 500), what=f"at the {what} suspendedId")


@scenario(4, dialects=("IL", "AL"))
def composite_advice(check):
    """A composite_advice starts a journey or is refused in AM's form."""
    advice = ('<Advices><AttributeValuePair><Attribute name="TransactionConditionAdvice"/><Value>'
              f"{uuid.uuid4()}</Value></AttributeValuePair></Advices>")
    app = check.app()
    node = app.begin([("authIndexType", "composite_advice"), ("authIndexValue", advice)])
    if node.answer.status != 200:
        check.expect_am_error(node.answer, range(400, 500), what="at composite_advice")


@scenario(5)
def success(check):
    """Success has tokenId, successUrl, realm and the session's cookie."""
    app = check.app()
    node = check.journey(app, "login")
    check.require(node.kind == "success", "success", node)
    found, realm = node.data, check.settings.realm
    check.expect(node.answer.status == 200, "status 200", node)
    check.expect_json(node.answer)
    check.expect(isinstance(found.get("tokenId"), str) and URL_SAFE.fullmatch(found["tokenId"].replace("*", "")),
                 "tokenId", node)
    check.expect(found.get("successUrl") == f"/enduser/?realm=/{realm}", f"successUrl /enduser/?realm=/{realm}", node)
    check.expect(found.get("realm") == f"/{realm}", f"realm /{realm}", node)
    check.expect("authId" not in found, "no authId", node)
    url = app.json_url("sessions")
    cookies = [wire.Cookie(line, app.json_url("authenticate")) for line in node.answer.all("Set-Cookie")]
    cookies = [cookie for cookie in cookies if cookie.name == check.settings.cookie]
    check.expect(len(cookies) == 1 and cookies[0].value == found.get("tokenId") and cookies[0].is_for(url),
                 f"Set-Cookie {check.settings.cookie}={found.get('tokenId')} for {url}", node)


@scenario(5, dialects=("I2", "A2"))
def no_session(check):
    """With noSession=true success has neither tokenId nor cookie."""
    app = check.app()
    node = check.journey(app, "login", no_session=True)
    check.require(node.kind == "success", "success", node)
    check.expect(not node.data.get("tokenId") and app.session is None, "no tokenId", node)
    set_names = [line.partition("=")[0] for line in node.answer.all("Set-Cookie")]
    check.expect(check.settings.cookie not in set_names, "no Set-Cookie", node)


@scenario(12)
def logout(check):
    """A session is logged out by header, whatever the body, and a dead one is refused with 401 in AM's form."""
    app = check.login()
    session = app.session
    check.expect_logged_out(app.logout_session(), session, "as the SDK sends it")
    check.expect_am_error(app.logout_session(session), (401,), "Access Denied", "at a dead session")
    check.expect_am_error(app.logout_session(None, cookie=None), (401,), "Access Denied", "without a session")
    if check.dialect == "IL":
        app, other = check.login(), check.login()
        session, body = app.session, json.dumps({"tokenId": other.session}).encode()
        check.expect_logged_out(app.logout_session(body=body), session, "with another session's tokenId")
        check.expect(check.alive(other.session), "the session of the body to live", "a dead one")
    if check.dialect == "AL":
        app = check.login()
        headers = app.logout_request(app.session)[0] + [("Content-Type", JSON)]
        check.expect_logged_out(app.logout_session(headers=headers), app.session, "an empty body with a type")


@scenario(14)
def logout_of_older_session(check):
    """The logout of an older session by header keeps the newer session and its cookie."""
    app = check.login()
    older = app.session
    app = check.login(app)
    answer = app.logout_session(older)
    check.expect_logged_out(answer, older, "the older session")
    check.expect(check.alive(app.session), "the newer session to live", "a dead one")
    check.expect_cookie_kept(app, answer)
    if app.cookies is not None:
        info = app.session_info(None, shows=None)
        check.expect(info.status == 200, "getSessionInfo with the newer cookie alone", info)
        answer = app.logout_session()
        check.expect_logged_out(answer, app.session, "the newer session")
        kept = app.cookies.value(check.settings.cookie, app.json_url("sessions"))
        check.expect(kept is None, "the cookie to go with its session", f"{kept} after {answer}")


@scenario(15)
def session_info(check):
    """getSessionInfo gives six texts, and 401 for a dead session."""
    app = check.login()
    answer = app.session_info()
    info = app.read_info(answer)
    check.expect_json(answer)
    check.expect(urllib.parse.quote(info["username"], safe="!$&'()*+,;=:@") == info["username"],
                 "a username that needs no encoding in a URL", info["username"])
    check.expect(info["universalId"].startswith("id="), "universalId id=…", info["universalId"])
    for name in ("latestAccessTime", "maxIdleExpirationTime", "maxSessionExpirationTime"):
        check.expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", info[name]), f"{name} in ISO 8601 with Z",
                     info[name])
    session = app.session
    app.logout_session()
    check.expect_am_error(app.session_info(session), (401,), what="at a dead session")


@scenario(16, journeys=("bind",))
def devices(check):
    """The lists of all kinds of devices are served; a bound key is listed, renamed and removed."""
    app = check.login()
    name = check.username(app)
    # A session of the journey `bind` would answer the next start of `bind` at once, so each key has its own login.
    first, _ = check.bound(check.login())
    second, _ = check.bound(check.login())
    lists = {kind: check.expect_list(app, name, kind) for kind in KINDS}
    for kind in KINDS:
        for element in lists[kind]:
            fits = isinstance(element.get("_id"), str) and isinstance(element.get("_rev"), str)
            check.expect(fits, f"the texts _id and _rev at {kind}", element)
    elements = {element["_id"]: element for element in lists["2fa/binding"]}
    for key in (first, second):
        check.require(key.kid in elements, f"the key {key.kid} in the list", list(elements))
        element = elements[key.kid]
        check.expect(element.get("uuid") == key.kid and element.get("key", {}).get("kid") == key.kid,
                     "_id, uuid and key.kid to be equal", element)
        expected = f"Phone {check.dialect}"
        check.expect(element.get("deviceName") == expected, f"deviceName {expected}", element)
        for member in ("createdDate", "lastAccessDate"):
            check.expect(isinstance(element.get(member), int) and element[member] > 10 ** 12,
                         f"{member} in milliseconds", element)
        check.expect(isinstance(element.get("deviceManagementStatus"), bool), "deviceManagementStatus", element)
    for if_match, more in ((None, {}), (True, {}), (False, {}), (None, {"invented": {"member": [1]}})):
        changed = {**elements[first.kid], "deviceName": f"Renamed {if_match} {len(more)}", **more}
        answer = app.put_device(name, "2fa/binding", changed, if_match)
        app.read_changed(answer)
        fits = answer.status == 200 and answer.object().get("_id") == first.kid
        check.expect(fits, "PUT: 200 with the element", answer)
        names = {element["_id"]: element["deviceName"] for element in check.expect_list(app, name, "2fa/binding")}
        check.expect(names.get(first.kid) == changed["deviceName"], changed["deviceName"], names.get(first.kid))
    for key, body in ((first, None), (second, b"{}")):
        answer = app.delete_device(name, "2fa/binding", key.kid, body)
        app.read_changed(answer)
        fits = answer.status == 200 and answer.object().get("_id") == key.kid
        check.expect(fits, "DELETE: 200 with the element", answer)
    left = [element["_id"] for element in check.expect_list(app, name, "2fa/binding")]
    check.expect(first.kid not in left and second.kid not in left, "neither key in the list", left)
    check.expect_am_error(app.delete_device(name, "2fa/binding", first.kid), (404,), what="DELETE of a removed key")
    check.expect_am_error(app.list_devices(name, "2fa/binding", session="dead"), (401,), what="with a dead session")


@scenario(17, dialects=("IL", "AL"), journeys=("bind",))
def unbind(check):
    """A key is removed with the universal id and the Cookie alone, and not without a session."""
    app = check.login()
    key, user_id = check.bound(app)
    check.expect_am_error(app.unbind(user_id, key.kid, cookie=None), (401,), "Access Denied", "without a session")
    info = app.read_info(app.session_info())
    check.expect(info["universalId"] == user_id, f"the universalId {user_id}", info["universalId"])
    cookie = f"{check.settings.cookie}={app.session}"
    answer = app.unbind(user_id, key.kid, cookie=cookie)
    check.expect(answer.status == 200 and isinstance(answer.json(), dict), "200 with JSON", answer)
    left = [element["_id"] for element in check.expect_list(app, info["username"], "2fa/binding")]
    check.expect(key.kid not in left, "the key not in the list", left)


@scenario(18, journeys=("bind", "sign", "usernameless-sign"))
def same_kid_again(check):
    """A user who binds the same kid again signs with the new key and not with the old one."""
    app = check.login()
    kid = f"my-custom-key-tag-{uuid.uuid4()}"
    old, user_id = check.bound(app, kid=kid)
    check.expect_signed("sign", 1, old, user_id)
    app = check.login()
    new, _ = check.bound(app, kid=kid)
    check.expect_signed("sign", 1, new, user_id)
    check.expect_signed("usernameless-sign", 1, new, user_id)
    check.expect_signed("usernameless-sign", 1, old, user_id, succeeds=False)
    app = check.login()
    found = [element for element in check.expect_list(app, check.username(app), "2fa/binding") if element["_id"] == kid]
    check.expect(len(found) == 1, "one key of this kid", len(found))
    check.clean_up(app, kid)


@scenario(18, journeys=("bind", "sign", "usernameless-sign"), option="second_user")
def two_users_with_one_kid(check):
    """Two users have keys of one kid and sign with them."""
    kid = f"my-custom-key-tag-{uuid.uuid4()}"
    bound = {}
    for number in (1, 2):
        bound[number] = check.bound(check.login(number=number), number, kid=kid)
    check.expect(bound[1][1] != bound[2][1], "two universal ids", bound[1][1])
    for journey in ("sign", "usernameless-sign"):
        for number in (1, 2):
            check.expect_signed(journey, number, *bound[number])
    for number in (1, 2):
        check.clean_up(check.login(number=number), kid)


@scenario(19, journeys=("message",))
def message_node(check):
    """MessageNode: only index 0 is true; the untouched 100 is false.

    The journey `message`: a MessageNode with the message `Proceed?` and the options `Yes` and `No`; its outcome
    `true` leads to `failure`, its outcome `false` to `success`. A page with name and password comes before or after
    it, so that the success has a session.
    """
    for value, kind in ((None, "success"), (1, "success"), (0, "error")):
        app = check.app()
        node = check.walk(app, app.start("message"), until="ConfirmationCallback")
        confirmation, text = node.callback("ConfirmationCallback"), node.callback("TextOutputCallback")
        check.require(confirmation and text, "TextOutputCallback and ConfirmationCallback", node)
        check.expect(output(text, "messageType") == "0", 'messageType "0" of the text', output(text, "messageType"))
        found = [output(confirmation, name) for name in ("messageType", "optionType", "defaultOption")]
        check.expect(found == [0, -1, 1], "messageType 0, optionType -1, defaultOption 1", found)
        options = output(confirmation, "options")
        check.expect(isinstance(options, list) and len(options) == 2, "two options", options)
        came = confirmation["input"][0]["value"]
        check.expect(came == 100, "the input 100", came)
        if value is not None:
            confirmation["input"][0]["value"] = value
        node = check.walk(app, app.next(node))
        check.expect(node.kind == kind, f"{kind} with {value if value is not None else 'the untouched input'}", node)


@scenario(19, journeys=("choice",))
def choice_node(check):
    """ChoiceCollector: defaultChoice names a choice.

    The journey `choice`: a ChoiceCollectorNode with the choices `first` and `second` and the defaultChoice `second`;
    the outcome `second` leads to `success`, `first` to `failure`. A page with name and password comes before or after
    it.
    """
    for index, kind in ((None, "success"), (1, "success"), (0, "error")):
        app = check.app()
        node = check.walk(app, app.start("choice"), until="ChoiceCallback")
        choice = node.callback("ChoiceCallback")
        check.require(choice, "ChoiceCallback", node)
        found = [output(choice, "choices"), output(choice, "defaultChoice")]
        check.expect(found == [["first", "second"], 1], "choices first and second, defaultChoice 1", found)
        app.choose(choice, index)
        node = check.walk(app, app.next(node))
        check.expect(node.kind == kind, f"{kind} with {index if index is not None else 'the default'}", node)


@scenario(19, journeys=("attributes",))
def attribute_node(check):
    """AttributeCollector: takes 30.0 as a number, and asks again at validateOnly.

    The journey `attributes`: an AttributeCollectorNode that asks for the text `city`, the number `age` and the truth
    value `news`, in this order, required, validated, without policies; its outcome leads to `success`. A page with
    name and password comes before or after it.
    """
    kinds = {"StringAttributeInputCallback": "Berlin", "NumberAttributeInputCallback": 30.0,
             "BooleanAttributeInputCallback": True}

    def answer(node, validate_only):
        for kind, value in kinds.items():
            callback = node.callback(kind)
            check.require(callback and len(callback["input"]) == 2, f"{kind} with two inputs", node)
            callback["input"][0]["value"] = value
            callback["input"][1]["value"] = validate_only
    app = check.app()
    first = next(iter(kinds))
    node = check.walk(app, app.start("attributes"), until=first)
    for kind in kinds:
        callback = node.callback(kind)
        check.require(callback, kind, node)
        policies, failed = output(callback, "policies"), output(callback, "failedPolicies")
        check.expect(isinstance(policies, dict), f"policies of {kind} as an object", callback)
        check.expect(isinstance(failed, list), f"failedPolicies of {kind} as a list", callback)
    answer(node, True)
    node = app.next(node)
    check.require(node.kind == "continue" and node.callback(first), "the same question at validateOnly", node)
    answer(node, False)
    node = check.walk(app, app.next(node), until=first)
    check.expect(node.kind == "success", "success with 30.0", node)


@scenario(20)
def journey_errors(check):
    """Errors of /json/… have code, reason and message, with the code of the status line."""
    app = check.app()
    node = app.start("login")
    check.fill(app, node, password="not the password")
    for callback in node.callbacks:
        if callback["type"] == "NameCallback":
            callback["input"][0]["value"] = "unknown-" + uuid.uuid4().hex
    node = check.walk(app, app.next(node))
    check.expect(node.answer.json() == {"code": 401, "reason": "Unauthorized", "message": "Login failure"},
                 "the body of a login failure as Ping's test has it", node)
    check.expect_am_error(node.answer, (401,), "Login failure", "at a wrong password")
    check.expect_am_error(app.start("no-such-journey").answer, range(400, 500), what="at an unknown journey")
    login = check.login()
    headers = app.step_headers()
    cases = {
        "a body that is no JSON": ("POST", "authenticate", b"{", (400,)),
        "an authId that is none": ("POST", "authenticate", b'{"authId":"none","callbacks":[]}', range(400, 500)),
        "an unknown action": ("POST", "sessions?_action=unknown", b"{}", range(400, 500)),
        "no action": ("POST", "sessions", b"{}", range(400, 500)),
        "an unknown address": ("GET", "unknown", None, (404,)),
        "GET where POST is needed": ("GET", "authenticate", None, (404, 405)),
        "a list without a session": ("GET", "users/x/devices/2fa/binding?_queryFilter=true", None, (401,)),
    }
    for what, (method, rest, body, statuses) in cases.items():
        answer = app.send(method, app.json_url(rest), headers, body, cookie=None)
        check.expect_am_error(answer, statuses, what=f"at {what}")
    name = check.options.second_user or "another-user"
    check.expect_am_error(login.list_devices(name, "2fa/binding"), (403, 404), what="at another user's list")
    answer = login.list_devices(check.username(login), "2fa/unknown")
    check.expect_am_error(answer, (400, 404), what="at an unknown kind")
