import NightlatchRelyingParty
import NightlatchWire

extension OpenAPISchema {
    static let administration: [String: JSONTree] = administrationRequests.merging(administrationAnswers) { $1 }

    /// The parameter that limits the length of a page.
    static let limit = optionalParameter(
        "limit",
        [
            "type": "integer", "minimum": .integer(Administration.pageLengths.lowerBound),
            "maximum": .integer(Administration.pageLengths.upperBound),
        ])
    static let timeCursor: JSONTree = [
        "type": "string", "pattern": "^(?:0|[1-9][0-9]{0,10})\\.[0-9a-f]{32}$",
        "examples": ["1800000000.ce922519a3c3ecaf9b0986c2449c7680"],
    ]
    static let auditCursor: JSONTree = [
        "type": "string", "pattern": "^(?:0|[1-9][0-9]{0,10})\\.[A-Za-z0-9_-]{21}[AQgw]\\.[1-9][0-9]{0,15}$",
        "examples": ["1800000000.Pzrx7Ou9FBCrQX7A0nu_yw.17"],
    ]

    private static let reason = reference("AuditReason")
    private static let key: JSONTree = text(
        "^[!-~]{1,128}$", 1...128, "The id that a client gave its key.", example: "263a4dbe41488fb8")

    private static let administrationRequests: [String: JSONTree] = [
        "AuditReason": shownText(
            characters: AuditReasonRule.characterCountLimit, bytes: AuditReasonRule.byteCountLimit,
            example: "ticket 4711"
        ),
        "UserRequest": request(
            required: ["user": reference("UserID")], optional: ["reason": ["oneOf": [reason, ["type": "null"]]]]),
        "JustifiedUserRequest": request(required: ["user": reference("UserID"), "reason": reason]),
        "JustifiedRequest": request(required: ["reason": reason]),
        "UserDeviceNameRequest": request(required: ["user": reference("UserID"), "name": reference("DeviceName")]),
        "JourneyKeyNameRequest": request(required: [
            "user": reference("UserID"), "key": key, "name": reference("DeviceName"),
        ]),
        "JourneyKeyRemovalRequest": request(required: ["user": reference("UserID"), "key": key, "reason": reason]),
        "AppPolicyReplacement": request(required: replacement.merging(["app": reference("ClientID")]) { $1 }),
        "UserPolicyReplacement": request(required: replacement.merging(["user": reference("UserID")]) { $1 }),
        "APIKeyRequest": request(
            required: [
                "name": reference("APIKeyName"),
                "scopes": [
                    "type": "array", "items": reference("APIScope"), "minItems": 1, "uniqueItems": true,
                ],
            ],
            optional: [
                "expires_at": [
                    "oneOf": [reference("NumericDate"), ["type": "null"]],
                    "description": "The last second at which the key is accepted; absent or null for no end.",
                    "examples": [4_000_000_000],
                ]
            ]),
        "APIKeyName": shownText(
            characters: APIKeyNameRule.characterCountLimit, bytes: APIKeyNameRule.byteCountLimit,
            example: "shop 2027-01"),
        "APIKeyID": text(
            "^[0-9a-f]{32}$", 32...32, "An API key, named by the server.",
            example: "0d2f9f7b8a7a4d1c9f1e2b3c4d5e6f70"),
        "APIScope": [
            "enum": .array(APIScope.allCases.map { .string($0.rawValue) }),
            "description": "A set of routes that a key opens; docs/administration.md has a table.",
        ],
    ]

    private static let replacement: [String: JSONTree] = [
        "policy": reference("Policy"), "revision": reference("PolicyRevision"),
    ]

    private static let administrationAnswers: [String: JSONTree] = [
        "UserPage": page(of: "AdministeredUser"),
        "AdministeredUser": object(
            required: [
                "user": reference("UserID"), "created_at": reference("NumericDate"),
                "has_password": ["type": "boolean"],
                "device_counts": object(required: ["active": count, "blocked": count, "revoked": count]),
            ],
            optional: ["profile": reference("Profile"), "devices": list(of: "AdministeredDevice")]),
        "AdministeredDeviceList": whole(list(of: "AdministeredDevice")),
        "AdministeredDevice": object(
            required: [
                "id": reference("DeviceID"), "user": reference("UserID"), "client": reference("ClientID"),
                "name": reference("DeviceName"), "status": reference("DeviceStatus"),
                "key_id": reference("KeyID"), "bound_at": reference("NumericDate"),
            ],
            optional: [
                "last_login_at": reference("NumericDate"), "blocked_at": reference("NumericDate"),
                "blocked_by": ["enum": words(of: ActingParty.Kind.self)], "revoked_at": reference("NumericDate"),
                "replaced_by": reference("DeviceID"),
            ]),
        "JourneyKeyList": whole(list(of: "JourneyKey")),
        "JourneyKey": object(required: [
            "id": key, "user": reference("UserID"), "application": label, "name": reference("DeviceName"),
            "machine": label, "algorithm": ["type": "string", "examples": ["ES256"]], "key_id": reference("KeyID"),
            "bound_at": reference("NumericDate"), "last_access_at": reference("NumericDate"),
        ]),
        "JourneySessionList": whole(list(of: "JourneySession")),
        "JourneySession": object(
            required: [
                "user": reference("UserID"), "journey": label, "began_at": reference("NumericDate"),
                "expires_at": reference("NumericDate"),
            ], optional: ["key": key]),
        "EndedSessions": object(required: ["ended": count]),
        "TransactionPage": page(of: "TransactionReport"),
        "UserExport": object(required: [:]).adding([
            "description": "Members are lists of records, and the user. docs/operations.md describes them.",
            "examples": [["exported_at": 1_800_000_000]],
        ]),
        "UserDeletionReport": object(
            required: [
                "pseudonym": reference("UserID"), "app_grants": count, "devices": count, "erased_entries": count,
                "journey_keys": count, "journey_sessions": count, "named_entries": count, "remote_logins": count,
                "transactions": count,
            ]),
        "AuditPage": page(of: "AuditEntry"),
        "AuditEventKind": ["enum": .array(AuditEvent.Kind.allCases.map { .string($0.rawValue) })],
        "AuditEntry": auditEntry,
        "Overview": object(
            required: [
                "pending_transactions": boundedCount, "waiting_remote_logins": boundedCount,
                "blocked_devices": boundedCount, "used_up_pins": boundedCount,
                "events": [
                    "type": "array",
                    "items": object(
                        required: ["event": reference("AuditEventKind"), "last_hour": count, "last_day": count],
                        optional: ["problem": label]),
                ],
            ],
            optional: [
                "events_until": reference("NumericDate"),
                "audit_tail": object(required: ["checked_entries": count, "is_intact": ["type": "boolean"]]),
            ]),
        "APIKeyList": whole(list(of: "APIKey")),
        "APIKey": object(required: apiKey, optional: apiKeyTimes),
        "NewAPIKey": object(
            required: apiKey.merging([
                "token": [
                    "type": "string", "pattern": "^nlk_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$",
                    "description": "The token, once: no other answer contains it.",
                    "examples": [
                        "nlk_0d2f9f7b8a7a4d1c9f1e2b3c4d5e6f70_LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM"
                    ],
                ]
            ]) { $1 }, optional: apiKeyTimes),
        "RotatedSigningKey": object(required: [
            "kid": reference("KeyID"), "active_from": reference("NumericDate"),
        ]),
    ]

    private static let apiKey: [String: JSONTree] = [
        "id": reference("APIKeyID"), "name": reference("APIKeyName"), "scopes": list(of: "APIScope"),
        "created_at": reference("NumericDate"), "state": ["enum": words(of: APIKey.State.self)],
    ]
    private static let apiKeyTimes: [String: JSONTree] = [
        "created_by": reference("APIKeyID"), "expires_at": reference("NumericDate"),
        "revoked_at": reference("NumericDate"),
    ]
    private static let count: JSONTree = ["type": "integer", "minimum": 0]
    private static let label: JSONTree = ["type": "string", "examples": ["example"]]
    private static let boundedCount = object(required: ["count": count, "is_more": ["type": "boolean"]])

    private static let auditEntry = object(
        required: [
            "actor": ["enum": words(of: ActingParty.Kind.self)], "at": reference("NumericDate"),
            "chain": binary(byteCount: 16, example: "Pzrx7Ou9FBCrQX7A0nu_yw"), "event": reference("AuditEventKind"),
            "sequence": ["type": "integer", "minimum": 1],
        ],
        optional: [
            "actor_key": reference("APIKeyID"), "actor_name": reference("APIKeyName"),
            "api_key": reference("APIKeyID"), "api_key_name": reference("APIKeyName"), "claims": label,
            "client": reference("ClientID"), "count": count, "device": reference("DeviceID"), "journey_key": key,
            "list": label, "members": ["type": "array", "items": label],
            "operator_name": reference("APIKeyName"), "policy_members": ["type": "array", "items": label],
            "policy_revision": reference("PolicyRevision"),
            "problem": label, "pseudonym": reference("UserID"), "reason": reason,
            "role": ["enum": words(of: OperatorRole.self)],
            "scopes": ["type": "array", "items": text("^[a-z:-]{1,64}$", 1...64, "A scope.", example: "users:read")],
            "transaction": reference("TransactionID"), "user": reference("UserID"),
        ])

    /// An object in which unknown members are refused.
    private static func request(required: [String: JSONTree], optional: [String: JSONTree] = [:]) -> JSONTree {
        object(required: required, optional: optional).adding(["additionalProperties": false])
    }

    /// A list that is not divided into pages.
    private static func whole(_ list: JSONTree) -> JSONTree { object(required: ["entries": list]) }

    private static func page(of schema: String) -> JSONTree {
        object(
            required: ["entries": list(of: schema)],
            optional: [
                "next": [
                    "type": "string", "description": "The cursor of the next page; absent on the last page.",
                    "examples": ["alice"],
                ]
            ])
    }
}
