"""Plays a year of an app: bind, sign, sign without a name, rename, unbind, bind again.

Usage: story.py DIALECT URL REALM USER PASSWORD
"""

import base64
import json
import re
import sys

from journeyclient import IOS, Android, Client

dialect = {"ios": IOS, "android": Android}[sys.argv[1]]()
base, realm, user, password = sys.argv[2:6]
client = Client(base, realm, dialect)
user_id = f"id={user},ou=user,o={realm},ou=services,ou=am-config"
TEXTS = (
    '{"name":"title","value":"Authentication required"},{"name":"subtitle","value":"Cryptography device binding"},'
    '{"name":"description","value":"Please complete with biometric to proceed"},{"name":"timeout","value":60}'
)


def step(name):
    print(name, flush=True)


def check_done(answer):
    assert answer.is_done, answer.text
    token = answer.json["tokenId"]
    assert answer.text == (
        f'{{"tokenId":"{token}","successUrl":"/enduser/?realm=/{realm}","realm":"/{realm}"}}'
    ), answer.text
    assert len(token) >= 43
    return token


def check_session(journey, more=""):
    """Checks the session byte for byte: PingAM's members come first, in its order."""
    answer = client.session()
    began, end = answer.json["latestAccessTime"], answer.json["maxSessionExpirationTime"]
    for moment in [began, end]:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", moment), moment
    assert answer.text == (
        f'{{"username":"{user}","universalId":"{user_id}","realm":"/{realm}","latestAccessTime":"{began}",'
        f'"maxIdleExpirationTime":"{end}","maxSessionExpirationTime":"{end}","journey":"{journey}"{more}}}'
    ), answer.text
    return answer


def device_text(device, key, name):
    """Returns a device as PingAM lists it, except for the last member."""
    public = key.jwk()
    parts = ["kty", "kid", "use", "alg"] + (["n", "e"] if public["kty"] == "RSA" else ["crv", "x", "y"])
    jwk = ",".join(f'"{part}":"{public[part]}"' for part in parts)
    return (
        f'"_id":"{key.kid}","_rev":"{device["_rev"]}","createdDate":{device["createdDate"]},'
        f'"lastAccessDate":{device["lastAccessDate"]},"deviceId":"{client.device_id}","deviceName":"{name}",'
        f'"uuid":"{key.kid}","key":{{{jwk}}}'
    )


def check_auth_id(text):
    header, payload, _ = text.split(".")
    pad = lambda part: base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    assert pad(header) == b'{"typ":"JWT","alg":"HS256"}'
    claims = json.loads(pad(payload))
    assert set(claims) == {"otk", "authIndexType", "authIndexValue", "realm", "sessionId", "iat", "exp"}
    assert claims["exp"] - claims["iat"] <= 300


def bind(key, journey="bind", name="Test phone"):
    answer = client.log_in(client.begin(journey, "&ForceAuth=true"), user, password)
    challenge = answer.output("DeviceBindingCallback", "challenge")
    assert re.fullmatch(r"[A-Za-z0-9+/]{43}=", challenge)
    protection = answer.output("DeviceBindingCallback", "authenticationType")
    assert protection == "BIOMETRIC_ALLOW_FALLBACK", "the default of PingAM's node"
    # Byte for byte, including the order.
    assert answer.text == (
        f'{{"authId":"{answer.json["authId"]}","callbacks":[{{"type":"DeviceBindingCallback","output":['
        f'{{"name":"userId","value":"{user_id}"}},{{"name":"username","value":"{user}"}},'
        f'{{"name":"authenticationType","value":"{protection}"}},{{"name":"challenge","value":"{challenge}"}},{TEXTS},'
        '{"name":"attestation","value":false}],"input":[{"name":"IDToken1jws","value":""},'
        '{"name":"IDToken1deviceName","value":""},{"name":"IDToken1deviceId","value":""},'
        '{"name":"IDToken1clientError","value":""}]}]}'
    ), answer.text
    check_auth_id(answer.json["authId"])
    client.token = None
    client.token = check_done(client.bind(answer, key, name=name))


step("login")
answer = client.begin("login")
assert answer.text == (
    f'{{"authId":"{answer.json["authId"]}","callbacks":[{{"type":"NameCallback","output":[{{"name":"prompt","value":"User Name"}}],'
    '"input":[{"name":"IDToken1","value":""}]},{"type":"PasswordCallback","output":[{"name":"prompt","value":"Password"}],'
    '"input":[{"name":"IDToken2","value":""}]}],"stage":"UsernamePassword"}'
), answer.text
client.token = check_done(client.log_in(answer, user, password))
assert check_done(client.begin("login")) == client.token, "a session of the same journey is given again"
assert client.begin("login", "&ForceAuth=true").is_more
assert client.sign_off().status == 200
assert client.session().status == 401

step("wrong password")
answer = client.log_in(client.begin("login"), user, "wrong " + password)
assert answer.status == 401
assert answer.text == '{"code":401,"reason":"Unauthorized","message":"Login failure"}', answer.text

step("no session asked for")
answer = client.log_in(client.begin("login", "&noSession=true"), user, password)
assert answer.is_done and "tokenId" not in answer.json and answer.json["realm"] == f"/{realm}", answer.text

step("bind")
key = dialect.new_key()
bind(key)
check_session("bind")

step("sign")
client.token = None
answer = client.name_user(client.begin("sign"), user)
challenge = answer.output("DeviceSigningVerifierCallback", "challenge")
assert answer.text == (
    f'{{"authId":"{answer.json["authId"]}","callbacks":[{{"type":"DeviceSigningVerifierCallback","output":['
    f'{{"name":"userId","value":"{user_id}"}},{{"name":"challenge","value":"{challenge}"}},{TEXTS}],'
    '"input":[{"name":"IDToken1jws","value":""},{"name":"IDToken1clientError","value":""}]}]}'
), answer.text
check_done(client.sign(answer, key))

step("usernameless sign")
answer = client.begin("usernameless-sign")
assert answer.output("DeviceSigningVerifierCallback", "userId") == ""
challenge = answer.output("DeviceSigningVerifierCallback", "challenge")
client.token = check_done(client.sign(answer, key, user_id, change=lambda claims: claims.update(amount=1.50)))
moment = client.session().json["signed"]["at"]
check_session("usernameless-sign", (
    f',"signedBy":"{key.kid}","signed":{{"challenge":"{challenge}","claims":{{"amount":1.5}},"at":"{moment}"}}'))

step("list")
answer = client.devices(user)
listed = answer.json["result"]
assert len(listed) == 1
device = listed[0]
assert answer.text == (
    f'{{"result":[{{{device_text(device, key, "Test phone")},"deviceManagementStatus":false}}],"resultCount":1,'
    '"pagedResultsCookie":null,"totalPagedResultsPolicy":"NONE","totalPagedResults":-1,"remainingPagedResults":-1}'
), answer.text
assert re.fullmatch(r"\d+", device["_rev"])
assert device["createdDate"] % 1000 == 0 and device["lastAccessDate"] >= device["createdDate"] > 1_700_000_000_000

step("rename")
renamed = client.rename(user, device, "Alice’s phone")
assert renamed.status == 200
assert renamed.text == f'{{{device_text(renamed.json, key, "Alice’s phone")},"recoveryCodes":[]}}', renamed.text
again = client.devices(user).json["result"][0]
assert again["deviceName"] == "Alice’s phone" and again["_rev"] != device["_rev"]

step("others' devices")
assert client.devices("somebody-else").status == 404
token, client.token = client.token, None
assert client.devices(user).status == 401
client.token = token

step("unbind")
# The older SDK names the user by the universal id, which one dialect escapes and the other does not.
assert ("id=" in client.devices_path(user_id)) == (dialect.platform == "android")
removed = client.unbind(user_id, key.kid)
assert removed.status == 200
assert removed.text == (
    f'{{{device_text(removed.json, key, "Alice’s phone")},"deviceManagementStatus":false}}'), removed.text
assert client.devices(user).json["result"] == []
assert client.unbind(user, key.kid).status == 404
assert client.session().status == 200, "the session that removed the key goes on"
# The user is known, but without a key there is nothing to ask.
assert client.name_user(client.begin("sign", "&ForceAuth=true"), user).status == 401
client.token = None
assert client.sign(client.begin("usernameless-sign"), key, user_id).status == 401

step("bind again")
client.token = None
other = dialect.new_key()
bind(other, name="")
client.token = None
client.token = check_done(client.sign(client.begin("usernameless-sign"), other, user_id))
assert [device["deviceName"] for device in client.devices(user).json["result"]] == ["Device Name"]

step("bind through the state")
third = dialect.new_key()
bind(third, "bind-transient")
assert {device["_id"] for device in client.devices(user).json["result"]} == {other.kid, third.kid}

step("other forms")
client.token = None


def sign_with(signer, **changes):
    assert client.sign(client.begin("usernameless-sign"), signer, user_id, **changes).is_done, changes


def check_listed(bound):
    """Checks a listed key byte for byte; it was bound as `Test phone`."""
    client.token = check_done(client.log_in(client.begin("login", "&ForceAuth=true"), user, password))
    answer = client.devices(user)
    device = next(device for device in answer.json["result"] if device["_id"] == bound.kid)
    text = f'{{{device_text(device, bound, "Test phone")},"deviceManagementStatus":false}}'
    assert text in answer.text, (text, answer.text)
    client.token = None


def least(claims):
    for name in set(claims) - {"sub", "iss", "challenge", "exp"}:
        del claims[name]


sign_with(third, header=lambda header: header.update(typ="JWT"))
sign_with(third, header=lambda header: header.pop("typ", None))
sign_with(third, header=lambda header: header.update(jwk=other.jwk()))
sign_with(third, change=least)
sign_with(third, change=lambda claims: claims.update(unknown={"a": [1, 2.5, None, True]}))
sign_with(third, change=lambda claims: claims.update(exp=claims["exp"] - 60 - 25))
if third.alg == "RS512":
    for alg in ["RS256", "RS384", "RS512"]:
        fourth = dialect.new_key()
        fourth.alg = alg
        answer = client.log_in(client.begin("bind"), user, password)
        chain = [base64.b64encode(b"a certificate").decode()]
        answer = client.bind(answer, fourth, header=lambda header: header["jwk"].update(x5c=chain), change=least)
        assert answer.is_done, answer.text
        sign_with(fourth)
        # Without the certificate chain, because the server has not verified it.
        check_listed(fourth)
# The list states the key's use and algorithm, even if the key itself does not.
terse = dialect.new_key()


def say_nothing(header):
    for name in ["use", "alg", "kid"]:
        del header["jwk"][name]


answer = client.bind(client.log_in(client.begin("bind"), user, password), terse, header=say_nothing)
assert answer.is_done, answer.text
sign_with(terse)
check_listed(terse)
# The type of the key tells a client's platform, not the claim, because an app may claim any platform.
for said in ["ios", "android", "another", None, 1]:
    fifth = dialect.new_key()
    answer = client.log_in(client.begin("bind"), user, password)
    assert answer.output("DeviceBindingCallback", "attestation") is False
    answer = client.bind(answer, fifth, change=lambda claims: claims.update({"platform": said}))
    assert answer.is_done, answer.text
    sign_with(fifth, change=lambda claims: claims.update({"platform": said}))
    client.token = check_done(client.log_in(client.begin("login", "&ForceAuth=true"), user, password))
    listed = next(device for device in client.devices(user).json["result"] if device["_id"] == fifth.kid)
    assert listed["key"] == fifth.jwk(), listed
    client.token = None
client.token = check_done(client.sign(client.begin("usernameless-sign"), third, user_id))

step("sign off")
assert client.sign_off().json == {"result": "Successfully logged out"}
