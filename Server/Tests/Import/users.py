"""Makes a file of users with password hashes of other systems, for `nightlatch admin users import`.

usage: users.py FILE

The hashes are made by other implementations than the server's: argon2-cffi, bcrypt, passlib and Python's hashlib. The
program prints one line of JSON for each user: the id, the password as the user enters it, and the form of the hash.
"""

import base64
import hashlib
import json
import sys
import unicodedata

import argon2
import bcrypt
from passlib.hash import pbkdf2_sha1, pbkdf2_sha256, pbkdf2_sha512

PLAIN = "correct horse battery"
# Composed letters, a ligature that the compatibility form replaces, and a character outside the basic plane.
UNUSUAL = "Pässwörd \ufb01sh 犬 \U0001f511"
DECOMPOSED = unicodedata.normalize("NFD", "Pässwörd")


def argon2id(password, **costs):
    return argon2.PasswordHasher(**costs).hash(password)


def with_bcrypt(password, version=b"2b"):
    made = bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds=6)).decode()
    return "$" + version.decode() + made[3:]


def django(password, algorithm, digest):
    salt = "seasalt2Pepper"
    key = hashlib.pbkdf2_hmac(digest, password.encode(), salt.encode(), 1200)
    return f"{algorithm}$1200${salt}${base64.b64encode(key).decode()}"


def users():
    """Yields the name, the password that was hashed, the hash, its form, and the password that the user enters."""
    for label, password in [("plain", PLAIN), ("unusual", UNUSUAL)]:
        hashes = {
            "argon2id": ("argon2id", argon2id(password, time_cost=2, memory_cost=8192, parallelism=4)),
            "argon2id-long": (
                "argon2id", argon2id(password, time_cost=1, memory_cost=1024, parallelism=1, hash_len=64, salt_len=24)),
            "bcrypt-2a": ("bcrypt", with_bcrypt(password, b"2a")),
            "bcrypt-2b": ("bcrypt", with_bcrypt(password)),
            "bcrypt-2y": ("bcrypt", with_bcrypt(password, b"2y")),
            "passlib-sha1": ("pbkdf2", pbkdf2_sha1.using(rounds=1000).hash(password)),
            "passlib-sha256": ("pbkdf2", pbkdf2_sha256.using(rounds=1000).hash(password)),
            "passlib-sha512": ("pbkdf2", pbkdf2_sha512.using(rounds=1000).hash(password)),
            "django-sha256": ("pbkdf2", django(password, "pbkdf2_sha256", "sha256")),
            "django-sha1": ("pbkdf2", django(password, "pbkdf2_sha1", "sha1")),
        }
        for name, (form, text) in hashes.items():
            yield f"{name}-{label}", text, form, password
    # The other system hashed what the device sent.
    yield "decomposed", with_bcrypt(DECOMPOSED), "bcrypt", DECOMPOSED
    # bcrypt reads the first 72 bytes only.
    yield "long", with_bcrypt("a" * 72), "bcrypt", "a" * 72 + "b"


def main():
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        for number, (user, text, form, password) in enumerate(users()):
            profile = {"name": f"User {number} Ó", "email": f"{user}@example.com", "email_verified": True}
            line = {"user": user, "password_hash": text, "profile": profile}
            file.write(json.dumps(line, ensure_ascii=number % 2 == 0) + "\n")
            print(json.dumps({"user": user, "password": password, "form": form}))


if __name__ == "__main__":
    main()
