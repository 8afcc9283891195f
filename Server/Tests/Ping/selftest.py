"""Tests the replay: it passes at a server that answers as Ping's documentation says, and notices each fault of `fake`.

Usage: selftest.py [--verbose]

Prints a line for each test, and with `--verbose` the lines of the replay. Ends with status 1 if a test fails.
"""

import sys

sys.dont_write_bytecode = True

import check  # noqa: E402
import fake  # noqa: E402
import replay  # noqa: E402


def replayed(faults=(), points="1-23"):
    """Runs the replay. Returns the status of the command, its lines and the points that failed."""
    lines = []
    (name, password), (second_name, second_password) = fake.PASSWORDS.items()
    with fake.Server(faults) as server:
        status, failed = replay.run([
            "--server", server.url, "--realm", fake.REALM, "--app", "demo", "--redirect", fake.REDIRECT,
            "--user", name, "--password", password, "--second-user", second_name, "--second-password", second_password,
            "--dpop-app", "demo-dpop", "--other-app", "demo-other", "--journeys", ",".join(fake.JOURNEYS),
            "--points", points], lines.append)
    if "--verbose" in sys.argv:
        print(*lines, sep="\n")
    return status, lines, failed


def main():
    broken = 0

    def report(fine, sentence, lines):
        nonlocal broken
        broken += not fine
        print(f"{'ok' if fine else 'FAILED'} {sentence}", flush=True)
        if not fine:
            print(*[f"  {line}" for line in lines if line.startswith("FAILED")][:20], sep="\n")

    status, lines, failed = replayed()
    report(status == 0 and not failed, f"the replay passes at a server without a fault: {lines[-1]}", lines)
    run = {line.split(" ")[1] for line in lines if line.startswith("ok")}
    report(run == set(replay.DIALECTS), "all four SDKs are replayed", lines)
    points = {point for point, *_ in check.SCENARIOS}
    report(points == set(range(1, 24)), "each point has a scenario", sorted(points))
    skipped = [line for line in lines if line.startswith("skipped") and "this SDK has no such request" not in line]
    report(not skipped, "only requests that an SDK does not have are skipped", skipped)
    for fault, (point, words) in fake.FAULTS.items():
        status, lines, failed = replayed([fault], str(point))
        fine = status == 1 and any(line.startswith("FAILED") and words in line for line in lines)
        report(fine, f"point {point} notices: {fault}", lines)
    sys.exit(1 if broken else 0)


main()
