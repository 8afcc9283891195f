import NightlatchRelyingParty
import NightlatchWire

extension OpenAPISchema {
    static let apps: [String: JSONTree] = [
        "App": object(
            required: described.merging(["revision": revision]) { $1 },
            optional: [
                "device_policy": reference("DevicePolicy"), "jwks": reference("AppKeySet"),
                "client_secret": binary(byteCount: 32, example: "LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM").adding([
                    "description": "A new secret, once: no other answer contains it."
                ]),
            ]
        ).adding(["examples": [.object(example.merging(["revision": 1]) { $1 })]]),
        "AppRequest": object(
            required: ["client_id": reference("ClientID"), "client_name": name],
            optional: described.merging([
                "device_policy": reference("DevicePolicy"), "jwks": reference("AppKeySet"),
                "revision": revision.adding([
                    "type": ["integer", "null"],
                    "description": "The revision that is replaced; absent or null for a new app.",
                ]),
                "new_secret": [
                    "type": "boolean", "description": "Whether an app that already has a secret gets a new one.",
                ],
            ]) { $1 }
        ).adding([
            "if": [
                "required": ["token_endpoint_auth_method"],
                "properties": ["token_endpoint_auth_method": ["const": "private_key_jwt"]],
            ],
            "then": ["required": ["jwks"]],
            "examples": [.object(example)],
        ]),
        "DevicePolicy": [
            "enum": .array(DevicePolicy.allCases.map { .string($0.rawValue) }),
            "description": "The effect of a new binding through this app; absent for the server's policy.",
        ],
        "AppAuthenticationMethod": [
            "enum": .array(AppAuthentication.Method.allCases.map { .string($0.rawValue) }),
            "description": "How the app authenticates itself at the token endpoint (RFC 7591, section 2).",
        ],
        "AppSummary": object(required: [
            "client_id": reference("ClientID"), "client_name": name, "revision": revision,
            "binds_devices": ["type": "boolean"], "dpop_bound_access_tokens": ["type": "boolean"],
            "token_endpoint_auth_method": reference("AppAuthenticationMethod"),
        ]),
        "AppSummaryList": object(required: ["apps": list(of: "AppSummary")]),
        "RemovedApp": object(required: ["client_id": reference("ClientID")]),
        "AppKeySet": object(required: [
            "keys": [
                "type": "array", "items": reference("PublicKey"), "minItems": 1, "maxItems": .integer(App.keyLimit),
            ]
        ]),
        "RedirectURI": text(
            #"^[a-z][a-z0-9+.-]*:[!-~]+$"#, 1...2000,
            """
            An https URL, an http URL of a loopback address, or a URI with a private-use scheme, without a fragment, user \
            information and dot segments.
            """, format: "nightlatch-redirect-uri",
            example: "https://app.example/callback"),
    ]

    private static let name = shownText(
        characters: AppNameRule.characterCountLimit, bytes: AppNameRule.byteCountLimit, example: "Night Train")
    private static let revision: JSONTree = ["type": "integer", "minimum": 1]

    private static let example: [String: JSONTree] = [
        "client_id": "nightlatch", "client_name": "Night Train", "token_endpoint_auth_method": "client_secret_basic",
        "redirect_uris": ["https://app.example/callback"], "post_logout_redirect_uris": [], "scope": "openid profile",
        "dpop_bound_access_tokens": false, "binds_devices": true, "access_token_seconds": 300,
        "refresh_token_seconds": 2_592_000,
    ]

    /// The members that every app has. They have the names of client metadata (RFC 7591), where it has them.
    private static let described: [String: JSONTree] = [
        "client_id": reference("ClientID"),
        "client_name": name,
        "token_endpoint_auth_method": reference("AppAuthenticationMethod"),
        "redirect_uris": addresses, "post_logout_redirect_uris": addresses,
        "scope": text(
            #"^(?:[!#-\[\]-~]{1,64}(?: [!#-\[\]-~]{1,64}){0,31})?$"#, 0...2079,
            "At most \(App.listLimit) different scopes, separated by spaces.", format: "nightlatch-scope",
            example: "openid profile"),
        "dpop_bound_access_tokens": [
            "type": "boolean", "description": "Whether tokens are bound to a key (RFC 9449); the app gets no others.",
        ],
        "binds_devices": [
            "type": "boolean", "description": "Whether devices may use the id as the `iss` of their messages.",
        ],
        "access_token_seconds": seconds(App.accessTokenSeconds),
        "refresh_token_seconds": [
            "oneOf": [seconds(App.refreshTokenSeconds), seconds(0...0)],
            "description": "0 for an app without refresh tokens.",
        ],
    ]

    private static let addresses: JSONTree = [
        "type": "array", "items": reference("RedirectURI"), "maxItems": .integer(App.listLimit), "uniqueItems": true,
    ]

    private static func seconds(_ range: ClosedRange<Int>) -> JSONTree {
        ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }
}
