"""Teaches schemathesis what the description cannot state: how to make a proof and a code's check characters, and
which values the relying party's own formats allow. `NIGHTLATCH_ANONYMOUS=1` omits all credentials."""

import atexit
import collections
import hashlib
import json
import os
import threading
import time
import unicodedata
import zlib

import schemathesis
from hypothesis import strategies as st
from schemathesis.core.failures import Failure
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import negated_parameters

import device as nightlatch

user = "alice"
alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def enrolment_code(symbols):
    digest = hashlib.sha256(("nightlatch enrolment code" + symbols).encode()).digest()
    code = symbols + "".join(alphabet[byte & 31] for byte in digest[:4])
    return "-".join(code[index : index + 4] for index in range(0, 20, 4))


blank = "\u2800\U00013441\U00013442\U00016fe4"
hidden = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffc\U0001d159"


def is_shown(text):
    return any(
        not character.isspace() and character not in blank and unicodedata.category(character) not in ("Co", "Mn")
        for character in text
    )


shown = st.characters(exclude_categories=("Cc", "Cf", "Cs", "Cn", "Zl", "Zp"), exclude_characters=hidden)
printable = st.characters(
    exclude_categories=("Cc", "Cf", "Co", "Cs", "Cn", "Mn", "Zl", "Zp", "Zs"), exclude_characters=blank + hidden
)
plain = st.characters(exclude_categories=("Cc", "Cs"))
schemathesis.openapi.format(
    "nightlatch-enrolment-code", st.text(alphabet, min_size=16, max_size=16).map(enrolment_code)
)
schemathesis.openapi.format(
    "nightlatch-password", st.text(plain, min_size=1, max_size=64).filter(lambda text: len(text.encode()) <= 256)
)
schemathesis.openapi.format("nightlatch-user-id", st.text(printable, min_size=1, max_size=128))
for length in (40, 64, 140, 200):
    schemathesis.openapi.format(
        f"nightlatch-shown-text-{length}", st.text(shown, min_size=1, max_size=length).filter(is_shown)
    )
email = st.from_regex(r"[a-z0-9_+-]{1,20}(\.[a-z0-9]{1,20})?@([a-z0-9]{1,20}\.){1,3}[a-z]{2,8}", fullmatch=True)
schemathesis.openapi.format("nightlatch-email", email)
schemathesis.openapi.format(
    "nightlatch-phone", st.from_regex(r"[+(0-9][0-9 ().+-]{1,30}[0-9]", fullmatch=True)
)


class Session:
    """The device whose credentials are used; another one is bound if it was revoked."""

    def __init__(self):
        self.lock = threading.Lock()
        self.current = None

    def device(self):
        with self.lock:
            if self.current is None:
                server = nightlatch.Server(os.environ["NIGHTLATCH_SERVER"], os.environ["NIGHTLATCH_BACKEND_KEY"])
                self.current = nightlatch.Device(server, user)
            return self.current

    def forget(self):
        with self.lock:
            self.current = None


session = Session()
tally = collections.Counter()


@atexit.register
def write_tally():
    """Writes the number of answers of each kind, so that the caller can see which operations were reached."""
    if path := os.environ.get("NIGHTLATCH_TALLY"):
        with open(path, "w") as file:
            json.dump({f"{name} {status}": count for (name, status), count in sorted(tally.items())}, file)


def needs(operation, scheme):
    return any(scheme in requirement for requirement in operation.definition.raw.get("security", []))


def takes_proof(operation):
    return any(parameter.name == "DPoP" for parameter in operation.headers)


def is_positive(case, location):
    component = case.meta.components.get(location) if case.meta is not None else None
    return component is None or component.mode.is_positive


if os.environ.get("NIGHTLATCH_ANONYMOUS") != "1":

    @schemathesis.auth(refresh_interval=None)
    class Credentials:
        def get(self, case, context):
            if needs(context.operation, "apiKey") and not needs(context.operation, "backendKey"):
                return {"Authorization": "Bearer " + os.environ["NIGHTLATCH_API_KEY"]}
            if needs(context.operation, "backendKey"):
                return {"Authorization": "Bearer " + os.environ["NIGHTLATCH_BACKEND_KEY"]}
            if not takes_proof(context.operation):
                return None
            device = session.device()
            path = context.operation.path.format(**(case.path_parameters or {}))
            if needs(context.operation, "deviceSession"):
                try:
                    return device.credentials(context.operation.method.upper(), path)
                except nightlatch.LoginEnded:
                    # A case may have blocked the device or ended its login, which the next renewal reveals.
                    session.forget()
                    return session.device().credentials(context.operation.method.upper(), path)
            return {"DPoP": device.proof(context.operation.method.upper(), path)}

        def set(self, case, data, context):
            negated = {name for name, _ in negated_parameters(case.meta)}
            # A deliberate error of a case is kept.
            if not is_positive(case, ParameterLocation.HEADER) or "DPoP" in negated:
                data = {name: value for name, value in data.items() if name != "DPoP"}
            case.headers.update(data)


@schemathesis.hook
def after_call(context, case, response):
    tally[case.operation.definition.raw["operationId"], response.status_code] += 1
    # A case may have revoked this device.
    if response.status_code == 401 and session.current is not None and b'"device_revoked"' in response.content:
        session.forget()


def mended(text, length):
    """Returns a visible text of at most `length` characters."""
    text = text[:length]
    return text if is_shown(text) else "x"


def mend_transaction(body):
    details = body["details"]
    details["payee"] = mended(details["payee"], 140)
    for line in details["lines"]:
        line.update(label=mended(line["label"], 40), value=mended(line["value"], 200))
    while canonical_size(details) > 2048:
        details["lines"].pop()
    # Half of the transactions are made acceptable.
    if zlib.crc32(body["id"].encode()) % 2 == 0:
        details["expires_at"] = int(time.time()) + 600
        body.update(user=user, devices="all")


def canonical_size(details):
    return len(json.dumps(details, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode())


def mend_code(body):
    symbols = [
        {"O": "0", "I": "1", "L": "1"}.get(symbol, symbol) for symbol in body["enrolment_code"].upper() if symbol not in "- "
    ]
    body["enrolment_code"] = enrolment_code("".join(symbols[:16]))


def mend_opening(body):
    if "enrolment_code" in body:
        mend_code(body)


def mend_app(body, path):
    body.update(client_id=path["client"], client_name=mended(body["client_name"], 64))
    if "scope" in body:
        body["scope"] = " ".join(dict.fromkeys(body["scope"].split()))
    for addresses in ("redirect_uris", "post_logout_redirect_uris"):
        if addresses in body:
            body[addresses] = [f"com.example.app:/{index}" for index in range(len(body[addresses]))]
    if "jwks" in body:
        body["jwks"] = {"keys": [app_key.jwk]}
    # Half of the requests are for new apps.
    if zlib.crc32(path["client"].encode()) % 2 == 0:
        body.pop("revision", None)


def mend_profile(body):
    for name in ("name", "given_name", "family_name"):
        if body.get(name) is not None:
            body[name] = mended(body[name], 140)
    if len((body.get("email") or "").partition("@")[0]) > 64:
        body["email"] = "alice@example.com"
    # Half of the profiles are of a user who exists.
    if zlib.crc32(body["user"].encode()) % 2 == 0:
        body["user"] = user


app_key = nightlatch.Key()
mending = {"setProfile": mend_profile, "createTransaction": mend_transaction, "beginBinding": mend_code, "openPinEpoch": mend_opening}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes a value that its schema allows valid by its format too: some values only meet the schema's bounds."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    operation = case.operation.definition.raw.get("operationId")
    if operation in mending:
        mending[operation](case.body)
    if isinstance(case.body, dict) and case.operation.path.startswith("/v1/admin/"):
        for name, length in (("reason", 200), ("name", 64)):
            if isinstance(case.body.get(name), str):
                case.body[name] = mended(case.body[name], length)
    if operation == "putApp":
        mend_app(case.body, case.path_parameters)


class MalformedByItsSchema(Failure):
    """A value that its schema allows was refused as malformed."""

    __slots__ = ()


@schemathesis.check
def valid_is_not_malformed(ctx, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code < 400:
        return
    probe = getattr(case.meta.phase.data, "scenario", None)
    if probe is not None and "METHOD" in str(probe).upper():
        return
    if response.content and response.json().get("code") in ("malformed_request", "unsupported_media_type"):
        raise MalformedByItsSchema(
            operation=case.operation.label,
            title="Valid data is malformed",
            message="What the schema lets through was refused as malformed.",
        )
