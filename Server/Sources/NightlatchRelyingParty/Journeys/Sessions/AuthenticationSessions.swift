package import Crypto
package import Foundation
package import NightlatchWire

/// Seals a journey's state into the `authId` that the client keeps between two requests, and opens it.
///
/// The `authId` is a JWT with HMAC-SHA256, like PingAM's. It contains the state in an AES-256-GCM sealed box, so
/// without the keys it cannot be made, changed or read. The box is bound to the realm and to the journey's definition:
/// if the definition changes, a journey that began under the old one cannot continue. An `authId` can be opened any
/// number of times; the store ensures that it is answered only once.
package struct AuthenticationSessions: Sendable {
    /// The longest duration of a journey.
    static let life: Duration = .seconds(300)
    /// The longest `authId` that is accepted, in bytes.
    private static let byteCountLimit = 48 * 1024

    private let signingKey: SymmetricKey
    private let sealingKey: SymmetricKey
    private let configuration: JourneyConfiguration
    private static let header = Base64URL.encode(Data(#"{"typ":"JWT","alg":"HS256"}"#.utf8))

    /// - Parameters:
    ///   - signingKey: The key for the MAC, and for no other purpose.
    ///   - sealingKey: The key for the sealed box, and for no other purpose.
    ///   - configuration: The configuration of the journeys.
    package init(signingKey: SymmetricKey, sealingKey: SymmetricKey, configuration: JourneyConfiguration) {
        self.signingKey = signingKey
        self.sealingKey = sealingKey
        self.configuration = configuration
    }

    /// Seals `state` into an `authId`.
    package func seal(_ state: JourneyState, now: NumericDate) throws(JourneyRefusal) -> String {
        let plaintext = StrictJSON.encode(state)
        guard plaintext.count <= JourneyState.byteCountLimit else { throw .stateTooLarge }
        return try seal(plaintext, of: state.journey, until: state.expiresAt, now: now)
    }

    /// As ``seal(_:now:)``, for an encoded state.
    package func seal(
        _ plaintext: Data,
        of journey: String,
        until end: NumericDate,
        now: NumericDate
    ) throws(JourneyRefusal) -> String {
        let oneTimeKey = Challenge.random()
        let context = try context(of: oneTimeKey, in: journey)
        // Key and nonce are made here and valid, so sealing cannot fail because of them.
        guard let box = try? AES.GCM.seal(plaintext, using: sealingKey, authenticating: context),
            let combined = box.combined
        else { throw .stateTooLarge }
        let payload = JSONValue.object([
            .init("otk", .string(oneTimeKey.rawValue)),
            .init("authIndexType", .string("service")),
            .init("authIndexValue", .string(journey)),
            .init("realm", .string(configuration.realm.path)),
            .init("sessionId", .string(Base64URL.encode(combined))),
            .init("iat", .integer(now.secondsSince1970)),
            .init("exp", .integer(end.secondsSince1970)),
        ])
        let input = Self.header + "." + Base64URL.encode(payload.bytes)
        return input + "." + Base64URL.encode(Data(signature(over: input)))
    }

    /// Opens an `authId`. Returns its state and the right to answer it.
    package func open(
        _ text: String, now: NumericDate
    ) throws(JourneyRefusal) -> (state: JourneyState, use: JourneyStepUse) {
        // Works on bytes: finding a character from the end costs the square of the length in a run of flag emoji.
        guard text.utf8.count <= Self.byteCountLimit, text.rest(after: Self.header + ".") != nil,
            let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")),
            let signature = Base64URL.decode(text[text.utf8.index(after: dot)...]),
            isSignature(signature, over: text[..<dot]),
            let payload = Base64URL.decode(text[..<dot].dropFirst(Self.header.count + 1))
        else { throw .authIDRefused }
        guard let claims = try? StrictJSON.decode(Claims.self, from: payload) else { throw .authIDRefused }
        let context = try context(of: claims.oneTimeKey, in: claims.journey)
        let state: JourneyState
        do {
            let box = try AES.GCM.SealedBox(combined: Base64URL.decode(claims.state) ?? [])
            let plaintext = try AES.GCM.open(box, using: sealingKey, authenticating: context)
            state = try StrictJSON.decode(JourneyState.self, from: plaintext)
        } catch {
            throw .authIDRefused
        }
        // A state that was sealed while the clock was ahead counts as expired.
        guard now <= state.expiresAt, state.expiresAt.isEnd(of: Self.life, now: now) else { throw .sessionExpired }
        return (state, JourneyStepUse(oneTimeKey: claims.oneTimeKey, expiresAt: state.expiresAt))
    }

    private struct Claims: Decodable {
        let oneTimeKey: Challenge
        let journey: String
        let state: String

        private enum CodingKeys: String, CodingKey {
            case oneTimeKey = "otk"
            case journey = "authIndexValue"
            case state = "sessionId"
        }
    }

    /// The associated data of a box: the one-time key, the realm, and the fingerprint of the journey's current
    /// definition.
    ///
    /// The first two contain no zero byte.
    private func context(of oneTimeKey: Challenge, in journey: String) throws(JourneyRefusal) -> Data {
        guard let journey = configuration.journeys[journey] else { throw .unknownJourney }
        return Data("\(oneTimeKey.rawValue)\u{0}\(configuration.realm.path)\u{0}".utf8) + journey.fingerprint
    }

    private func signature(over input: String) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: signingKey)
    }

    /// Compares in constant time.
    private func isSignature(_ signature: [UInt8], over input: Substring) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: Data(input.utf8), using: signingKey)
    }
}
