import NightlatchWire

/// The schemas of the description ([JSON Schema 2020-12](https://json-schema.org/draft/2020-12)), by name.
///
/// A schema cannot express some rules of the decoder, for example the check characters of an enrolment code or the
/// number of visible characters of a text. A custom `format` names each such rule. Tools ignore an unknown `format`.
enum OpenAPISchema {
    static let all: [String: JSONTree] =
        identifiers.merging(enrolment) { $1 }.merging(tokens) { $1 }.merging(devices) { $1 }
        .merging(transactions) { $1 }.merging(remoteLogins) { $1 }.merging(apps) { $1 }.merging(pins) { $1 }.merging(
            profiles
        ) { $1 }.merging(
            policies
        ) { $1 }.merging(
            administration
        ) { $1 }.merging(
            refusals
        ) { $1 }.merging(
            published
        ) { $1 }

    static func reference(_ name: String) -> JSONTree { ["$ref": .string("#/components/schemas/" + name)] }

    /// An object with the `required` members. It may have the `optional` members and others.
    static func object(required: [String: JSONTree], optional: [String: JSONTree] = [:]) -> JSONTree {
        [
            "type": "object", "required": .array(required.keys.sorted().map(JSONTree.string)),
            "properties": .object(required.merging(optional) { $1 }),
        ]
    }

    /// An object with only these members.
    static func closedObject(required: [String: JSONTree]) -> JSONTree {
        object(required: required).adding(["additionalProperties": false])
    }

    static func list(of schema: String) -> JSONTree { ["type": "array", "items": reference(schema)] }

    static func pathParameter(_ name: String, schema: String) -> JSONTree {
        ["name": .string(name), "in": "path", "required": true, "schema": reference(schema)]
    }

    static func queryParameter(_ name: String, schema: String) -> JSONTree {
        ["name": .string(name), "in": "query", "required": true, "schema": reference(schema)]
    }

    /// A parameter of the query that may be absent.
    static func optionalParameter(_ name: String, _ schema: JSONTree) -> JSONTree {
        ["name": .string(name), "in": "query", "required": false, "schema": schema]
    }

    static let refusals: [String: JSONTree] = [
        "Problem": object(
            required: [
                "type": ["type": "string", "pattern": "^urn:nightlatch:problem:[a-z_]+$"],
                "title": ["type": "string", "description": "A sentence for people."], "status": ["type": "integer"],
                "code": ["type": "string", "description": "The reason, for programs; docs/errors.md explains each."],
            ],
            optional: [
                "detail": ["type": "string"], "pin": reference("PinStanding"), "issued_at": reference("NumericDate"),
            ]),
        "OAuthError": object(
            required: ["error": ["type": "string"], "code": ["type": "string"]],
            optional: ["error_description": ["type": "string"]]),
    ]

    static let published: [String: JSONTree] = [
        "Health": object(required: ["status": ["const": "ok"]]),
        "Description": object(required: [
            "openapi": ["const": "3.1.0"], "info": ["type": "object"], "paths": ["type": "object"],
            "components": ["type": "object"],
        ]),
        "KeySet": object(required: [
            "keys": [
                "type": "array",
                "items": reference("SigningKey"),
            ]
        ]),
        "SigningKey": object(
            required: ecMembers.merging(
                ["kid": reference("KeyID"), "use": ["const": "sig"], "alg": ["const": "ES256"]]) { $1 }),
        "Metadata": metadata,
        "PublicKey": ["oneOf": [reference("ECPublicKey"), reference("RSAPublicKey")]],
        "ECPublicKey": object(required: ecMembers).adding(["description": "A JWK on P-256 (RFC 7517)."]),
        "RSAPublicKey": object(required: [
            "kty": ["const": "RSA"], "n": ["type": "string", "pattern": "^[A-Za-z0-9_-]{342,683}$"],
            "e": ["type": "string", "pattern": "^[A-Za-z0-9_-]{4,6}$"],
        ]).adding(["description": "An RSA key of 2048 to 4096 bits, as a JWK (RFC 7517)."]),
    ]

    private static let metadata: JSONTree = {
        let addresses = [
            "authorization_endpoint", "backchannel_authentication_endpoint", "end_session_endpoint",
            "introspection_endpoint", "jwks_uri", "pushed_authorization_request_endpoint", "revocation_endpoint",
            "token_endpoint", "userinfo_endpoint",
        ]
        let lists = [
            "backchannel_token_delivery_modes", "claims", "code_challenge_methods", "dpop_signing_alg_values",
            "grant_types", "id_token_signing_alg_values", "introspection_endpoint_auth_methods", "response_modes",
            "response_types", "revocation_endpoint_auth_methods", "scopes", "subject_types",
            "token_endpoint_auth_methods", "token_endpoint_auth_signing_alg_values",
        ]
        let answers = [
            "authorization_response_iss_parameter", "backchannel_user_code_parameter", "claims_parameter",
            "request_parameter", "request_uri_parameter",
        ]
        var members = ["issuer": reference("Issuer")]
        for name in addresses { members[name] = url }
        for name in lists { members[name + "_supported"] = words }
        for name in answers { members[name + "_supported"] = ["type": "boolean"] }
        return object(required: members)
    }()
    private static let url: JSONTree = [
        "type": "string", "format": "uri", "examples": ["https://login.example/oauth/token"],
    ]
    private static let words: JSONTree = [
        "type": "array", "items": ["type": "string"], "uniqueItems": true, "examples": [["ES256"]],
    ]

    private static let ecMembers: [String: JSONTree] = [
        "kty": ["const": "EC"], "crv": ["const": "P-256"],
        "x": binary(byteCount: 32, example: "MK9YsIfwGDQlIDwHKzpw6HHjuZvh9DxvxUGIQoEMQAE"),
        "y": binary(byteCount: 32, example: "pfDrmUDZLzl63E2YSJPhHO2hLMA2HvQGkZa7WhQBHF4"),
    ]
}
