import NightlatchRelyingParty
import NightlatchWire

extension OpenAPISchema {
    static let policies: [String: JSONTree] = [
        "Policy": object(required: [:], optional: policyMembers).adding(["additionalProperties": false]),
        "PolicyPinLengths": object(required: [
            "least": ["type": "integer", "minimum": 4, "maximum": 12],
            "most": ["type": "integer", "minimum": 4, "maximum": 12],
        ]).adding([
            // At least one of these holds exactly if `least` is not greater than `most`.
            "anyOf": .array(
                PolicyPinLengths.allowed.map { count in
                    [
                        "properties": [
                            "least": ["maximum": .integer(count)], "most": ["minimum": .integer(count)],
                        ]
                    ]
                })
        ]),
        "UserPolicyRequest": object(required: ["user": reference("UserID"), "policy": reference("Policy")]),
        "PolicyReport": object(
            required: ["policy": reference("Policy"), "revision": reference("PolicyRevision")],
            optional: [
                "app": reference("ClientID"), "user": reference("UserID"), "changed_at": reference("NumericDate"),
                "changed_by": ["enum": words(of: ActingParty.Kind.self)],
            ]),
        "SignedPolicy": [
            "type": "string",
            "description": "The policy as a compact JWS by answer_key, if it is newer than policy_revision.",
            "examples": [.string(OpenAPIExample.signedMessage)],
        ],
        "PolicyRevision": [
            "type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991,
            "description": "The revision of a policy; 0 for none.",
        ],
    ]

    private static let policyMembers: [String: JSONTree] = [
        "authenticators": choice(PolicyAuthenticator.self).adding(["contains": ["const": "pin"]]),
        "hardware": ["enum": words(of: HardwareDemand.self)],
        "least_app_version": [
            "type": "string", "pattern": #"^(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){0,3}$"#,
            "examples": ["2.1.0"],
        ],
        "lockout_policy": ["enum": words(of: LockoutPolicyName.self)],
        "pin_distinct_digits": ["type": "integer", "minimum": 2, "maximum": 5],
        "pin_lengths": reference("PolicyPinLengths"),
        "pin_tiers": choice(PolicyPinTier.self),
    ]

    private static func choice<Value: PolicyChoiceValue>(_ type: Value.Type) -> JSONTree {
        ["type": "array", "items": ["enum": words(of: type)], "minItems": 1, "uniqueItems": true]
    }

    static func words<Value: RawRepresentable<String> & CaseIterable>(of type: Value.Type) -> JSONTree {
        .array(type.allCases.map { .string($0.rawValue) })
    }
}
