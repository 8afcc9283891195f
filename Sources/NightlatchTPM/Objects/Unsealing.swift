import CNightlatchZeroing
import CTSS2
import Nightlatch

/// A secret from the TPM. It is wiped when its last owner releases it.
final class UnsealedSecret: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }
}

extension TPMConnection {
    /// Returns the secret that is sealed in `object`. It crosses the bus encrypted.
    func unseal(
        _ object: borrowing TPMHandle,
        by session: borrowing AuthorizationSession
    ) throws(TPMError) -> UnsealedSecret {
        try encrypt(.response, in: session)
        var data: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
        try TPMResponse.check(
            unsafe Esys_Unseal(
                context, object.number, session.handle.number, ESYS_TR_NONE, ESYS_TR_NONE, &data))
        guard let data = unsafe data else { throw .unexpected(responseCode: 0) }
        defer {
            unsafe nightlatch_zero(data, MemoryLayout<TPM2B_SENSITIVE_DATA>.size)
            unsafe Esys_Free(data)
        }
        return UnsealedSecret(
            unsafe withUnsafeBytes(of: &data.pointee.buffer) { buffer in
                unsafe SecretBytes(copying: buffer.prefix(Int(data.pointee.size)))
            })
    }
}
