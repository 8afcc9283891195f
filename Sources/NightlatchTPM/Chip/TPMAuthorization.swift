import CNightlatchZeroing
import CTSS2
import Nightlatch

/// What authorises the use of an object in the TPM, as the TPM compares it: at most 32 bytes, without zeros at the end (TPM 2.0 Library,
/// part 1, section 19.6.4.3).
final class TPMAuthorization: Sendable {
    static let byteCountLimit = 32

    private let value: SecretBytes

    /// Nothing: whoever reaches the object may use it.
    static let empty = TPMAuthorization(SecretBytes(copying: []))

    /// - Parameter value: At most ``byteCountLimit`` bytes.
    init(_ value: borrowing SecretBytes) {
        precondition(value.byteCount <= Self.byteCountLimit)
        self.value = unsafe value.withUnsafeBytes { bytes in
            let count = unsafe (bytes.lastIndex { $0 != 0 } ?? -1) + 1
            return unsafe SecretBytes(copying: bytes.prefix(count))
        }
    }

    /// Lends it as the library takes it; that copy is wiped.
    func withTPM2B<Result>(
        _ body: (UnsafePointer<TPM2B_AUTH>) throws(TPMError) -> Result
    ) throws(TPMError) -> Result {
        var auth = TPM2B_AUTH()
        defer { unsafe nightlatch_zero(&auth, MemoryLayout<TPM2B_AUTH>.size) }
        fill(&auth)
        return unsafe try body(&auth)
    }

    /// Lends it with `secret`, as the library takes what an object is made of; that copy is wiped.
    func withSensitive<Result>(
        sealing secret: borrowing SecretBytes,
        _ body: (UnsafePointer<TPM2B_SENSITIVE_CREATE>) throws(TPMError) -> Result
    ) throws(TPMError) -> Result {
        var sensitive = TPM2B_SENSITIVE_CREATE()
        defer { unsafe nightlatch_zero(&sensitive, MemoryLayout<TPM2B_SENSITIVE_CREATE>.size) }
        fill(&sensitive.sensitive.userAuth)
        sensitive.sensitive.data.size = UInt16(secret.byteCount)
        unsafe secret.withUnsafeBytes { secret in
            unsafe withUnsafeMutableBytes(of: &sensitive.sensitive.data.buffer) { buffer in
                unsafe buffer.copyBytes(from: secret)
            }
        }
        return unsafe try body(&sensitive)
    }

    private func fill(_ auth: inout TPM2B_AUTH) {
        auth.size = UInt16(value.byteCount)
        unsafe value.withUnsafeBytes { value in
            unsafe withUnsafeMutableBytes(of: &auth.buffer) { buffer in unsafe buffer.copyBytes(from: value) }
        }
    }
}
