import CTSS2
import Nightlatch

/// An object outside the TPM: its public area, and its private part, which only this TPM can open.
struct WrappedObject: Hashable, Sendable {
    let publicArea: PublicArea
    let sealed: [UInt8]
}

extension TPMConnection {
    /// Creates an object from `template` with `secret` in it, or with a secret that the TPM generates if `secret` is
    /// empty.
    func create(
        _ template: PublicArea,
        sealing secret: borrowing SecretBytes,
        authorization: TPMAuthorization,
        under storageKey: borrowing StorageKey,
        by session: borrowing AuthorizationSession
    ) throws(TPMError) -> WrappedObject {
        try encrypt(.both, in: session)
        var area = TPM2B_PUBLIC()
        unsafe try TPM2B.value(template.bytes, into: &area, Tss2_MU_TPM2B_PUBLIC_Unmarshal)
        let (parent, sessionNumber) = (storageKey.handle.number, session.handle.number)
        var sealed: UnsafeMutablePointer<TPM2B_PRIVATE>?
        var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
        unsafe try authorization.withSensitive(sealing: secret) { sensitive throws(TPMError) in
            var (nothing, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
            try TPMResponse.check(
                unsafe Esys_Create(
                    context, parent, sessionNumber, ESYS_TR_NONE, ESYS_TR_NONE,
                    sensitive, &area, &nothing, &registers, &sealed, &publicArea, nil, nil, nil))
        }
        // Frees both structures, even if the first cannot be read.
        let sealedBytes = Result { () throws(TPMError) in unsafe try TPM2B.take(sealed, Tss2_MU_TPM2B_PRIVATE_Marshal) }
        let publicBytes = unsafe try TPM2B.take(publicArea, Tss2_MU_TPM2B_PUBLIC_Marshal)
        return WrappedObject(publicArea: PublicArea(bytes: publicBytes), sealed: try sealedBytes.get())
    }

    /// Loads an object.
    ///
    /// - Throws: ``TPMError``, with ``TPMError/damaged`` if the TPM did not create this object.
    func load(
        _ object: WrappedObject,
        under storageKey: borrowing StorageKey,
        by session: borrowing AuthorizationSession
    ) throws(TPMError) -> TPMHandle {
        try encrypt(.both, in: session)
        var (area, sealed) = (TPM2B_PUBLIC(), TPM2B_PRIVATE())
        unsafe try TPM2B.value(object.publicArea.bytes, into: &area, Tss2_MU_TPM2B_PUBLIC_Unmarshal)
        unsafe try TPM2B.value(object.sealed, into: &sealed, Tss2_MU_TPM2B_PRIVATE_Unmarshal)
        var number = ESYS_TR_NONE
        let code = unsafe Esys_Load(
            context, storageKey.handle.number, session.handle.number, ESYS_TR_NONE, ESYS_TR_NONE,
            &sealed, &area, &number)
        guard code == 0 else { throw Self.refusalToLoad(code) }
        return TPMHandle(number, in: self)
    }

    /// Maps the response code for an object that cannot be loaded. A damaged object may fail in any of its parts,
    /// before or after its integrity is checked.
    private static func refusalToLoad(_ code: TSS2_RC) -> TPMError {
        let error = TPMResponse(code: code).error
        // A code of format one that refers to a parameter: the TPM does not accept the object.
        let refersToParameter: UInt32 = 0xC0
        guard case .unexpected = error, code & 0xFF_F000 == 0, code & refersToParameter == refersToParameter else {
            return error
        }
        return .damaged
    }
}
