import NightlatchWire

/// Everything that a server keeps about a user, as one JSON document.
///
/// It contains no secret: no hash of a password, code or token, and no sealed key. The document is made page by page,
/// so its size does not matter. Each page is read at one moment, and other verbs may run between two pages.
package struct UserExport: Sendable {
    private static let pageLength = 200

    private let store: any RelyingPartyStore
    private let user: UserRecord
    private let exportedAt: NumericDate

    init(of user: UserRecord, in store: any RelyingPartyStore, at time: NumericDate) {
        self.user = user
        self.store = store
        exportedAt = time
    }

    /// Makes the document.
    ///
    /// Each record is on a line of its own. Members are `app_grants`, `audit` (newest first), `devices`,
    /// `enrolment_codes`, `exported_at`, `journey_keys`, `journey_sessions`, `passwords` (the counts of wrong
    /// attempts), `policy`, `profile`, `remote_logins`, `transactions` and `user`.
    ///
    /// - Parameter send: Receives the next bytes of the document, in order.
    /// - Throws: The error of `send`, or a ``RelyingPartyStoreError``. The document is then incomplete, and is no valid
    ///   JSON.
    package func write(to send: ([UInt8]) async throws -> Void) async throws {
        try await send(Array("{\n".utf8))
        for kind in UserDataKind.allCases {
            try await list(kind.rawValue, to: send) { (last: UserDataEntry?) async throws(RelyingPartyStoreError) in
                try await store.userData(kind, of: user.id, after: last?.place, limit: Self.pageLength)
            } report: { entry in
                StrictJSON.bytes(of: UserDataReport(entry.record))
            }
        }
        try await list("audit", to: send) { (last: AuditEntry?) async throws(RelyingPartyStoreError) in
            try await store.auditEntries(of: user.id, before: last.map(AuditPosition.init), limit: Self.pageLength)
        } report: { entry in
            entry.bytes
        }
        if let profile = try await store.profile(of: user.id) {
            try await member("profile", ProfileReport(profile, of: user.id), to: send)
        }
        if let policy = try await store.policies(of: nil, and: user.id).first {
            try await member("policy", PolicyReport(policy, of: policy.subject), to: send)
        }
        try await member("user", UserReport(user), to: send)
        try await send(Array("\"exported_at\":\(exportedAt.secondsSince1970)\n}\n".utf8))
    }

    private func member(
        _ name: String, _ value: some Encodable, to send: ([UInt8]) async throws -> Void
    ) async throws {
        try await send(Array("\"\(name)\":".utf8) + StrictJSON.bytes(of: value) + Array(",\n".utf8))
    }

    /// Sends an array page by page.
    private func list<Element>(
        _ name: String, to send: ([UInt8]) async throws -> Void,
        next: (Element?) async throws(RelyingPartyStoreError) -> [Element], report: (Element) -> [UInt8]
    ) async throws {
        try await send(Array("\"\(name)\":[".utf8))
        var last: Element?
        var separator = "\n"
        // Ends: each page begins after the last element of the previous one.
        while true {
            let elements = try await next(last)
            for element in elements {
                try await send(Array(separator.utf8) + report(element))
                separator = ",\n"
            }
            last = elements.last
            if elements.count < Self.pageLength { break }
        }
        try await send(Array("],\n".utf8))
    }
}

/// The user in an export.
private struct UserReport: Encodable {
    let user: UserRecord

    init(_ user: UserRecord) { self.user = user }

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("created_at", user.createdAt)
        try members.add("has_password", user.hasPassword)
        try members.add("id", user.id)
    }
}
