package import Nightlatch
import NightlatchPlatform
import NightlatchTesting

/// Vaults that several processes use. All must have the same policy. Attempts are cheap.
extension Vault {
    /// A vault whose limit and waits are out of reach.
    package static func forPinChanges(_ store: any SecureStore) throws -> Vault {
        try forProcesses(store, LockoutPolicy(firstWaitAfter: 100, waits: [.seconds(1)], limit: 100))
    }

    /// A vault that allows five attempts without a wait. The last one erases it, so its verdict identifies it.
    package static func forGuesses(_ store: any SecureStore) throws -> Vault {
        try forProcesses(store, LockoutPolicy(firstWaitAfter: 5, waits: [.seconds(1)], limit: 5, end: .wipe))
    }

    /// A vault under the system's clock with a wait of a day after the first failure.
    package static func forWaiting(_ store: any SecureStore) throws -> Vault {
        let policy = try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(24 * 60 * 60)], limit: 5)
        return forProcesses(store, policy, clock: SystemLockoutClock())
    }

    private static func forProcesses(
        _ store: any SecureStore,
        _ policy: LockoutPolicy,
        clock: any LockoutClock = ManualClock()
    ) -> Vault {
        Vault(
            store: store, clock: clock,
            configuration: VaultConfiguration(
                lockoutPolicy: policy, keyDerivation: .cheap, keyDerivationBounds: .forTests))
    }
}

extension Pin {
    init(_ digits: String) throws(PinFormatError) {
        try self.init(digits: SecretBytes(copying: Array(digits.utf8)))
    }
}
