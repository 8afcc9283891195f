import NightlatchWire

/// Everything that a server keeps about a user, as one JSON document: a sequence of its parts.
///
/// It contains no secret: no hash of a password, code or token, and no sealed key. A part is made when it is asked for,
/// so the size of the document does not matter. Each part is read at one moment, and other verbs may run between two
/// parts.
///
/// The sequence throws ``AdministrationError`` `store`, or `userUnknown` if the user was deleted meanwhile. The
/// document is then incomplete, and is no valid JSON.
///
/// Each record is on a line of its own. Members are `app_grants`, `audit` (newest first), `devices`, `enrolment_codes`,
/// `exported_at`, `journey_keys`, `journey_sessions`, `operators`, `passwords` (the counts of wrong attempts, and
/// `imported_form` if the hash was imported), `policy`, `profile`, `remote_logins`, `transactions`, `user` and
/// `webhook_deliveries`.
package struct UserExport: Sendable {
    /// The number of records in a part.
    private static let pageLength = 200

    private let store: any RelyingPartyStore
    private let user: UserRecord
    private let exportedAt: NumericDate

    init(of user: UserRecord, in store: any RelyingPartyStore, at time: NumericDate) {
        self.user = user
        self.store = store
        exportedAt = time
    }

    /// The place in the document where a part begins.
    private enum Position {
        case records(UserDataKind, after: [UInt8]?)
        case audit(before: AuditPosition?)
        /// The members that are no lists, at the end of the document.
        case end

        /// The beginning of the document.
        static let start = Position.list(at: 0)

        /// The beginning of the list with this index: the kinds of records, and then the audit log.
        static func list(at index: Int) -> Self {
            let kinds = UserDataKind.allCases
            return index < kinds.count ? .records(kinds[index], after: nil) : .audit(before: nil)
        }
    }

    /// Makes the part that begins at `position`.
    ///
    /// - Returns: The bytes of the part, and the position of the next one; nil after the last part. Nil instead of both
    ///   if the user was deleted meanwhile.
    private func part(
        at position: Position
    ) async throws(RelyingPartyStoreError) -> (bytes: [UInt8], next: Position?)? {
        switch position {
        case .records(let kind, let place):
            let entries = try await store.userData(kind, of: user.id, after: place, limit: Self.pageLength)
            let index = UserDataKind.allCases.firstIndex(of: kind) ?? 0
            let isLast = entries.count < Self.pageLength
            let bytes = Self.list(
                kind.rawValue, entries.map { StrictJSON.bytes(of: UserDataReport($0.record)) }, isFirst: place == nil,
                isLast: isLast)
            return (
                bytes: index == 0 && place == nil ? Array("{\n".utf8) + bytes : bytes,
                next: isLast ? .list(at: index + 1) : .records(kind, after: entries.last?.place)
            )
        case .audit(let before):
            let entries = try await store.auditEntries(of: user.id, before: before, limit: Self.pageLength)
            let isLast = entries.count < Self.pageLength
            return (
                bytes: Self.list("audit", entries.map(\.bytes), isFirst: before == nil, isLast: isLast),
                next: isLast ? .end : .audit(before: entries.last.map { AuditPosition(of: $0) })
            )
        case .end: return try await end().map { (bytes: $0, next: nil) }
        }
    }

    private func end() async throws(RelyingPartyStoreError) -> [UInt8]? {
        var bytes: [UInt8] = []
        if let profile = try await store.profile(of: user.id) {
            bytes += Self.member("profile", ProfileReport(profile, of: user.id))
        }
        if let policy = try await store.policies(of: nil, and: user.id).first {
            bytes += Self.member("policy", PolicyReport(policy, of: policy.subject))
        }
        // After a deletion the lists above are empty or incomplete, also if the id has a new user.
        guard try await store.user(user.id)?.createdAt == user.createdAt else { return nil }
        bytes += Self.member("user", ExportedUser(user))
        return bytes + Array("\"exported_at\":\(exportedAt.secondsSince1970)\n}\n".utf8)
    }

    private static func member(_ name: String, _ value: some Encodable) -> [UInt8] {
        Array("\"\(name)\":".utf8) + StrictJSON.bytes(of: value) + Array(",\n".utf8)
    }

    /// A part of a list: its name and opening bracket if it is the first, and its closing bracket if it is the last.
    private static func list(_ name: String, _ elements: [[UInt8]], isFirst: Bool, isLast: Bool) -> [UInt8] {
        var bytes = isFirst ? Array("\"\(name)\":[".utf8) : []
        for (index, element) in elements.enumerated() {
            bytes += (isFirst && index == 0 ? "\n" : ",\n").utf8
            bytes += element
        }
        return isLast ? bytes + Array("],\n".utf8) : bytes
    }
}

extension UserExport: AsyncSequence {
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let export: UserExport
        /// The position of the next part; nil after the last.
        private var position: Position? = .start

        fileprivate init(_ export: UserExport) { self.export = export }

        package mutating func next() async throws(AdministrationError) -> [UInt8]? {
            guard let start = position else { return nil }
            do throws(RelyingPartyStoreError) {
                if let part = try await export.part(at: start) {
                    position = part.next
                    return part.bytes
                }
            } catch {
                throw .store(error)
            }
            throw .userUnknown
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// The user in an export.
private struct ExportedUser: Encodable {
    let user: UserRecord

    init(_ user: UserRecord) { self.user = user }

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("created_at", user.createdAt)
        try members.add("has_password", user.hasPassword)
        try members.add("id", user.id)
    }
}
