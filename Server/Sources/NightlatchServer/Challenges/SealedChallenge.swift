package import NightlatchWire

/// What a relying party must remember of a challenge until its answer comes. The client keeps it, sealed, so beginning a
/// ceremony writes nothing and any process can finish what another began.
package struct SealedChallenge: Hashable, Sendable {
    package let purpose: Purpose
    package let challenge: Challenge
    package let expiresAt: NumericDate

    /// What the answer may be used for, and by whom.
    package enum Purpose: Hashable, Sendable {
        case binding(user: UserID, deviceKey: KeyID, enrolmentCode: EnrolmentCodeMAC)
        /// Without a device: any of the user's.
        case login(user: UserID, device: DeviceID?)
        case decision(user: UserID, device: DeviceID, transaction: TransactionID)
    }

    package init(purpose: Purpose, challenge: Challenge, expiresAt: NumericDate) {
        self.purpose = purpose
        self.challenge = challenge
        self.expiresAt = expiresAt
    }
}

extension SealedChallenge: Codable {
    private enum Kind: String, Codable {
        case binding
        case login
        case decision
    }

    package init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        let user: UserID = try members.value("user")
        switch try members.value("kind", as: Kind.self) {
        case .binding:
            guard let mac = Base64URL.decode(try members.value("code") as String) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "the code is not base64url"))
            }
            purpose = .binding(
                user: user, deviceKey: try members.value("device_key"), enrolmentCode: EnrolmentCodeMAC(mac))
        case .login:
            purpose = .login(user: user, device: try members.optionalValue("device"))
        case .decision:
            purpose = .decision(
                user: user, device: try members.value("device"), transaction: try members.value("transaction"))
        }
        challenge = try members.value("challenge")
        expiresAt = try members.value("exp")
    }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("challenge", challenge)
        switch purpose {
        case .binding(let user, let deviceKey, let enrolmentCode):
            try members.add("code", Base64URL.encode(enrolmentCode.bytes))
            try members.add("device_key", deviceKey)
            try members.add("exp", expiresAt)
            try members.add("kind", Kind.binding)
            try members.add("user", user)
        case .login(let user, let device):
            try members.addIfPresent("device", device)
            try members.add("exp", expiresAt)
            try members.add("kind", Kind.login)
            try members.add("user", user)
        case .decision(let user, let device, let transaction):
            try members.add("device", device)
            try members.add("exp", expiresAt)
            try members.add("kind", Kind.decision)
            try members.add("transaction", transaction)
            try members.add("user", user)
        }
    }
}
