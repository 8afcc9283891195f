package import NightlatchWire

/// What a message of a journey says.
package struct JourneyClaims: Hashable, Sendable {
    /// Empty if it says nothing of whom it is about: then it is about nobody.
    package let subject: String
    package let issuer: String
    package let challenge: String
    package let expiresAt: NumericDate
    package let issuedAt: NumericDate?
    package let notBefore: NumericDate?
    /// What the app had signed beyond the claims of the protocol, in the order in which it stands.
    package let custom: [JSONObject.Member]
    /// What the client says of itself, or an app in its place. Nothing rests on it: who a client is, its key shows.
    package let descriptions: [JSONObject.Member]

    /// How far a client's clock may be off.
    static let clockTolerance: Duration = .seconds(30)
    /// How much longer than the node's time a message may say it lives.
    static let lifeTolerance: Duration = .seconds(60)
    /// The most bytes that ``custom`` may take: they are written into the audit log.
    static let customByteCountLimit = 4096
    /// The most bytes that ``descriptions`` may take, which travel with the state.
    static let descriptionByteCountLimit = 256

    /// What the journey knows that the message must say.
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

    /// Whether a message that says this could still be taken, now or later, by who allows `timeout`.
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

    /// A moment that may have a fraction, as [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519#section-2) allows. It counts as the second
    /// that it falls in.
    private struct FractionalDate: Decodable {
        let date: NumericDate

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let date = NumericDate(fractional: try container.decode(Double.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
            }
            self.date = date
        }
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
