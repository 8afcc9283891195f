import NightlatchRelyingParty
import NightlatchWire

extension OpenAPISchema {
    static let profiles: [String: JSONTree] = [
        "Profile": object(
            required: [
                "user": reference("UserID"), "revision": ["type": "integer", "minimum": 1],
                "updated_at": reference("NumericDate"),
            ], optional: members),
        "ProfileRequest": object(
            required: ["user": reference("UserID")],
            optional: members.mapValues { member in ["oneOf": [member, ["type": "null"]]] }
        ).adding([
            "description": "Members that are absent or null are removed. Only an email address can be verified.",
            "if": ["required": ["email_verified"], "properties": ["email_verified": ["const": true]]],
            "then": ["required": ["email"], "properties": ["email": reference("EmailAddress")]],
        ]),
        "ProfileOwner": object(required: ["user": reference("UserID")]),
        "PersonName": shownText(
            characters: PersonNameRule.characterCountLimit, bytes: PersonNameRule.byteCountLimit, example: "Alice"),
        "EmailAddress": text(
            #"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@"#
                + #"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+"#
                + #"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$"#,
            5...EmailAddressRule.byteCountLimit,
            "An email address. At most 64 characters are before the sign @.", format: "nightlatch-email",
            example: "alice@example.com"),
        "PhoneNumber": text(
            "^[+(0-9][0-9 ().+-]{1,30}[0-9]$", 3...32, "A telephone number as it was entered.",
            format: "nightlatch-phone", example: "+43 1 234 56"),
    ]

    private static let isVerified: JSONTree = ["type": "boolean"]

    /// The members of a profile. They have the names of claims (OpenID Connect Core, section 5.1).
    private static let members: [String: JSONTree] = [
        "name": reference("PersonName"), "given_name": reference("PersonName"),
        "family_name": reference("PersonName"), "email": reference("EmailAddress"), "email_verified": isVerified,
        "phone_number": reference("PhoneNumber"),
    ]
}
