import NightlatchRelyingParty
import NightlatchWire

extension OpenAPIOperations {
    static let published = [
        OpenAPIOperation(
            route: .liveness, name: "isAlive", summary: "Whether the process runs.",
            details: "A supervisor restarts a process that does not answer. The store is not asked.", answer: "Health",
            isBounded: false),
        OpenAPIOperation(
            route: .readiness, name: "isReady", summary: "Whether the store can be written.",
            details: """
                A load balancer sends requests only to processes that answer with 200. The store writes for this \
                at most once a second, however many clients ask.
                """, answer: "Health"),
        OpenAPIOperation(
            route: .jwks, name: "keys", summary: "The keys that sign access tokens (RFC 7517).",
            details: """
                Clients may cache the keys for five minutes. A new key is published seven minutes before it \
                signs, and an old key until its last token has expired.
                """, answer: "KeySet",
            isBounded: false),
        OpenAPIOperation(
            route: .metadata, name: "metadata", summary: "What the OAuth routes can do (RFC 8414).",
            details: "The document of OpenID Connect's discovery. Clients may cache it for five minutes.",
            answer: "Metadata",
            isBounded: false),
        OpenAPIOperation(
            route: .openAPI, name: "description", summary: "This description.",
            details: """
                Clients may cache it for five minutes. It does not describe journeys and OpenID Connect, which \
                have standards or pages of their own.
                """, answer: "Description"),
    ]
}
