import NightlatchWire

/// The realm of the users of a relying party's journeys. It converts between user ids and universal ids.
package struct JourneyRealm: Hashable, Sendable {
    static let root = Self(unchecked: "root")

    package let name: String

    init?(_ name: String) {
        guard (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "._-".utf8.contains($0) })
        else { return nil }
        self.name = name
    }

    private init(unchecked name: String) {
        self.name = name
    }

    /// The realm's path in responses: `/` or `/alpha`.
    var path: String { self == .root ? "/" : "/" + name }

    private var suffix: String { ",ou=user,o=\(name),ou=services,ou=am-config" }

    /// The universal id: `sub` in messages and `userId` in callbacks.
    func universalID(of user: UserID) -> String { "id=" + user.rawValue + suffix }

    /// The user of a universal id of this realm; nil for any other text.
    func user(universalID text: String) -> UserID? {
        guard let rest = text.rest(after: "id="), rest.utf8.count > suffix.utf8.count else { return nil }
        let name = String(decoding: rest.utf8.dropLast(suffix.utf8.count), as: UTF8.self)
        guard let user = UserID(rawValue: name), universalID(of: user).isExactly(text) else { return nil }
        return user
    }
}
