import CTSS2
import Crypto

extension TPMConnection {
    private static let numberByteCount = 32

    /// Returns the signature over `digest` by the key's scheme: R and S, 32 bytes each.
    func sign(
        _ digest: SHA256.Digest,
        with key: borrowing TPMHandle,
        by session: borrowing AuthorizationSession
    ) throws(TPMError) -> [UInt8] {
        try encrypt(.command, in: session)
        var value = TPM2B_DIGEST()
        unsafe try TPM2B.value(Array(digest), into: &value, Tss2_MU_TPM2B_DIGEST_Unmarshal)
        var scheme = TPMT_SIG_SCHEME()
        scheme.scheme = TPMI_ALG_SIG_SCHEME(TPM2_ALG_NULL)
        // The key is not restricted to the TPM's own statements, so it signs any digest.
        var hashedOutside = TPMT_TK_HASHCHECK()
        hashedOutside.tag = TPM2_ST(TPM2_ST_HASHCHECK)
        hashedOutside.hierarchy = TPMI_RH_HIERARCHY(TPM2_RH_NULL)
        var signature: UnsafeMutablePointer<TPMT_SIGNATURE>?
        try TPMResponse.check(
            unsafe Esys_Sign(
                context, key.number, session.handle.number, ESYS_TR_NONE, ESYS_TR_NONE,
                &value, &scheme, &hashedOutside, &signature))
        return try Self.numbers(in: unsafe try TPMStructure.take(signature, Tss2_MU_TPMT_SIGNATURE_Marshal))
    }

    /// Reads the algorithm, the hash, and the two numbers of an ECDSA signature with their sizes. Leading zeros may be
    /// missing.
    private static func numbers(in signature: [UInt8]) throws(TPMError) -> [UInt8] {
        // ECDSA with SHA-256
        guard signature.starts(with: [0, 0x18, 0, 0x0B]) else { throw .unexpected(responseCode: 0) }
        var rest = signature.dropFirst(4)
        var numbers: [UInt8] = []
        for _ in 0..<2 {
            let size = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            let number = rest.dropFirst(2).prefix(size)
            guard rest.count >= 2, number.count == size, size <= numberByteCount else {
                throw .unexpected(responseCode: 0)
            }
            numbers += repeatElement(0, count: numberByteCount - size) + number
            rest = rest.dropFirst(2 + size)
        }
        guard rest.isEmpty else { throw .unexpected(responseCode: 0) }
        return numbers
    }

    /// Asks the TPM to check the authorisation of `object`, by a trial session with a policy that requires it. This has
    /// no other effect.
    func prove(
        authorizationOf object: borrowing TPMHandle,
        by session: borrowing AuthorizationSession
    ) throws(TPMError) {
        var none = TPMT_SYM_DEF()
        none.algorithm = TPMI_ALG_SYM(TPM2_ALG_NULL)
        var number = ESYS_TR_NONE
        try TPMResponse.check(
            unsafe Esys_StartAuthSession(
                context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                nil, TPM2_SE(TPM2_SE_TRIAL), &none, TPMI_ALG_HASH(TPM2_ALG_SHA256), &number))
        try policySecret(of: object, in: TPMHandle(number, in: self), by: session)
    }

    private func policySecret(
        of object: borrowing TPMHandle,
        in trial: consuming TPMHandle,
        by session: borrowing AuthorizationSession
    ) throws(TPMError) {
        try encrypt(.command, in: session)
        var (nonce, parameters, reference) = (TPM2B_NONCE(), TPM2B_DIGEST(), TPM2B_NONCE())
        let trialNumber = trial.number
        let code = unsafe Esys_PolicySecret(
            context, object.number, trialNumber, session.handle.number, ESYS_TR_NONE, ESYS_TR_NONE,
            &nonce, &parameters, &reference, 0, nil, nil)
        // Flush the trial session here, not before the call: using its number alone would not keep it alive.
        _ = consume trial
        try TPMResponse.check(code)
    }
}
