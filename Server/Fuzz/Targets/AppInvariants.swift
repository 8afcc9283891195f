import NightlatchFuzzReference
import NightlatchRelyingParty
import NightlatchWire

/// Invariants of an accepted app.
///
/// - Each address is the text that the input contains. It has no fragment, user information, dot segment or control
///   character, and no scheme that runs content or connects in the clear to another machine.
/// - Its lifetimes and the numbers of its values are within the limits.
/// - Its JSON is smaller than a message, and reads back as the same app.
enum AppInvariants {
    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        guard let app = try? StrictJSON.decode(App.self, from: input) else { return false }
        let members = try unwrap(JSONObjectReference(input), "an app that is no object")
        try require(members.text("client_id") == app.id.rawValue, "another id")
        try require((1...64).contains(app.id.rawValue.utf8.count), "an id of \(app.id.rawValue.utf8.count) bytes")
        for (name, addresses) in [
            ("redirect_uris", app.redirectURIs), ("post_logout_redirect_uris", app.logoutURIs),
        ] {
            try require((members.texts(name) ?? []) == addresses.map(\.rawValue), "other \(name)")
            try require(addresses.count <= 32, "\(addresses.count) addresses")
            for address in addresses { try check(address.rawValue) }
        }
        try require(app.scopes.count <= 32, "\(app.scopes.count) scopes")
        try require(
            (members.integer("access_token_seconds") ?? 300) == app.accessTokenLife.components.seconds, "another life")
        try require((30...3600).contains(app.accessTokenLife.components.seconds), "a life that is not allowed")
        let refresh = app.refreshTokenLife?.components.seconds ?? 0
        try require((members.integer("refresh_token_seconds") ?? 2_592_000) == refresh, "another life")
        try require(refresh == 0 || (60...31_536_000).contains(refresh), "a life that is not allowed")
        if case .privateKey(let keys) = app.authentication {
            try require((1...16).contains(keys.keys.count), "\(keys.keys.count) keys")
        }
        let written = StrictJSON.bytes(of: app)
        try require(written.count <= JSONLimits.message.byteCount, "\(written.count) bytes")
        let again = try unwrap(try? StrictJSON.decode(App.self, from: written), "an app that cannot be read again")
        try require(again == app, "an app that is another when read again")
        return true
    }

    /// Checks an address by its bytes alone.
    private static func check(_ address: String) throws(FuzzFinding) {
        let bytes = Array(address.utf8)
        try require(bytes.count <= 2000 && bytes.allSatisfy { (0x21...0x7E).contains($0) }, "not printable ASCII")
        try require(!bytes.contains { #"#\"<>`{}|^"#.utf8.contains($0) }, "a character that no URI has")
        let scheme = address.prefix { $0 != ":" }
        try require(scheme == scheme.lowercased() && !scheme.isEmpty, "the scheme \(scheme)")
        try require(
            !["javascript", "data", "file", "vbscript", "blob", "about"].contains(scheme), "the scheme \(scheme)")
        let rest = address.dropFirst(scheme.count + 1)
        let authority = rest.hasPrefix("//") ? rest.dropFirst(2).prefix { !"/?#".contains($0) } : ""
        try require(!authority.contains("@"), "user information")
        if scheme == "http" || scheme == "https" { try require(!authority.isEmpty, "no host") }
        if scheme == "http" {
            let isLocal = ["127.0.0.1", "[::1]", "localhost"].contains { host in
                authority == host || authority.hasPrefix(host + ":")
            }
            try require(isLocal, "http to \(authority)")
        }
        let path = rest.dropFirst(rest.hasPrefix("//") ? 2 + authority.count : 0).prefix { $0 != "?" }
        for segment in path.lowercased().split(separator: "/") {
            try require(![".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"].contains(segment), "the segment \(segment)")
        }
    }
}
