import CTSS2

/// The parameters that a session encrypts: the first one of a command, the first one of its response, or both. The TPM
/// can encrypt only some types of parameters.
enum EncryptedParameter {
    case command, response, both
}

/// An HMAC session that is salted to the storage key.
///
/// No password crosses the bus, and these parameters cross it encrypted. The TPM and `tpm2-tss` detect changes to
/// commands and responses on the way.
struct AuthorizationSession: ~Copyable {
    let handle: TPMHandle
}

extension TPMConnection {
    func session(with storageKey: borrowing StorageKey) throws(TPMError) -> AuthorizationSession {
        var symmetric = TPMT_SYM_DEF()
        symmetric.algorithm = TPMI_ALG_SYM(TPM2_ALG_AES)
        unsafe symmetric.keyBits.aes = 128
        unsafe symmetric.mode.aes = TPMI_ALG_SYM_MODE(TPM2_ALG_CFB)
        var number = ESYS_TR_NONE
        try TPMResponse.check(
            unsafe Esys_StartAuthSession(
                context, storageKey.handle.number, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                nil, TPM2_SE(TPM2_SE_HMAC), &symmetric, TPMI_ALG_HASH(TPM2_ALG_SHA256), &number))
        return AuthorizationSession(handle: TPMHandle(number, in: self))
    }

    /// Sets the parameters that `session` encrypts from now on. The session stays open after each command.
    func encrypt(_ parameter: EncryptedParameter, in session: borrowing AuthorizationSession) throws(TPMError) {
        let (command, response) = (TPMA_SESSION(TPMA_SESSION_DECRYPT), TPMA_SESSION(TPMA_SESSION_ENCRYPT))
        let encrypted =
            switch parameter {
            case .command: command
            case .response: response
            case .both: command | response
            }
        let stays = TPMA_SESSION(TPMA_SESSION_CONTINUESESSION)
        try TPMResponse.check(
            unsafe Esys_TRSess_SetAttributes(
                context, session.handle.number, encrypted | stays, command | response | stays))
    }
}
