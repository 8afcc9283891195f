package import NightlatchRelyingParty
package import NightlatchWire
import Testing

/// Values that tests share.
package enum Fixture {
    package static func issuer() throws -> Issuer { try #require(Issuer(rawValue: "https://login.example")) }
    package static func alice() throws -> UserID { try #require(UserID(rawValue: "alice")) }
    package static func bob() throws -> UserID { try #require(UserID(rawValue: "bob")) }
    package static func phone() throws -> DeviceName { try #require(DeviceName(rawValue: "Alice’s phone")) }

    package static let authentication = Authentication(time: TestTime.start, userVerification: .pin)

    /// Returns a signing key in the form in which a store has it. Its sealed box cannot be opened.
    package static func signingKey(activeFrom: NumericDate = TestTime.current) throws -> SealedSigningKey {
        SealedSigningKey(
            id: try TestKey.newEC().id, box: [1, 2, 3], createdAt: TestTime.current, activeFrom: activeFrom)
    }

    package static func hash<Subject>() -> StoredHash<Subject> {
        StoredHash((0..<32).map { _ in UInt8.random(in: 0...255) })
    }

    package static func use(_ challenge: Challenge = .random(), message: MessageHash = hash()) -> ChallengeUse {
        ChallengeUse(challenge: challenge, message: message, expiresAt: TestTime.current + .seconds(120))
    }
}
