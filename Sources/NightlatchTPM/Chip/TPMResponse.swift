import CTSS2

/// What a function of `tpm2-tss` returned (TPM 2.0 Library, part 2, section 6.6; TSS 2.0 Overview, section 3).
struct TPMResponse {
    private static let success: UInt32 = 0
    /// Who speaks: the TPM, the software that shares it out, or the way to it.
    private static let layers: UInt32 = 0xFF << 16
    private static let tpmLayers: Set<UInt32> = [0, 11 << 16, 12 << 16]
    private static let transportLayer: UInt32 = 10 << 16
    /// Set in codes of format one, which say besides which parameter, handle or session they mean.
    private static let formatOne: UInt32 = 0x80
    private static let formatOneReasons: UInt32 = 0xBF

    let code: UInt32

    /// - Throws: What the code means, unless it means success.
    static func check(_ code: TSS2_RC) throws(TPMError) {
        if code != success { throw TPMResponse(code: code).error }
    }

    var error: TPMError {
        let layer = code & Self.layers
        if layer == Self.transportLayer { return .unreachable(responseCode: code) }
        guard Self.tpmLayers.contains(layer) else { return .unexpected(responseCode: code) }
        let response = code & ~Self.layers
        return response & Self.formatOne == 0 ? warning(response) : refusal(response & Self.formatOneReasons)
    }

    /// Codes of format zero.
    private func warning(_ response: UInt32) -> TPMError {
        switch response {
        // RC_YIELDED, RC_TESTING, RC_NV_RATE, RC_RETRY, RC_NV_UNAVAILABLE
        case 0x908, 0x90A, 0x920, 0x922, 0x923: .busy(responseCode: code)
        // RC_CONTEXT_GAP, RC_OBJECT_MEMORY, RC_SESSION_MEMORY, RC_MEMORY, RC_SESSION_HANDLES, RC_OBJECT_HANDLES
        case 0x901...0x906: .noMemory(responseCode: code)
        case 0x921: .lockedOut
        default: .unexpected(responseCode: code)
        }
    }

    /// Codes of format one, without what they refer to.
    private func refusal(_ reason: UInt32) -> TPMError {
        switch reason {
        // RC_AUTH_FAIL is counted, RC_BAD_AUTH is not.
        case 0x8E, 0xA2: .wrongAuthorization(responseCode: code)
        // RC_HIERARCHY; objects are used in the owner's alone.
        case 0x85: .ownerHierarchyDisabled
        // RC_INTEGRITY
        case 0x9F: .damaged
        default: .unexpected(responseCode: code)
        }
    }
}
