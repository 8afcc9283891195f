"""What apps with Ping's SDKs do with OpenID Connect: points 1, 6 to 13 and 20 of the list, and three scenarios more."""

import re
import urllib.parse
import uuid

import signing
from check import claims_of, scenario, together
from dialect import ENDPOINTS, JSON, android, foundation, ktor, raw


@scenario(1, provider=True)
def discovery(check):
    """Discovery answers at its four addresses with 200, JSON and absolute endpoints, without a redirect."""
    app = check.app()
    host = urllib.parse.urlsplit(check.settings.server).netloc
    for shape, url in check.settings.discovery().items():
        answer = app.discover(shape)
        check.expect(answer.status == 200, f"200 at {url}", answer)
        check.expect_json(answer)
        found = app.read_discovery(answer)
        for member in ("issuer",) + ENDPOINTS:
            parts = urllib.parse.urlsplit(str(found.get(member)))
            check.expect(parts.scheme in ("http", "https") and parts.netloc == host,
                         f"{member} as an absolute URL of {host} at {url}", found.get(member))


@scenario(6, provider=True)
def authorize(check):
    """/authorize gives two codes for one session: 302, an empty body, the state as it was sent."""
    app = check.standing_login()
    first = app.authorize()
    codes = [check.expect_code(app, first, "as the SDK sends it")]
    codes.append(check.expect_code(app, app.authorize(), "again with the same session"))
    check.expect(codes[0] != codes[1], "two different codes", codes)


@scenario(6, provider=True)
def authorize_encodings(check):
    """/authorize takes %20 and + in scope, raw and encoded addresses, and the session by header or by Cookie alone."""
    login = check.standing_login()
    encodings = {
        "%20 and raw : and /": foundation, "+ and encoded : and /": ktor, "%20 and encoded : and /": android,
        "+ and raw : and /": lambda pairs: foundation(pairs).replace("%20", "+"),
    }
    for what, encoding in encodings.items():
        app = login.copied()
        check.expect_code(app, app.authorize(encoding=encoding, state="stateful"), what)
    for shows in ("header", "cookie"):
        app = login.copied()
        check.expect_code(app, app.authorize(shows=(shows,), state="stateful"), f"the session by {shows}")
    app = login.copied()
    lower = [(check.settings.cookie.lower(), app.session)]
    authorization = app.authorize(shows=(), headers=lower, state="stateful")
    check.expect_code(app, authorization, "the session's header in lower case")
    app = login.copied()
    authorization = app.authorize(state="a b/c:d=e&f%g", encoding=android)
    check.expect_code(app, authorization, "a state with a space and signs")


@scenario(7, provider=True)
def authorize_dead_session(check):
    """/authorize with a dead session redirects with state, error and error_description."""
    app = check.login()
    session = app.session
    app.logout_session()
    app.session = session
    authorization = app.authorize(state="stateful")
    answer, parameters = authorization.answer, authorization.parameters()
    check.expect(answer.status == 302 and answer.body == b"", "302 with an empty body", answer)
    check.expect_location(authorization, "with a dead session")
    check.expect(parameters.get("error") and parameters.get("error_description") and "code" not in parameters,
                 "error, error_description and no code", answer)


@scenario(7, provider=True)
def authorize_refusals(check):
    """/authorize refuses an unknown client and other redirect URIs with 400 and no redirect."""
    app = check.standing_login()
    answer = app.copied().authorize(client="unknown-" + str(uuid.uuid4())).answer
    check.expect_oauth_error(answer, (400,), ("invalid_client",), "at an unknown client")
    registered = check.settings.redirect
    others = ["https://attacker.example/callback", registered + "/more", registered + "?more=1", registered.upper()]
    others.append(registered.replace("://", ":/") if "://" in registered else registered.replace(":/", "://", 1))
    for redirect in others:
        answer = app.copied().authorize(redirect=redirect).answer
        check.expect_oauth_error(answer, (400,), what=f"at the redirect URI {redirect}")


@scenario(7, provider=True)
def authorize_without_challenge(check):
    """/authorize without PKCE gives no code."""
    app = check.standing_login()
    authorization = app.authorize(pkce=False, state="stateful")
    answer, parameters = authorization.answer, authorization.parameters()
    check.expect("code" not in parameters, "no code", answer)
    if answer.status == 302:
        check.expect_location(authorization, "without PKCE")
        check.expect(answer.body == b"", "an empty body", answer)
        fits = parameters.get("error") and parameters.get("error_description")
        check.expect(fits, "error and error_description", answer)
    else:
        check.expect_oauth_error(answer, (400,), ("invalid_request",), "without PKCE")


@scenario(8, provider=True)
def exchange(check):
    """A code is exchanged with an encoded and with a raw body, in any order."""
    app = check.standing_login()
    encodings = {
        "as the SDK sends it": None, "a raw body": raw, "an encoded body": android,
        "an encoded body with raw : and /": foundation,
        "a raw body from its end": lambda pairs: raw(reversed(pairs)),
        "an encoded body from its end": lambda pairs: ktor(list(reversed(pairs))),
    }
    for what, encoding in encodings.items():
        authorization = app.authorize()
        answer = app.exchange(authorization, app.read_code(authorization), encoding=encoding)
        check.expect_tokens(answer, what)
        tokens = app.read_tokens(answer)
        if isinstance(tokens.get("id_token"), str):
            audience = claims_of(tokens["id_token"]).get("aud")
            check.expect(check.settings.app in (audience if isinstance(audience, list) else [audience]),
                         f"aud {check.settings.app} in the ID token", audience)


@scenario(8, provider=True)
def exchange_refusals(check):
    """A wrong verifier, a second use, another redirect URI and an unknown code are refused as invalid_grant."""
    app = check.standing_login()
    wrong = {
        "with a wrong verifier": {"verifier": app.make_verifier()},
        "with another redirect URI": {"redirect": check.settings.redirect + "/more"},
    }
    for what, change in wrong.items():
        authorization = app.authorize()
        answer = app.exchange(authorization, app.read_code(authorization), **change)
        check.expect_oauth_error(answer, (400,), ("invalid_grant",), what)
    answer = app.exchange(app.authorize(), "unknown-code")
    check.expect_oauth_error(answer, (400,), ("invalid_grant",), "at an unknown code")
    authorization = app.authorize()
    code = app.read_code(authorization)
    check.expect_tokens(app.exchange(authorization, code), "the first use")
    check.expect_oauth_error(app.exchange(authorization, code), (400,), ("invalid_grant",), "at the second use")
    authorization = app.authorize()
    answer = app.exchange(authorization, app.read_code(authorization), client="unknown-" + str(uuid.uuid4()))
    check.expect_oauth_error(answer, (400,), ("invalid_client", "invalid_grant"), "by an unknown client")


@scenario(8, provider=True, option="other_app")
def exchange_by_other_client(check):
    """A code is refused to another client as invalid_grant."""
    app = check.standing_login()
    authorization = app.authorize()
    answer = app.exchange(authorization, app.read_code(authorization), client=check.options.other_app)
    check.expect_oauth_error(answer, (400,), ("invalid_grant",), "by another client")


@scenario(9, provider=True)
def refresh(check):
    """A refresh, twice in a row, brings all members again."""
    app = check.standing_login()
    app.obtain_tokens()
    for what in ("the first refresh", "the second refresh"):
        answer = app.refresh()
        check.expect_tokens(answer, what)
        app.store_refreshed(answer)
        check.require(app.tokens.get("refresh_token"), f"{what}: a refresh token for the next one", answer)
    check.expect(app.userinfo().status == 200, "user info with the new token", app.userinfo())


@scenario(9, provider=True)
def refresh_refusals(check):
    """A refresh with an unknown token is refused as invalid_grant."""
    app = check.standing_login()
    check.expect_oauth_error(app.refresh("unknown-token"), (400,), ("invalid_grant",), "at an unknown token")


@scenario(10, provider=True)
def revoke_access_token(check):
    """After the access token was revoked, alone or at the same time, its refresh token still refreshes."""
    app = check.standing_login()
    app.obtain_tokens()
    check.expect_revoked(app.revoke(app.tokens["access_token"]), "the access token")
    check.expect_oauth_error(app.userinfo(), (401,), ("invalid_token",), "user info with the revoked token")
    answer = app.refresh()
    check.expect_tokens(answer, "refresh after revoke")
    app.store_refreshed(answer)
    old = app.tokens["access_token"]
    revoked, answer = together(lambda: app.revoke(old), app.refresh)
    check.expect_revoked(revoked, "the access token during a refresh")
    check.expect_tokens(answer, "refresh during revoke")
    app.store_refreshed(answer)
    check.expect(app.userinfo().status == 200, "user info with the new token", app.userinfo())
    app.user_refresh()
    check.expect(app.userinfo().status == 200, "user info after the refresh that the app asks for", app.userinfo())
    check.expect_tokens(app.refresh(), "another refresh after it")


@scenario(10, provider=True)
def revoke_refresh_token(check):
    """After the refresh token was revoked, its access token is dead and nothing can be refreshed."""
    app = check.standing_login()
    app.obtain_tokens()
    check.expect_revoked(app.revoke(), "the refresh token")
    check.expect_oauth_error(app.userinfo(), (401,), ("invalid_token",), "user info")
    check.expect_oauth_error(app.refresh(), (400,), ("invalid_grant",), "refresh")
    check.expect_revoked(app.revoke(), "the same token again")
    check.expect_revoked(app.revoke("unknown-token"), "an unknown token")


@scenario(11, provider=True)
def userinfo(check):
    """/userinfo gives the user's claims, and 401 invalid_token for a dead token and for none."""
    app = check.standing_login()
    app.obtain_tokens()
    answer = app.userinfo()
    found = app.read_userinfo(answer)
    check.expect_json(answer)
    for name in check.options.claims:
        check.expect(isinstance(found.get(name), str), f"the text {name}", answer)
    kinds = {"email_verified": bool, "phone_number_verified": bool, "address": dict, "updated_at": int}
    for name, kind in kinds.items():
        check.expect(name not in found or isinstance(found[name], kind), f"{name} as {kind.__name__}", answer)
    fits = "birthdate" not in found or re.fullmatch(r"\d{4}-\d\d-\d\d", found["birthdate"])
    check.expect(fits, "birthdate yyyy-MM-dd", answer)
    token = app.tokens["access_token"]
    app.revoke(token)
    check.expect_oauth_error(app.userinfo(token), (401,), ("invalid_token",), "with a dead token")
    check.expect_oauth_error(app.userinfo("unknown-token"), (401,), ("invalid_token",), "with an unknown token")
    check.expect_oauth_error(app.userinfo(None), (401,), ("invalid_token",), "without a token")


@scenario(12, provider=True)
def logout_with_revoke(check):
    """A logout with the revoke beside it, in the SDK's order, ends session and tokens."""
    app = check.signed_in()
    session, tokens = app.session, app.tokens
    logged_out, revoked = app.logout()
    check.expect_logged_out(logged_out, session, "the session")
    check.expect_revoked(revoked, "the refresh token")
    check.expect_oauth_error(app.userinfo(tokens["access_token"]), (401,), ("invalid_token",), "user info after logout")
    check.expect_oauth_error(app.refresh(tokens["refresh_token"]), (400,), ("invalid_grant",), "refresh after logout")


@scenario(13, provider=True)
def end_session(check):
    """endSession ends the session that the ID token names, answers 204, and leaves a newer session alone."""
    app = check.signed_in()
    old_session, old_token = app.session, app.tokens["id_token"]
    app = check.login(app)
    newer = f"{check.settings.cookie}={app.session}" if check.dialect != "A2" else None
    answer = app.end_session(old_token, cookie=newer)
    check.expect(answer.status == 204 and not answer.body, "204 without a body", answer)
    check.expect(check.alive(app.session), "the newer session to live", "a dead one")
    check.expect(not check.alive(old_session), "the session of the ID token to end", "a live one")
    check.expect_cookie_kept(app, answer)


@scenario(20, provider=True)
def oauth_errors(check):
    """Errors of /oauth2/… have error and error_description, and neither reason nor message."""
    app = check.standing_login()
    form, client = "token_endpoint", ("client_id", check.settings.app)
    cases = {
        "an unknown grant": ([("grant_type", "unknown"), client], ("unsupported_grant_type",)),
        "no grant": ([client], ("invalid_request", "unsupported_grant_type")),
        "an empty form": ([], ("invalid_request", "invalid_client", "unsupported_grant_type")),
        "no code": ([("grant_type", "authorization_code"), client], ("invalid_request", "invalid_grant")),
        "an unknown client": ([("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", "unknown")],
                              ("invalid_client",)),
    }
    for what, (pairs, errors) in cases.items():
        check.expect_oauth_error(app.post_form(form, pairs), (400, 401), errors, f"at {what}")
    answer = app.send("GET", app.endpoint(form), app.form_headers())
    check.expect_oauth_error(answer, (400, 404, 405), what="at GET of the token endpoint")
    answer = app.send("GET", f"{check.settings.server}/oauth2/{check.settings.realm}/unknown", app.authorize_headers())
    check.expect_oauth_error(answer, (404,), what="at an unknown address")
    answer = app.send("GET", app.endpoint("end_session_endpoint") + "?id_token_hint=none", [("Accept", JSON)])
    check.expect_oauth_error(answer, (400,), what="at endSession with an ID token that is none")
    check.expect_oauth_error(app.post_form("revocation_endpoint", [client]), (400,), ("invalid_request",),
                             "at a revoke without a token")


@scenario(21, provider=True, journeys=("bind", "sign"))
def life(check):
    """An app starts, logs in, binds, signs, gets tokens and user info, refreshes, steps up, revokes and logs out."""
    app = check.login()
    key, user_id = check.bound(app)
    app.forget_session()
    node = check.journey(app, "sign", key=key, user_id=user_id)
    check.require(node.kind == "success" and app.session, "a session by signature", node)
    tokens = dict(app.obtain_tokens())
    check.expect(isinstance(app.read_userinfo(app.userinfo()).get("sub"), str), "the text sub", app.userinfo())
    refreshed, revoked = app.user_refresh()
    check.expect_tokens(refreshed, "the SDK's refresh")
    check.expect(app.tokens["access_token"] != tokens["access_token"], "another access token", "the same")
    if revoked is not None:
        check.expect_revoked(revoked, "the old access token")
    if app.header_in_journeys:
        session = app.session
        node = check.journey(app, "login", force=True)
        check.require(node.kind == "success", "success with ForceAuth", node)
        check.expect(app.session != session, "a new session after ForceAuth", "the same")
        old = dict(app.tokens)
        app.obtain_tokens()
        app.revoke(old["refresh_token"])
    before = app.tokens["access_token"]
    check.expect_revoked(app.revoke(), "the refresh token")
    app.obtain_tokens()
    check.expect(app.tokens["access_token"] != before, "another token after revoke, by the same session", "the same")
    check.expect(app.userinfo().status == 200, "user info with it", app.userinfo())
    check.clean_up(app, key.kid)
    if not check.alive(app.session):
        # The server may end the sessions that the removed key began.
        return
    session = app.session
    logged_out, revoked = app.logout()
    check.expect_logged_out(logged_out, session, "the session")
    check.expect_revoked(revoked, "the refresh token at logout")


@scenario(22, provider=True)
def restart(check):
    """An app that restarts with stored tokens refreshes them, and authorizes again with a stored session."""
    app = check.signed_in().restarted()
    check.expect(app.userinfo().status == 200, "user info with the stored token", app.userinfo())
    answer = app.refresh()
    check.expect_tokens(answer, "refresh with the stored token")
    app.store_refreshed(answer)
    if check.dialect != "I2":
        # I2 keeps the session, but after a restart no agent of it uses the session.
        app = app.restarted()
        check.expect_code(app, app.authorize(), "with the stored session")
    session = app.session
    logged_out, _ = app.logout()
    check.expect_logged_out(logged_out, session, "the stored session")


@scenario(23, provider=True, option="dpop_app")
def dpop(check):
    """An app whose record demands DPoP gets no tokens without a proof, and none for bearer tokens of another app."""
    app, key = check.app(client=check.options.dpop_app), signing.EllipticKey()
    check.login(app)
    errors = ("invalid_dpop_proof", "invalid_request", "invalid_grant")

    def refused(answer, what):
        check.expect_oauth_error(answer, (400, 401), errors, what)
        tokens = {"access_token", "refresh_token", "id_token"} & set(answer.object())
        check.expect(not tokens, f"{what}: no tokens", answer)
    authorization = app.authorize()
    code = check.expect_code(app, authorization, "the code")
    refused(app.exchange(authorization, code), "without a proof")
    # The same code with a proof shows that the other requests are refused for their tokens.
    app.proof_key = key
    answer = app.exchange(authorization, code)
    check.expect(answer.status == 200 and answer.object().get("token_type") == "DPoP", "DPoP tokens with a proof", answer)
    bound = answer.object()
    other = check.signed_in()
    refused(app.refresh(other.tokens["refresh_token"]), "with a proof and the refresh token of another app")
    bearer = app.userinfo(other.tokens["access_token"], scheme="DPoP")
    check.expect_oauth_error(bearer, (401,), ("invalid_token",), "user info with a proof and a bearer token")
    app.proof_key = None
    refused(app.refresh(other.tokens["refresh_token"]), "with the refresh token of another app")
    refused(app.refresh(bound["refresh_token"]), "with its own refresh token and no proof")
    bearer = app.userinfo(bound["access_token"])
    check.expect_oauth_error(bearer, (401,), ("invalid_token",), "user info with its token as a bearer token")
    check.expect(other.userinfo().status == 200, "user info of the other app", other.userinfo())
