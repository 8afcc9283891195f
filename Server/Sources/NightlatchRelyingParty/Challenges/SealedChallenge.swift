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
