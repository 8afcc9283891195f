import Foundation
package import NightlatchWire

/// The machine-readable description of the relying party's routes
/// ([OpenAPI 3.1.0](https://spec.openapis.org/oas/v3.1.0)).
package struct OpenAPIDocument: Sendable {
    package let tree: JSONTree

    /// Creates the description of the relying party `issuer`.
    package init(issuer: Issuer) {
        let byPath = Dictionary(grouping: OpenAPIOperations.all, by: \.route.path)
        tree = [
            "openapi": "3.1.0",
            "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
            "info": ["title": "Nightlatch relying party", "version": "1", "description": .string(Self.description)],
            "servers": [["url": .string(issuer.rawValue)]],
            "tags": .array(
                OpenAPITag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.description)] }),
            "paths": .object(
                byPath.mapValues { operations in
                    .object(
                        Dictionary(
                            uniqueKeysWithValues: operations.map { ($0.route.method.rawValue.lowercased(), $0.object) })
                    )
                }),
            "components": [
                "schemas": .object(OpenAPISchema.all),
                "headers": .object(OpenAPIComponents.headers),
                "parameters": .object(OpenAPIComponents.parameters),
                "securitySchemes": .object(OpenAPIComponents.securitySchemes),
            ],
        ]
    }

    private static let description = """
        Bodies are read strictly: at most 64 KiB, nested at most 8 deep, without duplicate members. Unknown members are \
        ignored unless the schema forbids them. Every refusal has a code; docs/errors.md explains each code. A method \
        that a path does not have is refused with 405 and Allow, a request beyond a limit with 429 or 503 and \
        Retry-After, headers of more than 32 KiB with 431. The iss of a device's messages is the id of an app that binds \
        devices; a server on which no other app is registered serves the id nightlatch. docs/protocol.md says what is verified in which order.
        """
}

/// The components that operations share, other than schemas.
enum OpenAPIComponents {
    static let headers: [String: JSONTree] = [
        "X-Request-Id": header("The id of this request in the server's log.", ["minLength": 1]),
        "Cache-Control": header("Whether the answer may be kept.", ["minLength": 1]),
        "WWW-Authenticate": header(
            "The authentication challenge (RFC 9110, section 11.6.1).", ["pattern": "^(Bearer|DPoP algs=.*)$"]),
        "Retry-After": header("How many seconds to wait.", ["pattern": "^[0-9]+$"]),
        "DPoP-Nonce": header(
            "The nonce for the next proof (RFC 9449, section 8.2).", ["pattern": #"^[!#-\[\]-~]{1,256}$"#]),
    ]

    static let parameters: [String: JSONTree] = [
        "DPoP": [
            "name": "DPoP", "in": "header", "required": true,
            "description": "The proof for this one request (RFC 9449, section 4.2), with the newest nonce.",
            "schema": [
                "type": "string", "maxLength": 16384,
                "pattern": #"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$"#,
            ],
            "example": .string(OpenAPIExample.signedMessage),
        ]
    ]

    static let securitySchemes: [String: JSONTree] = [
        "backendKey": ["type": "http", "scheme": "bearer", "description": "The key of the app's backend."],
        "apiKey": [
            "type": "http", "scheme": "bearer",
            "description": "The token of an API key. A requirement names the scope that the key must have.",
        ],
        "deviceSession": [
            "type": "http", "scheme": "DPoP",
            "description":
                "An access token of this server (RFC 9068), with a proof by its key (RFC 9449, section 7.1).",
        ],
    ]

    private static func header(_ description: String, _ rules: [String: JSONTree]) -> JSONTree {
        [
            "description": .string(description), "required": true,
            "schema": JSONTree.object(["type": "string"]).adding(rules),
        ]
    }
}
