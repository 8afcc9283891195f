"""Replays what apps with four SDKs of Ping send to a server of journeys and OpenID Connect, and checks the answers.

Usage: replay.py --server URL --realm REALM --app CLIENT_ID --redirect URI --user NAME --password PASSWORD
                 [--second-user NAME --second-password PASSWORD] [--dpop-app ID] [--other-app ID] [--journeys NAME,…]
                 [--claims NAME,…] [--scopes NAME,…] [--bundle-id ID] [--cookie NAME] [--without-provider]
                 [--points N,…] [--dialects NAME,…]

Prints a line for each scenario and SDK: `ok DIALECT sentence`, `skipped DIALECT sentence: why`, or for each broken
expectation `FAILED DIALECT sentence: expected …, got …`. Ends with status 1 if any failed, and with 2 at wrong options.

* `--server` includes the context path, for example `http://127.0.0.1:8080/am`.
* `--app` is a public client without a secret: redirect URI `--redirect`, scopes openid, profile, email, address, phone.
* `--second-user` has another name and a password; without it the scenario of two users is skipped.
* `--dpop-app` and `--other-app` are public clients with the same redirect URI and scopes. The first demands DPoP.
* `--journeys` are the journeys that exist; by default `login`, `bind`, `sign` and `usernameless-sign`. Three more are
  used if they are named: `message`, `choice` and `attributes`. The scenarios that use these say what they must contain.
* `--claims` are the members that `/userinfo` must have; by default those that Ping's own test wants.
* `--bundle-id` is the app's bundle id or package name, the `iss` of its messages; by default `com.example.app`.
* `--without-provider` configures the apps without OpenID Connect and skips all scenarios that need it.
* `--points` and `--dialects` restrict the run. Points 1 to 20 are those of the conformance list; 21 is the whole life
  of an app, 22 its restart, 23 an app that demands DPoP.

It needs only Python's standard library and `cryptography`: `.build/python/bin/python` has it after
`scripts/python-environment`.

The replay logs in some two hundred times, so the server needs high limits for one address and one account: start
it with `--address-rate 0 --account-rate 0`. It removes the keys that it binds, but not those of a scenario that failed.
"""

import argparse
import http.client
import sys
import time
import traceback

sys.dont_write_bytecode = True

import journeys  # noqa: E402, F401
import provider  # noqa: E402, F401
from check import SCENARIOS, Check, Stop  # noqa: E402
from dialect import Refused, Settings  # noqa: E402
from dialects import DIALECTS  # noqa: E402


def numbers(text):
    """Reads `1,3-5`."""
    found = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def names(text):
    return [name for name in text.split(",") if name]


def arguments(words):
    parser = argparse.ArgumentParser(description="Replays what apps with Ping's SDKs send.")
    for name in ("--server", "--realm", "--app", "--redirect", "--user", "--password"):
        parser.add_argument(name, required=True)
    for name in ("--second-user", "--second-password", "--dpop-app", "--other-app"):
        parser.add_argument(name)
    parser.add_argument("--journeys", type=names, default=["login", "bind", "sign", "usernameless-sign"])
    parser.add_argument("--claims", type=names, default=["sub", "email", "name", "given_name", "family_name"])
    parser.add_argument("--scopes", type=names, default=["openid", "profile", "email", "address", "phone"])
    parser.add_argument("--bundle-id", default="com.example.app")
    parser.add_argument("--cookie", default="iPlanetDirectoryPro")
    parser.add_argument("--without-provider", action="store_true")
    parser.add_argument("--points", type=numbers, default=set(range(1, 24)))
    parser.add_argument("--dialects", type=names, default=list(DIALECTS))
    options = parser.parse_args(words)
    if bool(options.second_user) != bool(options.second_password):
        parser.error("--second-user and --second-password belong together")
    if unknown := set(options.dialects) - set(DIALECTS):
        parser.error(f"unknown dialects: {', '.join(sorted(unknown))}")
    return options


def reason_to_skip(options, dialect, dialects, journeys, provider, option):
    """Returns why a scenario is not run, or None."""
    if dialect not in dialects:
        return "this SDK has no such request"
    if missing := [journey for journey in journeys if journey not in options.journeys]:
        return f"the server has no journey {', '.join(missing)}"
    if provider and options.without_provider:
        return "the server has no OpenID Connect provider"
    if option and not getattr(options, option):
        return f"--{option.replace('_', '-')} is not given"
    return None


def run(words, write=print):
    """Runs the scenarios. Returns the status of the command and the points that failed."""
    options = arguments(words)
    settings = Settings(options.server, options.realm, options.app, options.redirect, options.scopes, options.cookie,
                        options.bundle_id, not options.without_provider)
    Check.standing = {}
    counts, failed = {"ok": 0, "FAILED": 0, "skipped": 0}, set()
    begun = time.monotonic()
    for point, function, *needs in sorted(SCENARIOS, key=lambda entry: entry[0]):
        if point not in options.points:
            continue
        sentence = function.__doc__.splitlines()[0]
        for dialect in options.dialects:
            if why := reason_to_skip(options, dialect, *needs):
                counts["skipped"] += 1
                write(f"skipped {dialect} {sentence.rstrip('.')}: {why}")
                continue
            check = Check(dialect, options, settings)
            try:
                function(check)
            except Stop:
                pass
            except Refused as refusal:
                check.problems.append(f"expected an answer that the SDK accepts, got {refusal}")
            except (OSError, http.client.HTTPException) as error:
                check.problems.append(f"expected an answer, got {type(error).__name__}: {error}")
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                check.problems.append(f"expected an answer of the usual form, got {type(error).__name__}: {error} "
                                      f"({place.filename.rpartition('/')[2]}:{place.lineno})")
            for problem in check.problems:
                failed.add(point)
                write(f"FAILED {dialect} {sentence.rstrip('.')}: {problem}")
            if not check.problems:
                write(f"ok {dialect} {sentence}")
            counts["FAILED" if check.problems else "ok"] += 1
    write(f"{counts['ok']} ok, {counts['FAILED']} failed, {counts['skipped']} skipped, "
          f"{time.monotonic() - begun:.0f} s")
    return (1 if failed else 0), failed


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:])[0])
