"""Logs a person in to apps that are built with Authlib, a client library that knows nothing of Nightlatch.

Usage: authlib_client.py SETTINGS header|chromium|page

SETTINGS is a JSON file with the members `issuer`; `journeys`, the address of the realm's journeys; `cookie`, the name
of the session's cookie; `user` and `password`; `command` and `backend_key_file`, the path of `nightlatch` and the key
with which it allows a device; `port`, which is free; and `apps`, each with its `client_id`: `public`, `confidential`
with `client_secret`, and `keyed` with `private_key`, a private JWK. All three have the redirect URI
`http://127.0.0.1/callback` and the logout URI `http://127.0.0.1:PORT/goodbye.html`.

The second argument says how the person opens the authorization endpoint: with a session in a header, with that header
in Chromium, or in Chromium without a session. Then the person logs in on the login page, and the phone is the command
`nightlatch`. Prints a line for each thing that was checked. Ends with status 0, or with status 1 and the error.

Authlib itself reads the discovery document, makes state, nonce and the challenge of PKCE, authenticates the app, and
verifies the ID token by the published keys.
"""

import base64
import hashlib
import json
import os
import sys
import time
import urllib.parse

# The server of the tests has no TLS.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.base_client import BaseApp, OAuthError  # noqa: E402
from authlib.integrations.base_client.sync_app import OAuth2Mixin  # noqa: E402
from authlib.integrations.base_client.sync_openid import OpenIDMixin  # noqa: E402
from authlib.integrations.requests_client import OAuth2Session  # noqa: E402
from authlib.oauth2 import rfc9207  # noqa: E402
from authlib.oauth2.rfc7523 import PrivateKeyJWT  # noqa: E402
from authlib.oauth2.rfc9068.claims import JWTAccessTokenClaims  # noqa: E402
from authlib.oidc.core import CodeIDToken  # noqa: E402
from authlib.oidc.discovery import OpenIDProviderMetadata  # noqa: E402
from joserfc import jwt  # noqa: E402
from joserfc.errors import JoseError  # noqa: E402
from joserfc.jwk import ECKey, KeySet  # noqa: E402

from login_page import Page  # noqa: E402
from person import WAIT_SECONDS, Chromium, Header, Landing, Settings  # noqa: E402

SCOPE = "openid profile email"


class ShortPrivateKeyJWT(PrivateKeyJWT):
    """Signs assertions that are valid for five minutes. Authlib's own are valid for an hour, the server takes ten
    minutes."""

    def sign(self, auth, token_endpoint):
        # A new dictionary each time, because Authlib adds the `jti` to it.
        self.claims = {"exp": int(time.time()) + 300}
        return super().sign(auth, token_endpoint)


class App(OAuth2Mixin, OpenIDMixin, BaseApp):
    """An app as Authlib's integrations of web frameworks build it, without a framework."""

    client_cls = OAuth2Session

    def __init__(self, issuer, client_id, client_secret=None, private_key=None):
        # Authlib signs assertions with RS256 by default.
        methods = [ShortPrivateKeyJWT(f"{issuer}/oauth/token", alg="ES256")] if private_key else []
        method = "private_key_jwt" if private_key else "client_secret_basic" if client_secret else "none"
        secret = ECKey.import_key(private_key) if private_key else client_secret
        super().__init__(
            None, "nightlatch", client_id=client_id, client_secret=secret, client_auth_methods=methods,
            server_metadata_url=f"{issuer}/.well-known/openid-configuration",
            client_kwargs={
                "scope": SCOPE, "code_challenge_method": "S256", "token_endpoint_auth_method": method,
                "revocation_endpoint_auth_method": method, "default_timeout": WAIT_SECONDS})

    def _on_update_token(self, token, refresh_token=None, access_token=None):
        """Would tell the framework."""

    def oauth(self):
        """Returns Authlib's session for the endpoints that its integrations do not use."""
        return self._get_oauth_client(**self.load_server_metadata())

    def endpoint(self, name):
        return self.load_server_metadata()[f"{name}_endpoint"]

    def authorize(self, person, **more):
        """Sends the person to the authorization endpoint. Returns what the app remembers, and the answer."""
        request = self.create_authorization_url(person.landing.uri, **more)
        mode, answer = person.answer(request["url"])
        assert mode == more.get("response_mode", "query"), f"an answer by {mode}"
        self.check_answer(request, answer)
        return request, answer

    def check_answer(self, request, answer):
        assert answer["state"] == request["state"], answer
        assert answer["iss"] == self.load_server_metadata()["issuer"], answer

    def redeem(self, person, request, code, **changed):
        parameters = {"code": code, "code_verifier": request["code_verifier"], **changed}
        return self.fetch_access_token(person.landing.uri, **parameters)

    def tokens(self, person, **more):
        """Goes through the flow, and has Authlib verify the ID token. Returns the tokens and its claims."""
        request, answer = self.authorize(person, **more)
        tokens = self.redeem(person, request, answer["code"])
        return tokens, self.parse_id_token(tokens, request["nonce"], self.expected_claims())

    def expected_claims(self):
        return {
            "iss": {"essential": True, "value": self.load_server_metadata()["issuer"]},
            "aud": {"essential": True, "value": self.client_id},
            "exp": {"essential": True}, "iat": {"essential": True}, "nonce": {"essential": True},
            "auth_time": {"essential": True}, "at_hash": {"essential": True},
        }

    def introspect(self, token, hint=None):
        return self.oauth().introspect_token(self.endpoint("introspection"), token, hint)


def expect_refused(error, action):
    """Checks that Authlib raises an error of the server with this word."""
    try:
        found = action()
    except OAuthError as refused:
        assert refused.error == error, f"{refused.error} ({refused.description}), not {error}"
        assert refused.description, f"{error} without a description"
        return
    raise AssertionError(f"no {error}, but {found}")


def expect_unverified(why, action):
    """Checks that Authlib does not accept a token."""
    try:
        action()
    except JoseError as error:
        assert why in f"{error}", error
        return
    raise AssertionError(f"accepted: {why}")


def check_discovery(settings, apps, person):
    """the discovery document, by the rules of OpenID Connect Discovery and of its extensions"""
    found = OpenIDProviderMetadata(apps["public"].load_server_metadata())
    # The server departs from the rules in this member alone: they demand RS256, for which it has no key.
    assert found["id_token_signing_alg_values_supported"] == ["ES256"]
    OpenIDProviderMetadata(found, id_token_signing_alg_values_supported=["ES256", "RS256"]).validate(
        metadata_classes=[rfc9207.AuthorizationServerMetadata])
    assert found["issuer"] == settings.issuer
    assert found["authorization_response_iss_parameter_supported"] is True
    assert found["code_challenge_methods_supported"] == ["S256"]


def check_public(settings, apps, person):
    """code flow of a public app: PKCE, state, nonce, ID token, access token, user information"""
    app = apps["public"]
    tokens, claims = app.tokens(person)
    assert tokens["token_type"] == "Bearer" and set(tokens["scope"].split()) == set(SCOPE.split()), tokens["scope"]
    assert claims["sub"] == settings.user and abs(time.time() - claims["auth_time"]) < 3600
    keys = KeySet.import_key_set(app.fetch_jwk_set())
    signed = jwt.decode(tokens["id_token"], keys, algorithms=["ES256"])
    assert signed.header["alg"] == "ES256" and signed.header["kid"], signed.header
    half = hashlib.sha256(tokens["access_token"].encode()).digest()[:16]
    assert claims["at_hash"] == base64.urlsafe_b64encode(half).rstrip(b"=").decode()
    access = jwt.decode(tokens["access_token"], keys, algorithms=["ES256"])
    assert access.header["typ"] == "at+jwt", access.header
    JWTAccessTokenClaims(access.claims, access.header, {
        name: {"essential": True} for name in ("iss", "sub", "aud", "exp", "iat", "jti", "client_id")
    }).validate(now=None, leeway=0)
    assert access.claims["client_id"] == app.client_id and access.claims["sub"] == settings.user
    found = app.userinfo(token=tokens)
    assert found["sub"] == claims["sub"]
    for source in (claims, found):
        assert (source["email"], source["email_verified"]) == (f"{settings.user}@example.com", True), source
        assert (source["name"], source["preferred_username"]) == (f"{settings.user} Example", settings.user), source
    assert not {"email", "name"} & set(access.claims), access.claims


def check_forgeries(settings, apps, person):
    """Authlib does not accept the ID token of another app, nonce or access token, a changed or an expired one"""
    app, other = apps["public"], apps["confidential"]
    request, answer = app.authorize(person)
    tokens = app.redeem(person, request, answer["code"])

    def parse(reader=app, nonce=request["nonce"], **changed):
        return reader.parse_id_token({**tokens, **changed}, nonce, reader.expected_claims())

    parse()
    expect_unverified("aud", lambda: parse(reader=other))
    expect_unverified("nonce", lambda: parse(nonce="another"))
    expect_unverified("at_hash", lambda: parse(access_token=tokens["access_token"] + "A"))
    header, payload, signature = tokens["id_token"].split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    claims["sub"] = "bob"
    changed = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    expect_unverified("bad_signature", lambda: parse(id_token=".".join([header, changed, signature])))
    read = jwt.decode(tokens["id_token"], KeySet.import_key_set(app.fetch_jwk_set()), algorithms=["ES256"])
    later = CodeIDToken(read.claims, read.header, {}, {"nonce": request["nonce"]})
    expect_unverified("expired", lambda: later.validate(now=read.claims["exp"] + 1))


def check_refusals(settings, apps, person):
    """a code is refused with a wrong verifier, to another app, at another address, and the second time"""
    app, other = apps["public"], apps["confidential"]

    def fresh():
        request, answer = app.authorize(person)
        return request, answer["code"]

    request, code = fresh()
    expect_refused("invalid_grant", lambda: app.redeem(person, request, code, code_verifier="A" * 43))
    request, code = fresh()
    expect_refused("invalid_grant", lambda: other.redeem(person, request, code))
    request, code = fresh()
    expect_refused("invalid_grant", lambda: app.fetch_access_token(
        "http://127.0.0.1/callback", code=code, code_verifier=request["code_verifier"]))
    request, code = fresh()
    tokens = app.redeem(person, request, code)
    assert app.userinfo(token=tokens)["sub"] == settings.user
    expect_refused("invalid_grant", lambda: app.redeem(person, request, code))
    assert app.get(app.endpoint("userinfo"), token=tokens).status_code == 401, "the code's tokens live on"


def check_errors(settings, apps, person):
    """errors of the authorization endpoint come with state and iss"""
    app = apps["public"]
    cases = {
        # The session began with another journey.
        "login_required": {"prompt": "none", "acr_values": "bind"}, "invalid_scope": {"scope": "openid-unknown"},
        "unsupported_response_type": {"response_type": "token"}, "request_not_supported": {"request": "e30.e30."},
    }
    for error, more in cases.items():
        request, answer = app.authorize(person, **more)
        assert answer["error"] == error and answer["error_description"] and "code" not in answer, answer


def check_refresh(settings, apps, person):
    """refresh: new tokens, whose ID token names the same user and time; a token of another app is refused"""
    for name in ("public", "confidential", "keyed"):
        app = apps[name]
        tokens, claims = app.tokens(person)
        session = app.oauth()
        renewed = session.refresh_token(app.endpoint("token"), tokens["refresh_token"])
        assert renewed["access_token"] != tokens["access_token"], "the same access token"
        again = jwt.decode(renewed["id_token"], KeySet.import_key_set(app.fetch_jwk_set()), algorithms=["ES256"])
        read = CodeIDToken(again.claims, again.header, {"aud": {"value": app.client_id}},
                           {"access_token": renewed["access_token"], "client_id": app.client_id})
        read.validate()
        for member in ("iss", "sub", "aud", "auth_time"):
            assert read[member] == claims[member], (member, read[member], claims[member])
        assert read["iat"] >= claims["iat"]
        assert app.userinfo(token=renewed)["sub"] == settings.user
        other = apps["public" if name != "public" else "confidential"]
        expect_refused("invalid_grant", lambda: other.oauth().refresh_token(
            other.endpoint("token"), renewed["refresh_token"]))


def check_revocation(settings, apps, person):
    """revocation of a refresh token ends its access token; of an access token ends that one"""
    for name, app in apps.items():
        tokens, _ = app.tokens(person)
        session = app.oauth()
        answer = session.revoke_token(app.endpoint("revocation"), tokens["access_token"], "access_token")
        assert answer.status_code == 200, (name, answer.status_code, answer.text)
        assert app.get(app.endpoint("userinfo"), token=tokens).status_code == 401
        renewed = session.refresh_token(app.endpoint("token"), tokens["refresh_token"])
        assert app.userinfo(token=renewed)["sub"] == settings.user
        answer = session.revoke_token(app.endpoint("revocation"), renewed["refresh_token"], "refresh_token")
        assert answer.status_code == 200, (name, answer.status_code, answer.text)
        refused = app.get(app.endpoint("userinfo"), token=renewed)
        assert refused.status_code == 401 and "invalid_token" in refused.headers["WWW-Authenticate"], refused.headers
        expect_refused("invalid_grant", lambda: session.refresh_token(app.endpoint("token"), renewed["refresh_token"]))
        assert session.revoke_token(app.endpoint("revocation"), "unknown").status_code == 200


def check_introspection(settings, apps, person):
    """introspection by confidential apps; never by a public one or with a wrong secret"""
    tokens, _ = apps["public"].tokens(person)
    for name in ("confidential", "keyed"):
        app = apps[name]
        own, _ = app.tokens(person)
        for token, owner in ((own["access_token"], app), (tokens["access_token"], apps["public"])):
            found = app.introspect(token, "access_token").json()
            assert found["active"] is True and found["client_id"] == owner.client_id, found
            assert found["sub"] == settings.user and set(found["scope"].split()) == set(SCOPE.split()), found
            assert found["exp"] > time.time() and found["iss"] == settings.issuer, found
        assert app.introspect("unknown").json() == {"active": False}
        app.oauth().revoke_token(app.endpoint("revocation"), own["refresh_token"])
        for token in (own["access_token"], own["refresh_token"]):
            assert app.introspect(token).json() == {"active": False}
    refused = apps["public"].introspect(tokens["access_token"])
    assert refused.status_code == 401 and refused.json()["error"] == "invalid_client", refused.text
    wrong = App(settings.issuer, apps["confidential"].client_id, "A" * 43)
    refused = wrong.introspect(tokens["access_token"])
    assert refused.status_code == 401 and refused.json()["error"] == "invalid_client", refused.text
    assert refused.headers["WWW-Authenticate"].startswith("Basic"), refused.headers


def check_authentication(settings, apps, person):
    """apps with a secret and with a key; a wrong secret, another's key and no credentials are refused"""
    for name in ("confidential", "keyed"):
        app = apps[name]
        _, claims = app.tokens(person)
        assert claims["aud"] == app.client_id and claims["sub"] == settings.user
        request, answer = app.authorize(person)
        impostors = [
            App(settings.issuer, app.client_id), App(settings.issuer, app.client_id, "A" * 43),
            App(settings.issuer, app.client_id, private_key=ECKey.generate_key("P-256").as_dict(private=True)),
        ]
        for impostor in impostors:
            expect_refused("invalid_client", lambda: impostor.redeem(person, request, answer["code"]))
        # None of these has used up the code.
        assert app.redeem(person, request, answer["code"])["access_token"]


def check_pushed(settings, apps, person):
    """pushed authorization requests of each app; a request is used by its own app alone"""
    uris = {}
    for name, app in apps.items():
        request = app.create_authorization_url(person.landing.uri)
        pushed = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request["url"]).query))
        # Authlib adds the id of an app without credentials by itself.
        del pushed["client_id"]
        client = app.oauth()
        answer = client.post(
            app.load_server_metadata()["pushed_authorization_request_endpoint"], data=pushed,
            auth=client.client_auth(client.token_endpoint_auth_method))
        assert answer.status_code == 201, (name, answer.status_code, answer.text)
        uris[name] = answer.json()["request_uri"]
        assert uris[name].startswith("urn:ietf:params:oauth:request_uri:") and answer.json()["expires_in"] > 0
        address = f"{app.endpoint('authorization')}?client_id={app.client_id}&request_uri={uris[name]}"
        _, found = person.answer(address)
        app.check_answer(request, found)
        tokens = app.redeem(person, request, found["code"])
        assert app.parse_id_token(tokens, request["nonce"], app.expected_claims())["sub"] == settings.user
    stolen = person.session.get(
        f"{apps['public'].endpoint('authorization')}?client_id=public&request_uri={uris['confidential']}")
    assert stolen.status_code == 400 and "Location" not in stolen.headers, (stolen.status_code, stolen.text)


def check_form(settings, apps, person):
    """response_mode=form_post, with a state that has markup"""
    for state in ("plain", "\"><script>alert('x')</script>&amp;"):
        app = apps["confidential"]
        _, claims = app.tokens(person, response_mode="form_post", state=state)
        assert claims["sub"] == settings.user
    _, answer = app.authorize(person, response_mode="form_post", prompt="none", acr_values="bind")
    assert answer["error"] == "login_required", answer


def check_end(settings, apps, person):
    """the end of the session, by the ID token: no more codes"""
    app = apps["public"]
    tokens, _ = app.tokens(person)
    answer = person.session.get(app.create_logout_url(id_token_hint=tokens["id_token"])["url"])
    assert answer.status_code == 204, (answer.status_code, answer.text)
    _, refused = app.authorize(person, prompt="none")
    assert refused["error"] == "login_required", refused


def check_page(settings, apps, person):
    """the login page: the person scans its code, and the browser continues to the app; a public app's code flow"""
    check_public(settings, apps, person)
    assert person.logins == 1, person.logins


def check_visit(settings, apps, person):
    """other apps need no phone, by query and by form: the browser has a session, which the login page began"""
    for name in ("confidential", "keyed"):
        for mode in ("query", "form_post"):
            _, claims = apps[name].tokens(person, response_mode=mode)
            assert claims["sub"] == settings.user and claims["acr"] == "urn:nightlatch:remote-login", claims
    assert person.logins == 1, person.logins


def check_sign_out(settings, apps, person):
    """a logout at an app leads back to it, and ends the session"""
    app = apps["public"]
    tokens, _ = app.tokens(person)
    logout = app.create_logout_url(person.landing.goodbye, tokens["id_token"])
    person.open(logout["url"])
    assert person.driver.current_url == f"{person.landing.goodbye}?state={logout['state']}", person.driver.current_url
    _, refused = app.authorize(person, prompt="none")
    assert refused["error"] == "login_required", refused
    assert app.get(app.endpoint("userinfo"), token=tokens).status_code == 401, "the session's tokens live on"


def check_wrong_number(settings, apps, person):
    """the next visit needs the phone; a wrong number ends a login, and the right one the next"""
    app = apps["confidential"]
    request = app.create_authorization_url(person.landing.uri, response_mode="form_post")
    person.open_page(request["url"])
    person.enter_wrong_number()
    assert person.landing.arrived.empty(), "the app has an answer"
    person.log_in()
    mode, answer = person.landing.arrived.get(timeout=WAIT_SECONDS)
    assert mode == "form_post", mode
    app.check_answer(request, answer)
    tokens = app.redeem(person, request, answer["code"])
    claims = app.parse_id_token(tokens, request["nonce"], app.expected_claims())
    assert claims["sub"] == settings.user and person.logins == 2, (claims, person.logins)


def check_rejection(settings, apps, person):
    """a login that the phone rejects ends at the app with access_denied"""
    for mode in ("query", "form_post"):
        app = apps["public"]
        request = app.create_authorization_url(person.landing.uri, prompt="login", response_mode=mode)
        person.open_page(request["url"])
        person.reject()
        used, answer = person.landing.arrived.get(timeout=WAIT_SECONDS)
        app.check_answer(request, answer)
        assert used == mode and answer["error"] == "access_denied" and "code" not in answer, (used, answer)


CHECKS = [
    check_discovery, check_public, check_forgeries, check_refusals, check_errors, check_refresh, check_revocation,
    check_introspection, check_authentication, check_pushed, check_form, check_end,
]
PAGE_CHECKS = [
    check_page, check_visit, check_forgeries, check_refusals, check_sign_out, check_wrong_number, check_rejection,
]


def main():
    settings = Settings(sys.argv[1])
    landing = Landing(settings.port)
    person = {kind.name: kind for kind in (Header, Chromium, Page)}[sys.argv[2]](settings, landing)
    try:
        apps = {name: App(settings.issuer, **settings.apps[name]) for name in ("public", "confidential", "keyed")}
        for check in PAGE_CHECKS if isinstance(person, Page) else CHECKS:
            check(settings, apps, person)
            print(check.__doc__, flush=True)
    finally:
        person.close()
        landing.close()


main()
