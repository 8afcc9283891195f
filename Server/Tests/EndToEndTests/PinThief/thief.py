"""Tries PINs on stolen data. Reads one JSON request from standard input and prints the result as one JSON object:

{"do": "alone", "images": […], "tier": true}               the PINs that open a slot, or its local tier, without a server
{"do": "images", "images": […]}                            all attacks on images of one vault, from any times
{"do": "both", "images": […], "server": FOLDER, "default": {…}}
                                                            the first PIN that opens, with the key of the image's device
{"do": "server", "images": […], "server": FOLDER, "devices": […], "entered": […], "elements": […]}
                                                            every trace of a PIN in the server's files
"pins": [first, count] are the PINs to try, of six digits each.
"""

import hashlib
import hmac
import json
import sys
import time
from collections import Counter

from pin import Stretching, decode, field_elements, hash_to_group, number, outputs, slots
from stolenserver import StolenServer, digest_of, leaves, shape

request = json.load(sys.stdin)
first, count = request["pins"]
PINS = [b"%06d" % pin for pin in range(first, first + count)]
IMAGES = request["images"]
SLOTS = [slot for image in IMAGES for slot in slots(image)]
stretch = Stretching()


def texts(pins):
    return [pin.decode() for pin in pins]


def alone(pin, slot):
    """Whether a PIN alone opens a slot or its local tier."""
    salt, box = (slot.salt, slot.box) if not request.get("tier") else map(decode, (slot.tier["salt"], slot.tier["box"]))
    return slot.opens_alone(stretch(pin, salt, slot.parameters, 32), salt, box)


def chunks(value):
    """Returns the two ends of a value, so that a search also finds it if it is truncated."""
    return {value[:8], value[-8:]}


def image_values(a, s, whole):
    """Returns the values that can be computed from a PIN without the server."""
    return [a, s, whole, *(hashlib.new(name, v).digest() for v in (a, s) for name in ("sha256", "sha384"))]


def images():
    # Tries every slot's salt with every slot's box, with everything that could be the function's output.
    unique = list({slot.salt: slot for slot in SLOTS}.values())
    guesses = [b"", bytes(48)] + [slot.public for slot in unique]
    lying = b"\x00".join(
        decode(leaf) for image in IMAGES for leaf in leaves(image) if all(c.isalnum() or c in "-_" for c in leaf))
    windows = {lying[at : at + 8] for at in range(len(lying) - 7)}
    opened, found, tried = set(), set(), 0
    for pin in PINS:
        for salted in unique:
            whole = stretch(pin, salted.salt, salted.parameters, 64)
            a, s = whole[:32], whole[32:]
            for slot in unique:
                own = slot is salted
                tries = [slot.opens_with(s, output) for output in (guesses + [a] if own else guesses[:1])]
                short = stretch(pin, slot.salt, slot.parameters, 32) if own else a
                tries.append(slot.opens_alone(short, slot.salt, slot.box))
                tried += len(tries)
                if any(tries):
                    opened.add(pin)
            if any(not windows.isdisjoint(chunks(value)) for value in image_values(a, s, whole)):
                found.add(pin)
    # Counts the values that two images share, besides the identifiers of the vault and the device.
    secret = [
        {slot.salt, slot.box, slot.commitment, slot.knowledge_box, slot.public} for slot in unique]
    alike = sum(len(one & other) for at, one in enumerate(secret) for other in secret[at + 1 :])
    return {
        "slots": len(unique), "opened": texts(sorted(opened)), "found": texts(sorted(found)), "alike": alike,
        "tried": tried, "searched": len(windows)}


def both():
    slot = SLOTS[0]
    key = StolenServer(request["server"]).key(slot.device)
    start, opened, tried = time.process_time(), [], 0
    for pin in PINS:
        tried += 1
        whole = stretch(pin, slot.salt, slot.parameters, 64)
        if any(slot.opens_with(whole[32:], output) for output in outputs(key, slot.input(whole[:32]))[1]):
            opened.append(pin)
            break
    spent, stretching = time.process_time() - start, stretch.seconds
    default = Stretching()
    for _ in range(3):
        default(b"482915", slot.salt, request["default"], 64)
    return {
        "opened": texts(opened), "tried": tried, "parameters": slot.parameters, "stretching": stretching / tried,
        "beside": (spent - stretching) / tried, "usual": default.seconds / default.count}


def server_values(pin, slot, secrets):
    """Returns values that a server could compute if it got the PIN, or a value that the device derives from it."""
    whole = stretch(pin, slot.salt, slot.parameters, 64)
    a, s = whole[:32], whole[32:]
    x = slot.input(a)
    values = image_values(a, s, whole) + [number(u, 48) for u in field_elements(x)]
    for value in (pin, x):
        values += [hashlib.new(name, value).digest() for name in ("sha256", "sha384", "sha512")]
    return values + [hmac.digest(key, value, "sha256") for key in secrets for value in (pin, a, x)]


def group_values(pin, slot, key):
    """Returns the outputs of the function for a PIN, which take the longest to compute."""
    whole = stretch(pin, slot.salt, slot.parameters, 64)
    x = slot.input(whole[:32])
    point, (product, results) = number(hash_to_group(x)[0], 48), outputs(key, x)
    keys = [derived for output in results for derived in slot.keys(whole[32:], output)]
    values = [point, product, *results, *keys]
    return values + [digest_of(sign + value) for value in (point, product) for sign in (b"\x02", b"\x03")]


def server():
    stolen, slot = StolenServer(request["server"]), SLOTS[0]
    key, secrets = stolen.key(slot.device), stolen.secrets()
    lying = stolen.bytes()
    traces = {}
    entered = [pin.encode() for pin in request["entered"]]
    for pin in PINS:
        for value in server_values(pin, slot, secrets):
            for chunk in chunks(value):
                traces[chunk] = pin
    for pin in entered + PINS[:: max(1, len(PINS) // 100)]:
        for value in group_values(pin, slot, key):
            for chunk in chunks(value):
                traces[chunk] = pin
    found = {traces[lying[at : at + 8]] for at in range(len(lying) - 7) if lying[at : at + 8] in traces}
    elements = [decode(element) for element in request["elements"]]
    rows = [stolen.rows(device) for device in request["devices"]]
    # Counted by their number.
    shapes = [Counter(json.dumps([table, shape(row)]) for table, row in about) for about in rows]
    values = [{leaf for _, row in about for leaf in leaves(row)} for about in rows]
    return {
        "found": texts(sorted(found)), "searched": len(lying), "traces": len(traces),
        "digits": texts(pin for pin in entered if pin in lying),
        "elements": sum(element in lying for element in elements),
        "hashes": sum(digest_of(element) in lying for element in elements),
        # A value that is known to be in the files.
        "key": slot.public in lying,
        "rows": [len(about) for about in rows],
        "differing": [line for other in shapes[1:] for line in sorted((shapes[0] - other) + (other - shapes[0]))],
        # Devices with equal PINs share no more values than devices with different PINs.
        "alike": [sorted(map(str, values[0] & other)) for other in values[1:]]}


def opened_alone():
    return {"opened": texts(pin for pin in PINS if any(alone(pin, slot) for slot in SLOTS))}


print(json.dumps({"alone": opened_alone, "images": images, "both": both, "server": server}[request["do"]]()))
