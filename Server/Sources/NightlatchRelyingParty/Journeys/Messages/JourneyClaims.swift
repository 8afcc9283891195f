package import NightlatchWire

/// The claims of a journey message.
package struct JourneyClaims: Hashable, Sendable {
    /// Empty if the message has no subject; it then matches no user.
    package let subject: String
    package let issuer: String
    package let challenge: String
    package let expiresAt: NumericDate
    package let issuedAt: NumericDate?
    package let notBefore: NumericDate?
    /// The signed claims that the protocol does not require, in their order.
    package let custom: [JSONObject.Member]
    /// The claims with which a client describes itself. No decision depends on them: only its key identifies a client.
    package let descriptions: [JSONObject.Member]

    /// The largest accepted error of a client's clock.
    static let clockTolerance: Duration = .seconds(30)
    /// The time by which a message's lifetime may exceed the node's timeout.
    static let lifeTolerance: Duration = .seconds(60)
    /// The largest size of ``custom`` in bytes, because the audit log records them.
    static let customByteCountLimit = 4096
    /// The largest size of ``descriptions`` in bytes, because the journey's state contains them.
    static let descriptionByteCountLimit = 256

    /// The values that the message must have.
    package struct Expectation: Hashable, Sendable {
        let subject: String
        let challenge: String
        let applications: Set<String>
        let timeout: Duration

        package init(subject: String, challenge: String, applications: Set<String>, timeout: Duration) {
            self.subject = subject
            self.challenge = challenge
            self.applications = applications
            self.timeout = timeout
        }
    }

    /// Whether a message with these claims can be accepted, now or later, by a node with this `timeout`.
    func canServe(timeout: Duration, now: NumericDate) -> Bool {
        expiresAt + Self.clockTolerance > now && expiresAt <= now + timeout + Self.lifeTolerance
    }

    func check(_ expectation: Expectation, now: NumericDate) throws(JourneyRefusal) {
        guard expectation.applications.contains(where: issuer.isExactly) else { throw .wrongIssuer }
        guard subject.isExactly(expectation.subject) else { throw .wrongSubject }
        guard ConstantTime.isEqual(challenge, expectation.challenge) else { throw .wrongChallenge }
        guard expiresAt + Self.clockTolerance > now else { throw .expired }
        guard expiresAt <= now + expectation.timeout + Self.lifeTolerance else { throw .lifeTooLong }
        for start in [issuedAt, notBefore].compactMap(\.self) where start > now + Self.clockTolerance {
            throw .notYetValid
        }
        guard JSONValue.object(custom).bytes.count <= Self.customByteCountLimit,
            JSONValue.object(descriptions).bytes.count <= Self.descriptionByteCountLimit
        else { throw .tooManyClaims }
    }

    /// ``custom`` as one JSON object; nil if there are none.
    var customText: String? { custom.isEmpty ? nil : JSONValue.object(custom).json }

    /// ``descriptions`` as one JSON object; nil if there are none.
    var descriptionsText: String? { descriptions.isEmpty ? nil : JSONValue.object(descriptions).json }
}

extension JourneyClaims: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case sub, iss, challenge, exp, iat, nbf
    }

    private static let descriptionNames: Set<String> = ["platform", "android-version"]

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        subject = try container.decodeIfPresent(String.self, forKey: .sub) ?? ""
        issuer = try container.decode(String.self, forKey: .iss)
        challenge = try container.decode(String.self, forKey: .challenge)
        expiresAt = try container.decode(FractionalDate.self, forKey: .exp).date
        issuedAt = try container.decodeIfPresent(FractionalDate.self, forKey: .iat)?.date
        notBefore = try container.decodeIfPresent(FractionalDate.self, forKey: .nbf)?.date
        let known = Set(CodingKeys.allCases.map(\.rawValue))
        let others = (try JSONValue(from: decoder).object?.members ?? []).filter { !known.contains($0.name) }
        custom = others.filter { !Self.descriptionNames.contains($0.name) }
        descriptions = others.filter { Self.descriptionNames.contains($0.name) }
    }
}
