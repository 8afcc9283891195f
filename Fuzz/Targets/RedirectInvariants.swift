import Foundation
import NightlatchFuzzReference
import NightlatchJourney

/// Checks that the client exchanges only the code of a redirect that belongs to its request.
enum RedirectInvariants {
    private static let state = "s-1"

    /// - Parameter input: The query of the server's redirect.
    static func check(_ input: [UInt8]) async throws(FuzzFinding) -> Bool {
        let query = String(decoding: input, as: UTF8.self)
        let server = RedirectingServer(query: query)
        let journey = Journey.createJourney { config in
            config.serverUrl = "https://example.com/am"
            config.transport = server
            config.module(OidcModule.config) { oidc in
                oidc.clientId = "app"
                oidc.redirectUri = RedirectingServer.redirectURI
                oidc.discoveryEndpoint = RedirectingServer.issuer + "/.well-known/openid-configuration"
                oidc.state = state
            }
        }
        _ = await journey.start("Login")
        let user = try unwrap(await journey.journeyUser(), "no session")
        let tokens = await user.token()
        guard let request = await server.tokenRequest else {
            guard case .failure = tokens else { throw FuzzFinding("tokens without a request") }
            return false
        }
        let fields = try unwrap(fields(Array(query.utf8)), "accepted a query that the reference cannot read")
        let sent = try unwrap(self.fields(Array(request)), "sent a form that the reference cannot read")
        try require(fields.count { $0.name == Array("error".utf8) } == 0, "accepted an error")
        try require(values("state", fields) == [Array(state.utf8)], "accepted another state")
        try require(values("iss", fields) == [Array(RedirectingServer.issuer.utf8)], "accepted another issuer")
        try require(values("code", fields) == values("code", sent), "exchanged another code")
        return true
    }

    private typealias Field = (name: [UInt8], value: [UInt8])

    private static func values(_ name: String, _ fields: [Field]) -> [[UInt8]] {
        fields.filter { $0.name == Array(name.utf8) }.map(\.value)
    }

    /// The reference: reads a query or a form byte by byte.
    private static func fields(_ bytes: [UInt8]) -> [Field]? {
        var fields: [Field] = []
        for pair in bytes.prefix(while: { $0 != UInt8(ascii: "#") }).split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = unescaped(pair[..<end]), let value = unescaped(pair[end...].dropFirst()) else {
                return nil
            }
            fields.append((name, value))
        }
        return fields
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        var decoded: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
