import CTSS2

/// The return code of a function of `tpm2-tss` (TPM 2.0 Library, part 2, section 6.6; TSS 2.0 Overview, section 3).
struct TPMResponse {
    private static let success: UInt32 = 0
    /// The layer that returned the code: the TPM, the resource manager, or the connection to the TPM.
    private static let layers: UInt32 = 0xFF << 16
    private static let tpmLayers: Set<UInt32> = [0, 11 << 16, 12 << 16]
    private static let transportLayer: UInt32 = 10 << 16
    /// The bit that is set in codes of format one. These codes also contain the number of a parameter, handle or
    /// session.
    private static let formatOne: UInt32 = 0x80
    private static let formatOneReasons: UInt32 = 0xBF

    let code: UInt32

    /// Throws the error for `code`, unless it means success.
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

    /// Maps codes of format zero.
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

    /// Maps codes of format one, without the number that they refer to.
    private func refusal(_ reason: UInt32) -> TPMError {
        switch reason {
        // RC_AUTH_FAIL is counted, RC_BAD_AUTH is not.
        case 0x8E, 0xA2: .wrongAuthorization(responseCode: code)
        // RC_HIERARCHY; this package uses objects only in the owner hierarchy.
        case 0x85: .ownerHierarchyDisabled
        // RC_INTEGRITY
        case 0x9F: .damaged
        default: .unexpected(responseCode: code)
        }
    }
}
