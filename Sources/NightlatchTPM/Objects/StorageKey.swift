import CTSS2
import Crypto

/// The owner hierarchy's storage key, loaded: what all objects of this package are wrapped by, outside the TPM.
///
/// It is made anew from its template each time rather than kept in the TPM: that takes no place there, and nothing is to be cleared up.
struct StorageKey: ~Copyable {
    let handle: TPMHandle
    /// SHA-256 over its public area: tells one TPM from another, and from itself before it was cleared.
    let fingerprint: [UInt8]
}

extension TPMConnection {
    /// - Throws: ``TPMError``, with ``TPMError/ownerPasswordSet`` if the hierarchy has a password.
    func storageKey() throws(TPMError) -> StorageKey {
        var template = TPM2B_PUBLIC()
        unsafe try TPM2B.value(PublicArea.storageKey.bytes, into: &template, Tss2_MU_TPM2B_PUBLIC_Unmarshal)
        var (sensitive, nothing, registers) = (TPM2B_SENSITIVE_CREATE(), TPM2B_DATA(), TPML_PCR_SELECTION())
        var number = ESYS_TR_NONE
        var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
        let code = unsafe Esys_CreatePrimary(
            context, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE,
            &sensitive, &template, &nothing, &registers, &number, &publicArea, nil, nil, nil)
        if code != 0 {
            let error = TPMResponse(code: code).error
            if case .wrongAuthorization = error { throw .ownerPasswordSet }
            throw error
        }
        let handle = TPMHandle(number, in: self)
        let bytes = unsafe try TPM2B.take(publicArea, Tss2_MU_TPM2B_PUBLIC_Marshal)
        return StorageKey(handle: handle, fingerprint: Array(SHA256.hash(data: bytes)))
    }
}
