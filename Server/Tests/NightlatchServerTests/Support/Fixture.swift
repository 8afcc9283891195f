import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Values that tests share.
enum Fixture {
    static func issuer() throws -> Issuer { try #require(Issuer(rawValue: "https://login.example")) }
    static func alice() throws -> UserID { try #require(UserID(rawValue: "alice")) }
    static func bob() throws -> UserID { try #require(UserID(rawValue: "bob")) }
    static func phone() throws -> DeviceName { try #require(DeviceName(rawValue: "Alice’s phone")) }

    static let authentication = Authentication(time: TestTime.start, userVerification: .pin)

    /// Returns a signing key as a store has it; its sealed box cannot be opened.
    static func signingKey(activeFrom: NumericDate = TestTime.current) throws -> SealedSigningKey {
        SealedSigningKey(
            id: try TestKey.newEC().id, box: [1, 2, 3], createdAt: TestTime.current, activeFrom: activeFrom)
    }

    static func hash<Subject>() -> StoredHash<Subject> { StoredHash((0..<32).map { _ in UInt8.random(in: 0...255) }) }

    static func use(_ challenge: Challenge = .random(), message: MessageHash = hash()) -> ChallengeUse {
        ChallengeUse(challenge: challenge, message: message, expiresAt: TestTime.current + .seconds(120))
    }
}
