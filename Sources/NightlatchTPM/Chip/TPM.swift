import Dispatch

/// A TPM 2.0 of this machine, accessed through `tpm2-tss`.
///
/// Each operation opens the device, does its work and closes it, so nothing stays loaded in between. The operations of
/// one value run one after another, on a separate thread, because a chip needs up to a second for a signature. The
/// system's resource manager keeps the keys and sessions of different processes apart.
///
/// `tpm2-tss` writes errors to standard error, with response codes and never secrets. `TSS2_LOG=all+none` in the
/// environment turns that off.
public struct TPM: Sendable {
    /// The interface of the chip through Linux's resource manager. Members of the group `tss` may open it.
    public static let resourceManager = "device:/dev/tpmrm0"

    private let interface: String
    // A serial queue, so that no thread of the shared pool is blocked.
    private let queue = DispatchQueue(label: "nightlatch.tpm")

    /// Creates a value for the TPM at `interface`. Does not open the TPM: each operation does.
    ///
    /// - Parameter interface: The name and settings of the interface for `tpm2-tss`, such as `device:/dev/tpmrm0` or
    ///   `swtpm:path=…`.
    public init(interface: String = TPM.resourceManager) {
        self.interface = interface
    }

    /// Returns the TPM's count of wrong authorisations and its lockout state.
    ///
    /// - Throws: ``TPMError`` if the TPM cannot be used.
    public func lockout() async throws(TPMError) -> TPMLockout {
        try await run { connection throws(TPMError) in try connection.lockout() }
    }

    /// Opens the TPM, passes it to `work` and closes it.
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
