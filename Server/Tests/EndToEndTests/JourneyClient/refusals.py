"""Checks each refusal of a server, one by one. Usage: refusals.py DIALECT URL REALM USER PASSWORD OTHER-USER

The server has `user` and `other`, both with the same password, and the journeys of `journeys.json` beside the built-in
ones. In these journeys each outcome leads to a choice with the outcome's name as its prompt, so that a test can see it.
"""

import base64
import hashlib
import hmac
import json
import sys
import time

from cryptography.hazmat.primitives.asymmetric import ec

from journeyclient import IOS, Android, Client, Key, base64url

dialect = {"ios": IOS, "android": Android}[sys.argv[1]]()
base, realm, user, password, other = sys.argv[2:7]
client = Client(base, realm, dialect)


def universal(name):
    return f"id={name},ou=user,o={realm},ou=services,ou=am-config"


def outcome(answer):
    """Returns the outcome that the server chose."""
    if answer.status == 401:
        assert answer.text == '{"code":401,"reason":"Unauthorized","message":"Login failure"}', answer.text
        return "401"
    if answer.is_done:
        return "success"
    # No outcome leads to any other question.
    kind = answer.json["callbacks"][0]["type"]
    return answer.output(kind, "prompt") if kind == "ChoiceCallback" else kind


def binding(journey="bind-told", name=user):
    return client.log_in(client.begin(journey), name, password)


def signing(journey="sign-told", name=user):
    """Begins a signature for a user whom the journey has authenticated."""
    return client.log_in(client.begin(journey), name, password)


def usernameless():
    return client.begin("usernameless-told")


def bound(name=user, key=None):
    key = key or dialect.new_key()
    answer = client.bind(binding(name=name), key)
    assert outcome(answer) == "success", answer.text
    return key


def key_count(name=user):
    client.token = None
    token = client.log_in(client.begin("login"), name, password).json["tokenId"]
    client.token = token
    count = client.devices(name).json["resultCount"]
    client.token = None
    return count


wrong = []


def expect(what, found, wanted):
    """Notes a difference and continues, so that one run shows all of them."""
    if found == wanted:
        print(what, flush=True)
    else:
        wrong.append(f"{what}: {found}, not {wanted}")


key = bound()
others_key = bound(other)


def both(what, wanted="failure", sign_key=None, bind_key=None, **changes):
    """Tries the same flaw in a binding and in a signature, and checks that it binds no key."""
    before = key_count()
    expect(f"bind: {what}", outcome(client.bind(binding(), bind_key or dialect.new_key(), **changes)), wanted)
    expect(f"bind: {what}, nothing bound", key_count(), before)
    expect(f"sign: {what}", outcome(client.sign(signing(), sign_key or key, **changes)), wanted)


def set_claim(name, value):
    def change(claims):
        if value is None:
            del claims[name]
        else:
            claims[name] = value
    return change


now = int(time.time())
both("expired", change=set_claim("exp", now - 31))
both("life too long", change=set_claim("exp", now + 60 + 60 + 30))
both("not yet valid", change=set_claim("nbf", now + 90))
both("issued in the future", change=set_claim("iat", now + 90))
both("no exp", change=set_claim("exp", None))
both("exp is a text", change=set_claim("exp", str(now + 60)))
both("wrong challenge", change=set_claim("challenge", base64.b64encode(b"\0" * 32).decode()))
both("no challenge", change=set_claim("challenge", None))
both("wrong iss", change=set_claim("iss", "com.example.other"))
both("no iss", change=set_claim("iss", None))
both("duplicate member", payload=lambda text: '{"sub":"x",' + text[1:])
both("duplicate member written differently", payload=lambda text: '{"s\\u0075b":"x",' + text[1:])
both("oversized", change=set_claim("filling", "x" * 20000))
# White space and unknown header members count only towards the message's own limit.
both("oversized by white space", payload=lambda text: text + " " * 12000)
both("oversized by its header", header=lambda header: header.update(filling="x" * 12000))
expect("bind: large", outcome(
    client.bind(binding(), dialect.new_key(), payload=lambda text: text + " " * 11000)), "success")
expect("sign: large", outcome(
    client.sign(signing(), key, header=lambda header: header.update(filling="x" * 11000))), "success")
both("too many claims", change=set_claim("filling", "x" * 5000))
both("too much of the client itself", change=set_claim("platform", "x" * 300))
both("critical extension", header=lambda header: header.update(crit=["exp"]))
both("another kind of message", header=lambda header: header.update(typ="nightlatch-login+jwt"))
both("no kid", header=lambda header: header.pop("kid"))
both("alg none", header=lambda header: header.update(alg="none"))
both("alg HS256", header=lambda header: header.update(alg="HS256"))
both("alg of another family", header=lambda header: header.update(alg="RS256" if key.alg == "ES256" else "ES256"))
both("alg PS512", header=lambda header: header.update(alg="PS512"))

# Bindings only
expect("bind: other user's sub", outcome(
    client.bind(binding(), dialect.new_key(), change=set_claim("sub", universal(other)))), "failure")
expect("bind: no sub", outcome(client.bind(binding(), dialect.new_key(), change=set_claim("sub", None))), "failure")
expect("bind: RSA below 2048", outcome(client.bind(binding(), Key("RSA", bits=1024))), "failure")
expect("bind: foreign curve", outcome(client.bind(binding(), Key("EC", curve=ec.SECP384R1()))), "failure")
expect("bind: no key", outcome(
    client.bind(binding(), dialect.new_key(), header=lambda header: header.pop("jwk"))), "failure")
expect("bind: another key than signed", outcome(
    client.bind(binding(), dialect.new_key(), header=lambda header: header.update(jwk=dialect.new_key().jwk()))),
    "failure")
expect("bind: a private key", outcome(
    client.bind(binding(), dialect.new_key(), header=lambda header: header["jwk"].update(d="AAAA"))), "failure")
expect("bind: a key for something else", outcome(
    client.bind(binding(), dialect.new_key(), header=lambda header: header["jwk"].update(use="enc"))), "failure")
expect("bind: a key of another algorithm", outcome(
    client.bind(binding(), dialect.new_key(), header=lambda header: header["jwk"].update(alg="RS384"))), "failure")
expect("bind: a key of another name", outcome(
    client.bind(binding(), dialect.new_key(), header=lambda header: header["jwk"].update(kid="other"))), "failure")
own_key = dialect.new_key()
own_key.private = key.private
expect("bind: a key that is bound, under a new name", outcome(client.bind(binding(), own_key)), "failure")
same_key = dialect.new_key()
same_key.private = others_key.private
expect("bind: another user's key under a new name", outcome(client.bind(binding(), same_key)), "failure")
before = key_count()
expect("bind: no deviceId, no endless loop", outcome(client.bind(binding(), dialect.new_key(), device_id="")), "failure")
expect("bind: nothing at all", outcome(client.resume(binding())), "failure")
expect("bind: nothing was bound", key_count(), before)
expect("bind: a user who is only named", outcome(
    client.name_user(client.begin("bind-named"), user)), "401")


def tampered(answer, kind, signer, **more):
    """Answers with a message whose payload differs from the signed one."""
    callback = answer.callback(kind)
    binds = kind == "DeviceBindingCallback"
    message = client.message(signer, universal(user), answer.output(kind, "challenge"), 60, binds)
    header, payload, signature = message.split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    payload = base64url(dialect.payload({**claims, "amount": "1000000"}).encode())
    dialect.fill(callback, {"jws": ".".join([header, payload, signature]), **more})
    return client.resume(answer)


expect("bind: tampered payload", outcome(tampered(
    binding(), "DeviceBindingCallback", dialect.new_key(), deviceName="Phone", deviceId="machine")), "failure")
expect("bind: tampered payload, nothing bound", key_count(), before)

# Signatures only
expect("sign: tampered payload", outcome(tampered(signing(), "DeviceSigningVerifierCallback", key)), "failure")
expect("sign: unknown kid, user authenticated", outcome(client.sign(signing(), dialect.new_key())), "keyNotFound")
impostor = dialect.new_key()
impostor.kid = key.kid
expect("sign: right kid with another key", outcome(client.sign(signing(), impostor)), "failure")
expect("sign: right kid with another key in the header", outcome(
    client.sign(signing(), impostor, header=lambda header: header.update(jwk=impostor.jwk()))), "failure")
expect("sign: other user's sub", outcome(
    client.sign(signing(), key, change=set_claim("sub", universal(other)))), "401")
expect("sign: other user's key", outcome(client.sign(signing(), others_key)), "keyNotFound")
expect("sign: no sub", outcome(client.sign(signing(), key, change=set_claim("sub", None))), "401")
expect("sign: nothing at all", outcome(client.resume(signing())), "failure")


def confused(header_alg):
    """Uses the public key as an HMAC secret, which works if the server trusts the message's algorithm."""
    answer = signing()
    callback = answer.callback("DeviceSigningVerifierCallback")
    message = client.message(
        key, universal(user), answer.output("DeviceSigningVerifierCallback", "challenge"), 60, False,
        header=lambda header: header.update(alg=header_alg))
    signed = message.rpartition(".")[0]
    mac = hmac.new(json.dumps(key.jwk()).encode(), signed.encode(), hashlib.sha256).digest()
    dialect.fill(callback, {"jws": signed + "." + base64url(mac)})
    return client.resume(answer)


expect("sign: the public key as a secret", outcome(confused("HS256")), "failure")
if key.alg == "RS512":
    weaker = Key("RSA")
    weaker.kid, weaker.private, weaker.alg = key.kid, key.private, "RS256"
    expect("sign: another algorithm of the same key", outcome(client.sign(signing(), weaker)), "failure")

# An unknown client cannot find out which users have keys
nobody = "no-such-user"
for name, what in [(user, "a user with keys"), (nobody, "no such user")]:
    stranger = dialect.new_key()
    expect(f"usernameless: unknown kid of {what}", outcome(
        client.sign(usernameless(), stranger, universal(name))), "failure")
named = client.name_user(client.begin("sign-named"), nobody)
assert named.output("DeviceSigningVerifierCallback", "userId") == universal(nobody)
expect("sign: a named user that there is not is asked like any other", outcome(
    client.sign(named, dialect.new_key())), "failure")
expect("usernameless: other user's sub", outcome(client.sign(usernameless(), key, universal(other))), "failure")
expect("usernameless: sub of another realm", outcome(
    client.sign(usernameless(), key, f"id={user},ou=user,o=elsewhere,ou=services,ou=am-config")), "401")
expect("usernameless: empty sub", outcome(client.sign(usernameless(), key, "")), "401")
expect("sign: no device, user authenticated", outcome(signing(name="without-keys")), "noDeviceRegistered")

# The reason of a refusal, for the journey's next node
def captured(name=user):
    return client.name_user(client.begin("sign-captured"), name)


expect("captured: INVALID_CLAIM", outcome(
    client.sign(captured(), key, change=set_claim("iss", "com.example.other"))), "INVALID_CLAIM")
expect("captured: INVALID_SIGNATURE", outcome(client.sign(captured(), impostor)), "INVALID_SIGNATURE")
expect("captured: INVALID_SUBJECT", outcome(
    client.sign(captured(), key, change=set_claim("sub", universal(other)))), "INVALID_SUBJECT")
expect("captured: INVALID_SUBJECT for no sub", outcome(
    client.sign(captured(), key, change=set_claim("sub", None))), "INVALID_SUBJECT")
expect("captured: INVALID_USER", outcome(captured("no name of a user\u200b")), "INVALID_USER")
expect("captured: a good signature", outcome(client.sign(captured(), key)), "success")

# Errors that a client reports
for error in ["Timeout", "Abort", "Unsupported", "ClientNotRegistered"]:
    answer = client.fail(signing(), "DeviceSigningVerifierCallback", error)
    expect(f"sign: clientError {error}", outcome(answer), error)
expect("bind: clientError Custom, as configured", outcome(
    client.fail(binding(), "DeviceBindingCallback", "Custom")), "Custom")
for error in ["success", "true", "keyNotFound", "noDeviceRegistered", "exceedDeviceLimit", "timeout", "Other"]:
    expect(f"sign: clientError {error}", outcome(
        client.fail(signing(), "DeviceSigningVerifierCallback", error)), "failure")
    expect(f"bind: clientError {error}", outcome(
        client.fail(binding(), "DeviceBindingCallback", error)), "failure")

# Each question is answered once. An unknown client may repeat answers that have no effect.
answer = usernameless()
assert outcome(client.sign(answer, key, universal(user))) == "success"
expect("sign: the same answer again", outcome(client.resume(answer)), "401")
answer = usernameless()
assert outcome(client.sign(answer, impostor, universal(user))) == "failure"
expect("sign: a good answer after a refused one", outcome(client.sign(answer, key, universal(user))), "success")
expect("sign: another good answer after that", outcome(client.sign(answer, key, universal(user))), "401")
answer = signing()
assert outcome(client.sign(answer, impostor)) == "failure"
expect("sign: a good answer of somebody known after a refused one", outcome(client.sign(answer, key)), "401")
first, second = usernameless(), usernameless()
callback = first.callback("DeviceSigningVerifierCallback")
dialect.fill(callback, {"jws": client.message(
    key, universal(user), second.output("DeviceSigningVerifierCallback", "challenge"), 60, False)})
expect("sign: the challenge of another session", outcome(client.resume(first)), "failure")
answer = usernameless()
answer.json["authId"] = answer.json["authId"][:-4] + ("AAAA" if answer.json["authId"][-4:] != "AAAA" else "BBBB")
expect("authId: changed", outcome(client.sign(answer, key, universal(user))), "401")
answer = usernameless()
head, payload, mac = answer.json["authId"].split(".")
answer.json["authId"] = base64url(b'{"typ":"JWT","alg":"none"}') + "." + payload + "."
expect("authId: alg none", outcome(client.sign(answer, key, universal(user))), "401")

# Challenges with a meaning, and claims that are compared
def transfer(text="Pay 100.00 EUR", **claims):
    """Signs a transfer as a logged-in user."""
    client.token = client.log_in(client.begin("login"), user, password).json["tokenId"]
    answer = client.begin("transfer")
    client.token = None
    answer.callback("TextInputCallback")["input"][0]["value"] = text
    answer = client.resume(answer)
    assert answer.output("DeviceSigningVerifierCallback", "challenge") == text
    return client.sign(answer, key, universal(user), change=lambda all_claims: all_claims.update(claims))


expect("transfer: signed, with the claim that is asked for", outcome(transfer(amount="100.00")), "success")
# The note makes it another message, even if it is signed in the same second.
expect("transfer: the same text again", outcome(transfer(amount="100.00", note="again")), "success")
expect("transfer: another amount", outcome(transfer(amount="900.00")), "wrong amount")
expect("transfer: no amount", outcome(transfer()), "wrong amount")
# A number is never equal to the text, however it is written.
expect("transfer: an amount that is a number", outcome(transfer(amount=100.00)), "wrong amount")
answer = client.begin("transfer")
answer.callback("TextInputCallback")["input"][0]["value"] = "Pay 100.00 EUR"
expect("transfer: by nobody who is known", outcome(client.resume(answer)), "401")

# Settings of a node: texts in two languages, a timeout of ten seconds, and only the iOS app
def worded(languages=None):
    client.languages = languages
    answer = client.log_in(client.begin("worded"), user, password)
    client.languages = None
    return answer


def worded_signing(languages=None):
    """Binds a key, then signs with the same key."""
    own = dialect.new_key()
    answer = worded()
    client.languages = languages
    answer = client.bind(answer, own, change=set_claim("iss", IOS.application))
    client.languages = None
    return own, answer


def check_texts(what, answer, title, subtitle, description):
    """Checks the texts, byte for byte."""
    callback = answer.json["callbacks"][0]
    outputs = {pair["name"]: pair["value"] for pair in callback["output"]}
    begin = f'{{"name":"userId","value":"{universal(user)}"}},'
    end = ""
    inputs = ["jws", "clientError"]
    if callback["type"] == "DeviceBindingCallback":
        begin += f'{{"name":"username","value":"{user}"}},{{"name":"authenticationType","value":"NONE"}},'
        end = ',{"name":"attestation","value":false}'
        inputs = ["jws", "deviceName", "deviceId", "clientError"]
    empty = ",".join(f'{{"name":"IDToken1{name}","value":""}}' for name in inputs)
    expect(what, answer.text, (
        f'{{"authId":"{answer.json["authId"]}","callbacks":[{{"type":"{callback["type"]}","output":[{begin}'
        f'{{"name":"challenge","value":"{outputs["challenge"]}"}},{{"name":"title","value":"{title}"}},'
        f'{{"name":"subtitle","value":"{subtitle}"}},{{"name":"description","value":"{description}"}},'
        f'{{"name":"timeout","value":10}}{end}],"input":[{empty}]}}]}}'))


def claims_of(application, life):
    return lambda claims: claims.update(iss=application, exp=claims["iat"] + life)


GERMAN, ENGLISH, FRENCH = "de-CH, de;q=0.9, en;q=0.8", "en", "fr"
for languages, texts in [
    (GERMAN, ("Gerät binden", "Ein Schlüssel für dieses Gerät", "Bitte bestätigen")),
    (ENGLISH, ("Bind the device", "A key for this device", "Please confirm")),
    (FRENCH, ("Bind the device", "A key for this device", "Please confirm")),
]:
    check_texts(f"worded: a binding in {languages}", worded(languages), *texts)
for languages, texts in [
    (GERMAN, ("Anmeldung", "Mit diesem Gerät", "One text for all")),
    (ENGLISH, ("Sign in", "With this device", "One text for all")),
    (FRENCH, ("Sign in", "With this device", "One text for all")),
]:
    check_texts(f"worded: a signature in {languages}", worded_signing(languages)[1], *texts)
for what, application, life, wanted in [
    ("the other app", Android.application, 10, "bind failed"),
    ("beyond ten seconds and a minute", IOS.application, 10 + 60 + 30, "bind failed"),
]:
    before = key_count()
    expect(f"worded: bind: {what}", outcome(
        client.bind(worded(), dialect.new_key(), change=claims_of(application, life))), wanted)
    expect(f"worded: bind: {what}, nothing bound", key_count(), before)
# The key belongs to the other app, too. That it signed for an app that does not own it is another reason.
androids = dialect.new_key()
expect("worded: a key of the other app is bound elsewhere", outcome(
    client.bind(binding(), androids, change=set_claim("iss", Android.application))), "success")
expect("worded: and signs elsewhere", outcome(
    client.sign(signing(), androids, change=set_claim("iss", Android.application))), "success")
expect("worded: sign: the other app", outcome(
    client.sign(worded_signing()[1], androids, change=claims_of(Android.application, 10))), "sign failed")
own, answer = worded_signing()
expect("worded: sign: beyond ten seconds and a minute", outcome(
    client.sign(answer, own, change=claims_of(IOS.application, 10 + 60 + 30))), "sign failed")
own, answer = worded_signing()
expect("worded: the app for iOS, in time", outcome(
    client.sign(answer, own, change=claims_of(IOS.application, 10))), "success")
own = dialect.new_key()
answer = client.bind(worded(), own, change=claims_of(IOS.application, 10 + 60 - 5))
expect("worded: the app for iOS, nearly out of time", outcome(
    client.sign(answer, own, change=claims_of(IOS.application, 10 + 60 - 5))), "success")

# Keys that wait for a storage node
before = key_count()
expect("postponed without a storage node: the journey succeeds", outcome(
    client.bind(binding("bind-postponed"), dialect.new_key())), "success")
expect("postponed without a storage node: nothing is stored", key_count(), before)

# Malformed requests
for what, body in [
    ("no JSON", b"{"), ("duplicate member", b'{"authId":"a","authId":"b","callbacks":[]}'),
    ("authId is no text", b'{"authId":1,"callbacks":[]}'), ("no callbacks", b'{"authId":"a"}'),
    ("callbacks are no list", b'{"authId":"a","callbacks":{}}'),
    ("an input twice", json.dumps({"authId": "a", "callbacks": [
        {"type": "NameCallback", "input": [{"name": "IDToken1", "value": "a"}, {"name": "IDToken1", "value": "b"}]}
    ]}).encode()),
]:
    answer = client.request("POST", "authenticate", body)
    assert answer.json["code"] == 400 and answer.json["reason"] == "Bad Request", answer.text
    expect(f"request: {what}", answer.status, 400)
expect("request: too large", client.request("POST", "authenticate", b'"' + b"x" * 70000 + b'"').status, 413)
expect("request: no such journey", outcome(client.begin("no-such-journey")), "401")
elsewhere = Client(base, "elsewhere", dialect)
expect("request: another realm", elsewhere.begin("login").status, 404)
sys.exit("\n".join(wrong) or None)
