import NightlatchRelyingParty
import NightlatchWire

extension OpenAPISchema {
    static let enrolment: [String: JSONTree] = [
        "EnrolmentCodeRequest": object(required: ["user": reference("UserID")]),
        "EnrolmentCodeGrant": object(required: [
            "user": reference("UserID"), "code": reference("EnrolmentCode"), "expires_at": reference("NumericDate"),
        ]),
        "Credentials": object(required: ["user": reference("UserID"), "password": reference("Password")]),
        "CredentialsResult": object(required: ["user": reference("UserID")]),
        "BindingRequest": object(required: [
            "enrolment_code": reference("TypedEnrolmentCode"), "device_key": reference("KeyID"),
        ]),
        "BindingChallenge": object(required: ceremony.merging(["user": reference("UserID")]) { $1 }),
        "BindingResult": object(
            required: ["user": reference("UserID"), "device": reference("DeviceID")],
            optional: ["answer_key": answerKey, "policy": signedPolicy]),
        "CeremonyChallenge": object(required: ceremony),
        "SignedAnswer": object(required: signedAnswer),
        "BindingAnswer": object(required: signedAnswer, optional: ["policy_revision": reference("PolicyRevision")]),
    ]

    static let tokens: [String: JSONTree] = [
        "LoginRequest": object(
            required: ["user": reference("UserID")], optional: ["device": reference("DeviceID")]),
        "TokenRequest": ["oneOf": [reference("LoginGrant"), reference("RefreshGrant")]],
        "LoginGrant": form(
            required: [
                "grant_type": ["const": .string(TokenRequest.loginGrantType)],
                "assertion": ["type": "string", "description": "A compact JWS (RFC 7515)."],
                "challenge_handle": reference("ChallengeHandle"),
            ], optional: ["policy_revision": reference("PolicyRevision")]),
        "RefreshGrant": form(
            required: ["grant_type": ["const": "refresh_token"], "refresh_token": reference("Token")],
            optional: ["policy_revision": reference("PolicyRevision")]),
        "TokenGrant": object(
            required: [
                "access_token": reference("Token"), "token_type": ["const": "DPoP"],
                "expires_in": ["type": "integer", "minimum": 1], "refresh_token": reference("Token"),
            ],
            optional: ["policy": signedPolicy]),
        "PresentedToken": form(
            required: ["token": ["type": "string", "minLength": 1]], optional: ["token_type_hint": ["type": "string"]]),
        "TokenIntrospection": [
            "oneOf": [closedObject(required: ["active": ["const": false]]), activeToken]
        ],
    ]

    static let devices: [String: JSONTree] = [
        "RenameDeviceRequest": object(required: ["name": reference("DeviceName")]),
        "DeviceList": object(required: ["devices": list(of: "DeviceSummary")]),
        "DeviceSummary": object(
            required: [
                "id": reference("DeviceID"), "name": reference("DeviceName"), "bound_at": reference("NumericDate"),
                "status": ["enum": ["active", "blocked", "revoked", "replaced"]], "current": ["type": "boolean"],
            ],
            optional: ["last_login_at": reference("NumericDate")]),
    ]

    private static let signedAnswer: [String: JSONTree] = [
        "handle": reference("ChallengeHandle"),
        "message": [
            "type": "string", "description": "A compact JWS (RFC 7515); anything else is refused like a wrong one.",
        ],
    ]

    private static let signedPolicy: JSONTree = [
        "type": "string",
        "description": "The policy as a compact JWS by answer_key, if it is newer than policy_revision.",
    ]

    /// The challenge that a device must sign, with its handle and its times.
    private static let ceremony: [String: JSONTree] = [
        "challenge": reference("Challenge"), "handle": reference("ChallengeHandle"),
        "issued_at": reference("NumericDate"), "expires_at": reference("NumericDate"),
    ]

    private static let activeToken = object(
        required: [
            "active": ["const": true], "iss": reference("Issuer"), "sub": reference("UserID"),
            "client_id": reference("ClientID"), "device_id": reference("DeviceID"), "sid": reference("SessionID"),
            "exp": reference("NumericDate"), "auth_time": reference("NumericDate"), "acr": ["const": "phr"],
            "amr": ["type": "array", "items": ["enum": ["pop", "pin", "user", "mfa"]], "uniqueItems": true],
            "cnf": object(required: ["jkt": reference("KeyID")]),
        ],
        optional: [
            "token_type": ["const": "DPoP"], "aud": reference("Issuer"), "jti": reference("MessageID"),
            "iat": reference("NumericDate"),
        ])

    /// A form. Unknown fields are ignored, and no field may occur twice.
    private static func form(required: [String: JSONTree], optional: [String: JSONTree] = [:]) -> JSONTree {
        object(required: required, optional: optional).adding([
            "additionalProperties": ["type": "string"], "propertyNames": ["pattern": "^[\\x00-\\x7f]*$"],
            "maxProperties": .integer(FormFields.countLimit),
        ])
    }
}
