package import Crypto
package import Foundation
package import NightlatchWire

/// Makes the `authId` in which a client keeps a journey's state between two requests, and opens it again.
///
/// It is a JWT under HMAC-SHA256, as those of PingAM are, and in it the state in an AES-256-GCM box: nobody else can make one, change
/// one or read what is in it. The box is bound to the realm and to what the file says of the journey: where the master key is the same and the
/// file is not, a journey does not go on by other rules than it began with.
/// One by itself may be opened any number of times: that it is answered once is for the store to see to.
package struct AuthenticationSessions: Sendable {
    /// How long a journey may take, from its beginning.
    static let life: Duration = .seconds(300)
    /// The longest `authId` that is read, in bytes.
    private static let byteCountLimit = 48 * 1024

    private let signingKey: SymmetricKey
    private let sealingKey: SymmetricKey
    private let configuration: JourneyConfiguration
    private static let header = Base64URL.encode(Data(#"{"typ":"JWT","alg":"HS256"}"#.utf8))

    /// - Parameters:
    ///   - signingKey: For the MAC, and nothing else.
    ///   - sealingKey: For the box, and nothing else.
    ///   - configuration: Whose journeys go on.
    package init(signingKey: SymmetricKey, sealingKey: SymmetricKey, configuration: JourneyConfiguration) {
        self.signingKey = signingKey
        self.sealingKey = sealingKey
        self.configuration = configuration
    }

    /// An `authId` that carries `state`.
    package func seal(_ state: JourneyState, now: NumericDate) throws(JourneyRefusal) -> String {
        let plaintext = StrictJSON.encode(state)
        guard plaintext.count <= JourneyState.byteCountLimit else { throw .stateTooLarge }
        return try seal(plaintext, of: state.journey, until: state.expiresAt, now: now)
    }

    /// As ``seal(_:now:)``, of a state that is encoded already.
    package func seal(
        _ plaintext: Data,
        of journey: String,
        until end: NumericDate,
        now: NumericDate
    ) throws(JourneyRefusal) -> String {
        let oneTimeKey = Challenge.random()
        let context = try context(of: oneTimeKey, in: journey)
        // Neither the key nor the nonce, which are made here, can be refused.
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

    /// What an `authId` carries, and the right to answer it.
    package func open(
        _ text: String, now: NumericDate
    ) throws(JourneyRefusal) -> (state: JourneyState, use: JourneyStepUse) {
        // In bytes: to find characters from the end costs the square of the length where flags follow flags.
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
        // One that was made while the clock was ahead counts as expired.
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

    /// What a box holds for: the one-time key, the realm, and the journey as it is now. Neither of the first two has a byte of zero.
    private func context(of oneTimeKey: Challenge, in journey: String) throws(JourneyRefusal) -> Data {
        guard let journey = configuration.journeys[journey] else { throw .unknownJourney }
        return Data("\(oneTimeKey.rawValue)\u{0}\(configuration.realm.path)\u{0}".utf8) + journey.fingerprint
    }

    private func signature(over input: String) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: signingKey)
    }

    /// In constant time.
    private func isSignature(_ signature: [UInt8], over input: Substring) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: Data(input.utf8), using: signingKey)
    }
}
