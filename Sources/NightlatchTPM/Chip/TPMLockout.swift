import CTSS2

/// The TPM's count of wrong authorisations, for all programs and users of the machine together.
///
/// It is read without authentication: an attacker on the bus can falsify the answer, but not the count.
public struct TPMLockout: Hashable, Sendable {
    /// Whether the TPM currently refuses every authorisation that it counts.
    public let isLockedOut: Bool
    /// The number of wrong authorisations that count now.
    public let wrongCount: Int
    /// The number of wrong authorisations at which the TPM locks. At zero it is locked at any count.
    public let wrongCountLimit: Int
    /// The number of seconds, with the machine running, after which the count goes down by one. At zero the TPM counts
    /// nothing and never locks.
    public let secondsPerForgottenTry: Int
    /// Whether the lockout hierarchy has a password. Without one, any program with access to the TPM can reset the
    /// count, or disable it.
    public let isResetProtected: Bool

    /// Whether the TPM counts wrong authorisations.
    public var isCounting: Bool { secondsPerForgottenTry > 0 }

    /// The greatest number of seconds from the last wrong authorisation until the TPM tries an authorisation again.
    /// Zero if it tries one now; nil if it never does by itself.
    public var secondsUntilNextTry: Int? {
        guard isLockedOut else { return 0 }
        guard wrongCountLimit > 0, isCounting else { return nil }
        let tries = max(wrongCount - wrongCountLimit + 1, 1)
        // An attacker on the TPM's bus can falsify the numbers, so the product may overflow.
        let (seconds, isTooGreat) = tries.multipliedReportingOverflow(by: secondsPerForgottenTry)
        return isTooGreat ? .max : seconds
    }
}

extension TPMLockout: CustomStringConvertible {
    public var description: String {
        guard isLockedOut || isCounting else { return "the TPM does not count wrong authorisations" }
        let count = "\(wrongCount) of \(wrongCountLimit) wrong authorisations"
        guard isLockedOut else { return count }
        guard let seconds = secondsUntilNextTry else {
            return "\(count): the TPM is locked until its limit is changed"
        }
        return "\(count): the TPM is locked for \(seconds) s at most"
    }
}

extension TPMConnection {
    private static let permanentAttributes: UInt32 = 0x200
    private static let lockoutAuthSet: UInt32 = 1 << 2
    private static let inLockout: UInt32 = 1 << 9
    private static let lockoutCounter: UInt32 = 0x20E
    private static let maxAuthFail: UInt32 = 0x20F
    private static let lockoutInterval: UInt32 = 0x210

    func lockout() throws(TPMError) -> TPMLockout {
        let attributes = try property(Self.permanentAttributes)
        return TPMLockout(
            isLockedOut: attributes & Self.inLockout != 0,
            wrongCount: Int(try property(Self.lockoutCounter)),
            wrongCountLimit: Int(try property(Self.maxAuthFail)),
            secondsPerForgottenTry: Int(try property(Self.lockoutInterval)),
            isResetProtected: attributes & Self.lockoutAuthSet != 0)
    }

    /// Returns a property of the TPM (TPM 2.0 Library, part 2, section 6.13).
    private func property(_ name: UInt32) throws(TPMError) -> UInt32 {
        var data: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
        try TPMResponse.check(
            unsafe Esys_GetCapability(
                context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP(TPM2_CAP_TPM_PROPERTIES), name, 1, nil,
                &data))
        // The capability, the number of properties, the property and its value: four bytes each.
        let bytes = unsafe try TPMStructure.take(data, Tss2_MU_TPMS_CAPABILITY_DATA_Marshal)
        let words = stride(from: 0, to: bytes.count - 3, by: 4).map { start in
            bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        // If the TPM does not have this property, it returns the next one.
        guard words.count == 4, words[1] == 1, words[2] == name else { throw .unexpected(responseCode: 0) }
        return words[3]
    }
}
