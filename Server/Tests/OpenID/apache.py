"""Logs a person in to a page that Apache protects with mod_auth_openidc.

Usage: apache.py SETTINGS header|chromium|page query|form_post

SETTINGS is a file as `authlib_client.py` describes, with an app `site` that has a `client_secret`. Apache listens at
the free port. The app's redirect URI is `http://127.0.0.1/protected/callback`, and its logout URI
`http://127.0.0.1:PORT/goodbye.html`. The second argument is that of `authlib_client.py`. The last one is how the server
sends its answer to the site. Prints a line for each thing that was checked. Ends with status 0, or with status 1 and
the error.

mod_auth_openidc itself reads the discovery document, makes state, nonce and the challenge of PKCE, verifies the ID
token, fetches user information, and refreshes tokens. As a resource server it has tokens introspected.
"""

import os
import pathlib
import secrets
import subprocess
import sys
import tempfile
import threading
import urllib.parse

import requests

from login_page import Page
from person import WAIT_SECONDS, Chromium, Form, Header, Settings

MODULES = pathlib.Path("/usr/lib/apache2/modules")
LOADED = ["mpm_event", "authn_core", "authz_core", "authz_user", "dir", "env", "include", "mime", "auth_openidc"]
SHOWN = {
    "user": "REMOTE_USER", "issuer": "OIDC_CLAIM_iss", "audience": "OIDC_CLAIM_aud",
    "name": "OIDC_CLAIM_preferred_username", "token": "OIDC_access_token",
}
CONFIGURATION = """\
{modules}
ServerRoot {folder}
DefaultRuntimeDir {folder}
PidFile {folder}/pid
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
{account}
ErrorLog /dev/stderr
LogLevel warn mpm_event:notice
DocumentRoot {folder}/pages
TypesConfig /dev/null
AddType text/html .html
AddOutputFilter INCLUDES .html
<Directory {folder}/pages>
    Options +Includes
    Require all granted
</Directory>

OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCClientID {client_id}
OIDCClientSecret {client_secret}
OIDCRedirectURI http://127.0.0.1:{port}/protected/callback
OIDCCryptoPassphrase {passphrase}
# The cache then has hashes as keys, instead of tokens, which are too long for it.
OIDCCacheEncrypt On
OIDCScope "openid profile"
OIDCPKCEMethod S256
OIDCResponseMode {mode}
OIDCIDTokenSignedResponseAlg ES256
OIDCRemoteUserClaim sub
<Location /protected>
    AuthType openid-connect
    Require valid-user
</Location>

OIDCOAuthServerMetadataURL {issuer}/.well-known/openid-configuration
OIDCOAuthIntrospectionEndpointAuth client_secret_basic
OIDCOAuthClientID {client_id}
OIDCOAuthClientSecret {client_secret}
OIDCOAuthRemoteUserClaim sub
<Location /api>
    AuthType oauth20
    Require claim scope~profile
</Location>
"""


class Apache:
    """An Apache with its own configuration and folders, as long as a `with` statement."""

    def __init__(self, settings, app, mode):
        self.url = f"http://127.0.0.1:{settings.port}"
        self.page, self.callback = self.url + "/protected/page.html", self.url + "/protected/callback"
        self.goodbye, self.api = self.url + "/goodbye.html", self.url + "/api/page.html"
        values = {"issuer": settings.issuer, "port": settings.port, "mode": mode, **app}
        self.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.temporary.name)
        # Apache's workers are other users than root.
        folder.chmod(0o755)
        for name in ("protected", "api"):
            (folder / "pages" / name).mkdir(parents=True)
            lines = [f'<p id="{key}"><!--#echo var="{variable}" --></p>' for key, variable in SHOWN.items()]
            page = "<!DOCTYPE html>\n<title>Page</title>\n" + "\n".join(lines) + "\n"
            (folder / "pages" / name / "page.html").write_text(page, encoding="utf-8")
        (folder / "pages" / "goodbye.html").write_text('<p id="goodbye">Goodbye</p>\n', encoding="utf-8")
        self.configuration = folder / "apache.conf"
        modules = "\n".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in LOADED)
        account = "User nobody\nGroup nogroup" if os.geteuid() == 0 else ""
        self.configuration.write_text(CONFIGURATION.format(
            modules=modules, folder=folder, account=account, passphrase=secrets.token_urlsafe(), **values),
            encoding="utf-8")
        self.configuration.chmod(0o600)

    def __enter__(self):
        self.process = subprocess.Popen(
            ["/usr/sbin/apache2", "-DFOREGROUND", "-f", self.configuration], stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.log = []
        for line in self.process.stderr:
            self.log.append(line)
            if "resuming normal operations" in line:
                break
        else:
            raise SystemExit("Apache did not start:\n" + "".join(self.log))
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr))
        self.reader.start()
        return self

    def __exit__(self, kind, error, trace):
        self.process.terminate()
        self.process.wait()
        self.reader.join()
        self.temporary.cleanup()
        if kind:
            print("Apache:\n" + "".join(self.log), file=sys.stderr)


def fetch(url, **more):
    """Opens an address as a client without any session."""
    return requests.get(url, allow_redirects=False, timeout=WAIT_SECONDS, **more)


def check_stranger(settings, site, person, mode):
    """a client without a session is sent to the authorization endpoint, with state, nonce and PKCE"""
    answer = fetch(site.page)
    assert answer.status_code == 302, answer.status_code
    address, _, query = answer.headers["Location"].partition("?")
    assert address == settings.issuer + "/oauth/authorize", address
    found = dict(urllib.parse.parse_qsl(query, strict_parsing=True))
    assert found["redirect_uri"] == site.callback and found["response_type"] == "code", found
    assert found["code_challenge_method"] == "S256" and len(found["code_challenge"]) == 43, found
    assert found["state"] and found["nonce"] and found.get("response_mode", "query") == mode, found


def check_login(settings, site, person, mode):
    """the protected page shows the user and the claims of the ID token and of the user information"""
    texts = person.read(site.page)
    assert texts["user"] == settings.user and texts["name"] == settings.user, texts
    assert texts["issuer"] == settings.issuer and texts["audience"] == settings.apps["site"]["client_id"], texts
    assert person.read(site.page)["token"] == texts["token"], "another login"


def check_refresh(settings, site, person, mode):
    """the site refreshes its tokens"""
    token = person.read(site.page)["token"]
    query = urllib.parse.urlencode({"refresh": site.page, "access_token": token})
    texts = person.read(f"{site.callback}?{query}")
    assert texts["user"] == settings.user and texts["token"] != token, texts


def check_api(settings, site, person, mode):
    """as a resource server Apache accepts the access token, and no other text"""
    token = person.read(site.page)["token"]
    answer = fetch(site.api, headers={"Authorization": "Bearer " + token})
    assert answer.status_code == 200 and f'<p id="user">{settings.user}</p>' in answer.text, answer.text
    header, payload, signature = token.split(".")
    for wrong in ("unknown", f"{header}.{payload}.{signature[::-1]}"):
        assert fetch(site.api, headers={"Authorization": "Bearer " + wrong}).status_code == 401, wrong
    assert fetch(site.api).status_code == 401


def check_stolen(settings, site, person, mode):
    """an answer with a valid code gives no session to another client than the one that asked"""
    answer = person.session.get(fetch(site.page).headers["Location"])
    if mode == "query":
        opened = fetch(answer.headers["Location"])
    else:
        form = Form(answer.text)
        opened = requests.post(form.action, form.fields, allow_redirects=False, timeout=WAIT_SECONDS)
    assert "mod_auth_openidc_session" not in opened.cookies, opened.headers


def check_logout(settings, site, person, mode):
    """a logout at the site ends the session at the server, and leads back to the site"""
    query = urllib.parse.urlencode({"logout": site.goodbye})
    assert person.read(f"{site.callback}?{query}") == {"goodbye": "Goodbye"}
    answer = person.session.get(fetch(site.page).headers["Location"] + "&prompt=none")
    assert "code" not in answer.headers.get("Location", answer.text), "the session lives on"


def check_page(settings, site, person, mode):
    """the login page: the person scans its code, and the browser continues to the protected page"""
    check_login(settings, site, person, mode)
    assert person.logins == 1, person.logins


def check_sign_out(settings, site, person, mode):
    """a logout leads back to the site; then the protected page needs the phone, which can reject"""
    query = urllib.parse.urlencode({"logout": site.goodbye})
    assert person.read(f"{site.callback}?{query}") == {"goodbye": "Goodbye"}
    person.open_page(site.page)
    person.reject()
    address, _, query = person.driver.current_url.partition("?")
    assert address == site.callback, address
    if mode == "query":
        # This client takes an error with `iss` for a login that begins elsewhere, and shows another error.
        assert dict(urllib.parse.parse_qsl(query))["error"] == "access_denied", query
    else:
        assert "access_denied" in person.find("body").text, person.find("body").text
    person.open_page(site.page)
    person.log_in()
    assert person.logins == 2, person.logins


CHECKS = [check_stranger, check_login, check_refresh, check_api, check_stolen, check_logout]
PAGE_CHECKS = [check_stranger, check_page, check_refresh, check_api, check_sign_out]


def main():
    settings, mode = Settings(sys.argv[1]), sys.argv[3]
    person = {kind.name: kind for kind in (Header, Chromium, Page)}[sys.argv[2]](settings)
    try:
        with Apache(settings, settings.apps["site"], mode) as site:
            for check in PAGE_CHECKS if isinstance(person, Page) else CHECKS:
                check(settings, site, person, mode)
                print(check.__doc__, flush=True)
    finally:
        person.close()


main()
