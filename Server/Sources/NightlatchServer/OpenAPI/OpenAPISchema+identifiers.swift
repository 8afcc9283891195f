extension OpenAPISchema {
    static let identifiers: [String: JSONTree] = [
        "UserID": text(
            "^[^ \(unprintable)](?:[^\(unprintable)]*[^ \(unprintable)])?$", 1...128,
            """
            The id that the app's backend has for a user: printable characters, without control or invisible \
            characters, and without a space at either end. Compared byte by byte.
            """, format: "nightlatch-user-id", example: "alice"),
        "ClientID": text(
            "^[A-Za-z0-9._-]{1,64}$", 1...64,
            """
            An app. If it binds devices, its id is the `iss` of their messages and the `client_id` of their tokens. \
            Devices can always use the id `nightlatch`.
            """, example: "nightlatch"),
        "DeviceID": text(
            "^[0-9a-f]{32}$", 32...32, "A device, named by the server.",
            example: "263a4dbe41488fb87214b0032339dbb9"),
        "TransactionID": text(
            "^[0-9a-f]{32}$", 32...32, "A transaction, named by the backend: 16 random bytes.",
            example: "ce922519a3c3ecaf9b0986c2449c7680"),
        "RemoteLoginID": text(
            "^[0-9a-f]{32}$", 32...32, "A remote login, named by the server.",
            example: "428821350e9691491f616b754cd8315f"),
        "KeyID": binary(byteCount: 32, example: "rCPX7rwE5GhWrLWi7KpuV9_dLTXvJwkwJT0gC868yQM").adding([
            "description": "A key's thumbprint (RFC 7638)."
        ]),
        "Challenge": binary(byteCount: 32, example: "LdAL134CIs7YgmZUganB2fkHMJ0W4F7QB6HqY5KEd6k").adding([
            "description": "The value to sign, once."
        ]),
        "SessionID": binary(byteCount: 16, example: "Pzrx7Ou9FBCrQX7A0nu_yw").adding([
            "description": "The login that issued a token."
        ]),
        "MessageID": binary(byteCount: 16, example: "q1MKE-RZFJgrefm34_uplA").adding([
            "description": "A signed message."
        ]),
        "ChallengeHandle": text(
            "^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$", 2...1024,
            "The server's sealed state of a challenge. Return it unchanged.", example: "c2VhbGVkIHN0YXRl"),
        "Issuer": text("^https?://[!-$&-~]+$", 8...256, "The URL of the server.", example: "https://login.example"),
        "EnrolmentCode": text(
            "^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){4}$", 24...24,
            "An enrolment code as the server issues it.", example: "7K3M-9QXF-2BTA-6WZ4-BH12"),
        "TypedEnrolmentCode": text(
            #"^[\s\u200b\u2010-\u2015\u2212-]*(?:[0-9A-TV-Za-tv-z][\s\u200b\u2010-\u2015\u2212-]*){20}$"#, 20...256,
            "An enrolment code as a user types it. Its last four characters check the others.",
            format: "nightlatch-enrolment-code", example: "7k3m 9qxf 2bta 6wz4 bh12"),
        "Password": text(
            #"^[^\u0000-\u001f\u007f-\u009f]+$"#, 1...256, "At most 256 bytes of UTF-8.", format: "nightlatch-password",
            example: "correct horse battery staple"),
        "DeviceName": shownText(characters: 64, bytes: 256, example: "Alice's phone"),
        "Token": text(
            "^[A-Za-z0-9._~+/=-]{1,4096}$", 1...4096, "An access token or a refresh token.",
            example: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl"),
        // The years 1970 to 9999.
        "NumericDate": [
            "type": "integer", "minimum": 0, "maximum": 253_402_300_799, "description": "Seconds since 1970.",
            "examples": [1_800_000_000],
        ],
    ]

    /// The characters up to U+FFFF that are not allowed in a user id. Not every regular expression dialect can express
    /// higher code points.
    private static let unprintable =
        #"\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"#
        + #"\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ue000-\uf8ff\ufdd0-\ufdef"#
        + #"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"#

    /// The characters up to U+FFFF that are not allowed in a text for people.
    private static let hidden =
        #"\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e"#
        + #"\u200f\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"#

    /// The schema of `byteCount` bytes in base64url. Only the canonical form matches: the unused bits of the last
    /// character are zero.
    static func binary(byteCount: Int, example: String? = nil) -> JSONTree {
        let length = (byteCount * 4 + 2) / 3
        let last = ["", "[AQgw]", "[AEIMQUYcgkosw048]"][byteCount % 3]
        let members: JSONTree = [
            "type": "string", "minLength": .integer(length), "maxLength": .integer(length),
            "pattern": .string("^[A-Za-z0-9_-]{\(byteCount % 3 == 0 ? length : length - 1)}\(last)$"),
        ]
        return members.adding(examples(example))
    }

    static func text(
        _ pattern: String,
        _ lengths: ClosedRange<Int>,
        _ description: String,
        format: String? = nil,
        example: String? = nil
    ) -> JSONTree {
        let members: JSONTree = [
            "type": "string", "pattern": .string(pattern), "minLength": .integer(lengths.lowerBound),
            "maxLength": .integer(lengths.upperBound), "description": .string(description),
        ]
        let formatted = format.map { members.adding(["format": .string($0)]) } ?? members
        return formatted.adding(examples(example))
    }

    private static func examples(_ example: String?) -> [String: JSONTree] {
        example.map { ["examples": [.string($0)]] } ?? [:]
    }

    /// The schema of a text for people.
    ///
    /// Schemas count code points, but one character may have several. So the schema's upper bound is the limit on
    /// bytes.
    static func shownText(characters: Int, bytes: Int, example: String) -> JSONTree {
        text(
            "^[^\(hidden)]+$", 1...bytes,
            """
            1 to \(characters) characters in at most \(bytes) bytes of UTF-8, at least one of them visible; no \
            control characters, line separators, invisible characters or characters that change the text direction.
            """, format: "nightlatch-shown-text-\(characters)", example: example)
    }
}
