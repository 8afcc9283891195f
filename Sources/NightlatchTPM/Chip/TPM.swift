import Dispatch

/// A TPM 2.0 of this machine, reached through `tpm2-tss`.
///
/// Each use opens the device, does its work and closes it, so nothing stays loaded between two. Uses of one value go one after another, on
/// a thread of their own: a chip takes up to a second for a signature. Other processes are kept apart by the system's resource manager.
///
/// `tpm2-tss` writes what fails to standard error, response codes and never secrets; `TSS2_LOG=all+none` in the environment silences it.
public struct TPM: Sendable {
    /// Where Linux offers the chip with its resource manager. Members of the group `tss` may open it.
    public static let resourceManager = "device:/dev/tpmrm0"

    private let interface: String
    // One after another, and not on a thread that all tasks share.
    private let queue = DispatchQueue(label: "nightlatch.tpm")

    /// - Parameter interface: Name and settings of the way to the TPM, as `tpm2-tss` has them: `device:/dev/tpmrm0`, `swtpm:path=…`.
    public init(interface: String = TPM.resourceManager) {
        self.interface = interface
    }

    /// What the TPM says of wrong authorisations: how many there were and what that means.
    ///
    /// - Throws: ``TPMError``, if the TPM cannot be asked.
    public func lockout() async throws(TPMError) -> TPMLockout {
        try await run { connection throws(TPMError) in try connection.lockout() }
    }

    /// Opens the TPM, lends it to `work` and closes it.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (borrowing TPMConnection) throws(TPMError) -> Value
    ) async throws(TPMError) -> Value {
        let result: Result<Value, TPMError> = await withCheckedContinuation { continuation in
            queue.async { [interface] in
                continuation.resume(
                    returning: Result { () throws(TPMError) in try work(try TPMConnection(interface: interface)) })
            }
        }
        return try result.get()
    }
}
