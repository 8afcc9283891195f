import CTSS2
import Crypto

/// The loaded storage key of the owner hierarchy. It wraps all objects of this package outside the TPM.
///
/// It is created from its template each time and not kept in the TPM. So it takes no space there, and nothing needs to
/// be cleaned up.
struct StorageKey: ~Copyable {
    let handle: TPMHandle
    /// SHA-256 over its public area. It differs between TPMs, and changes when a TPM is cleared.
    let fingerprint: [UInt8]
}

extension TPMConnection {
    /// Creates the storage key in the TPM.
    ///
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
