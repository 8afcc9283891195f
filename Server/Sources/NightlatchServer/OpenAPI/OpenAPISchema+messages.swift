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
            optional: ["answer_key": reference("AnswerKey"), "policy": reference("SignedPolicy")]),
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
                "assertion": signedMessage,
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
            optional: ["policy": reference("SignedPolicy")]),
        "PresentedToken": form(
            required: [
                "token": [
                    "type": "string", "minLength": 1, "examples": ["eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2ln"],
                ]
            ],
            optional: ["token_type_hint": ["type": "string", "examples": ["access_token"]]]),
        "TokenIntrospection": ["oneOf": [reference("ActiveToken"), reference("InactiveToken")]],
        "InactiveToken": closedObject(required: ["active": ["const": false]]),
        "ActiveToken": object(
            required: [
                "active": ["const": true], "iss": reference("Issuer"), "sub": reference("UserID"),
                "client_id": reference("ClientID"), "device_id": reference("DeviceID"), "sid": reference("SessionID"),
                "exp": reference("NumericDate"), "auth_time": reference("NumericDate"), "acr": ["const": "phr"],
                "amr": [
                    "type": "array", "items": reference("AuthenticationMethodReference"), "uniqueItems": true,
                    "examples": [["pop", "pin", "user", "mfa"]],
                ],
                "cnf": reference("KeyConfirmation"),
            ],
            optional: [
                "token_type": ["const": "DPoP"], "aud": reference("Issuer"), "jti": reference("MessageID"),
                "iat": reference("NumericDate"),
            ]),
        "AuthenticationMethodReference": [
            "enum": ["pop", "pin", "user", "mfa"], "description": "What the login showed (RFC 8176).",
        ],
        "KeyConfirmation": object(required: ["jkt": reference("KeyID")]).adding([
            "description": "The key that a proof must be by (RFC 9449, section 6.1)."
        ]),
    ]

    static let devices: [String: JSONTree] = [
        "RenameDeviceRequest": object(required: ["name": reference("DeviceName")]),
        "DeviceList": object(required: ["devices": list(of: "DeviceSummary")]),
        "DeviceSummary": object(
            required: [
                "id": reference("DeviceID"), "name": reference("DeviceName"), "bound_at": reference("NumericDate"),
                "status": reference("DeviceStatus"), "current": ["type": "boolean"],
            ],
            optional: ["last_login_at": reference("NumericDate")]),
        "DeviceStatus": [
            "enum": ["active", "blocked", "revoked", "replaced"], "description": "Only a block can be undone.",
        ],
    ]

    private static let signedAnswer: [String: JSONTree] = [
        "handle": reference("ChallengeHandle"), "message": signedMessage,
    ]

    /// The challenge that a device must sign, with its handle and its times.
    private static let ceremony: [String: JSONTree] = [
        "challenge": reference("Challenge"), "handle": reference("ChallengeHandle"),
        "issued_at": reference("NumericDate"), "expires_at": reference("NumericDate"),
    ]

    /// A message that the caller has signed.
    static let signedMessage: JSONTree = [
        "type": "string", "description": "A compact JWS (RFC 7515); anything else is refused like a wrong one.",
        "examples": [.string(OpenAPIExample.signedMessage)],
    ]

    /// A form. Unknown fields are ignored, and no field may occur twice.
    private static func form(required: [String: JSONTree], optional: [String: JSONTree] = [:]) -> JSONTree {
        object(required: required, optional: optional).adding([
            "additionalProperties": ["type": "string"], "propertyNames": ["pattern": "^[\\x00-\\x7f]*$"],
            "maxProperties": .integer(FormFields.countLimit),
        ])
    }
}
