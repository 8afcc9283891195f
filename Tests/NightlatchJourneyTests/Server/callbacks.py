"""Callbacks as a server sends them: outputs and inputs in the order in which clients read and fill them."""

import base64
import secrets

PROMPT = {
    "title": "Authentication required", "subtitle": "Cryptography device binding",
    "description": "Please complete with biometric to proceed",
}


def fields(**values):
    return [{"name": name, "value": value} for name, value in values.items()]


def inputs(index, *names):
    return [{"name": f"IDToken{index}{name}", "value": ""} for name in names]


def random_challenge():
    return base64.b64encode(secrets.token_bytes(32)).decode()


def binding_callback(index, identity, name, kind, challenge, attestation):
    return {
        "type": "DeviceBindingCallback",
        "output": fields(
            userId=identity, username=name, authenticationType=kind, challenge=challenge, **PROMPT, timeout=60,
            attestation=attestation),
        "input": inputs(index, "jws", "deviceName", "deviceId", "clientError"),
    }


def signing_callback(index, identity, challenge):
    """`identity` is a text, None for null, or an empty tuple for no such output."""
    user = {} if identity == () else {"userId": identity}
    return {
        "type": "DeviceSigningVerifierCallback",
        "output": fields(**user, challenge=challenge, **PROMPT, timeout=60),
        "input": inputs(index, "jws", "clientError"),
    }


def name_callback(index):
    return {"type": "NameCallback", "output": fields(prompt="User Name"), "input": inputs(index, ""), "_id": index - 1}


def password_callback(index):
    return {"type": "PasswordCallback", "output": fields(prompt="Password"), "input": inputs(index, ""), "_id": index - 1}


def text_output(index, message):
    return {"type": "TextOutputCallback", "output": fields(message=message, messageType="0"), "_id": index - 1}


def suspended_output(message):
    return {"type": "SuspendedTextOutputCallback", "output": fields(message=message, messageType="0")}


def unknown_callback(index):
    return {
        "extra": {"z": 1, "a": [None, True, 1.5]}, "type": "BrandNewCallback", "output": fields(hint="/ü"),
        "input": inputs(index, "token"), "_id": index - 1,
    }
