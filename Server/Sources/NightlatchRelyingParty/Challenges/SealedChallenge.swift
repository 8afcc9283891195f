package import NightlatchWire

/// The state of a challenge until it is answered.
///
/// The client keeps it, sealed: beginning a ceremony therefore writes nothing, and any process can finish a ceremony
/// that another one began.
package struct SealedChallenge: Hashable, Sendable {
    package let purpose: Purpose
    package let challenge: Challenge
    package let expiresAt: NumericDate

    /// The purpose of the answer, and the party that may give it.
    package enum Purpose: Hashable, Sendable {
        case binding(user: UserID, deviceKey: KeyID, enrolmentCode: EnrolmentCodeMAC)
        /// If `device` is nil, any device of the user may answer.
        case login(user: UserID, device: DeviceID?)
        case decision(user: UserID, device: DeviceID, transaction: TransactionID)
        case remoteLogin(user: UserID, device: DeviceID, login: RemoteLoginID)
    }

    package init(purpose: Purpose, challenge: Challenge, expiresAt: NumericDate) {
        self.purpose = purpose
        self.challenge = challenge
        self.expiresAt = expiresAt
    }
}
