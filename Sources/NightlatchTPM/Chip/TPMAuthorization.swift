import CNightlatchZeroing
import CTSS2
import Nightlatch

/// The authorisation value of an object in the TPM: at most 32 bytes, without trailing zeros, as the TPM compares it
/// (TPM 2.0 Library, part 1, section 19.6.4.3).
final class TPMAuthorization: Sendable {
    static let byteCountLimit = 32

    private let value: SecretBytes

    /// No authorisation: any program that has access to the object may use it.
    static let empty = TPMAuthorization(SecretBytes(copying: []))

    /// Creates an authorisation value.
    ///
    /// - Parameter value: At most ``byteCountLimit`` bytes.
    init(_ value: borrowing SecretBytes) {
        precondition(value.byteCount <= Self.byteCountLimit)
        self.value = unsafe value.withUnsafeBytes { bytes in
            let count = unsafe (bytes.lastIndex { $0 != 0 } ?? -1) + 1
            return unsafe SecretBytes(copying: bytes.prefix(count))
        }
    }

    /// Passes the value to `body` as a structure of the library, and wipes that copy.
    func withTPM2B<Result>(
        _ body: (UnsafePointer<TPM2B_AUTH>) throws(TPMError) -> Result
    ) throws(TPMError) -> Result {
        var auth = TPM2B_AUTH()
        defer { unsafe nightlatch_zero(&auth, MemoryLayout<TPM2B_AUTH>.size) }
        fill(&auth)
        return unsafe try body(&auth)
    }

    /// Passes the value and `secret` to `body` as the library's structure for a new object, and wipes that copy.
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
