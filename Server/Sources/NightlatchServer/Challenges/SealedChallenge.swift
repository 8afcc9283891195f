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
    private enum CodingKeys: String, CodingKey {
        case kind, user, device, code, transaction, challenge
        case deviceKey = "device_key"
        case expiresAt = "exp"
    }

    private enum Kind: String, Codable {
        case binding
        case login
        case decision
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let user = try container.decode(UserID.self, forKey: .user)
        switch try container.decode(Kind.self, forKey: .kind) {
        case .binding:
            guard let mac = Base64URL.decode(try container.decode(String.self, forKey: .code)) else {
                throw DecodingError.dataCorruptedError(forKey: .code, in: container, debugDescription: "not base64url")
            }
            purpose = .binding(
                user: user, deviceKey: try container.decode(KeyID.self, forKey: .deviceKey),
                enrolmentCode: EnrolmentCodeMAC(mac))
        case .login:
            purpose = .login(user: user, device: try container.decodeIfPresent(DeviceID.self, forKey: .device))
        case .decision:
            purpose = .decision(
                user: user, device: try container.decode(DeviceID.self, forKey: .device),
                transaction: try container.decode(TransactionID.self, forKey: .transaction))
        }
        challenge = try container.decode(Challenge.self, forKey: .challenge)
        expiresAt = try container.decode(NumericDate.self, forKey: .expiresAt)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch purpose {
        case .binding(let user, let deviceKey, let enrolmentCode):
            try container.encode(Kind.binding, forKey: .kind)
            try container.encode(user, forKey: .user)
            try container.encode(deviceKey, forKey: .deviceKey)
            try container.encode(Base64URL.encode(enrolmentCode.bytes), forKey: .code)
        case .login(let user, let device):
            try container.encode(Kind.login, forKey: .kind)
            try container.encode(user, forKey: .user)
            try container.encodeIfPresent(device, forKey: .device)
        case .decision(let user, let device, let transaction):
            try container.encode(Kind.decision, forKey: .kind)
            try container.encode(user, forKey: .user)
            try container.encode(device, forKey: .device)
            try container.encode(transaction, forKey: .transaction)
        }
        try container.encode(challenge, forKey: .challenge)
        try container.encode(expiresAt, forKey: .expiresAt)
    }
}
