package import Nightlatch
import NightlatchPlatform
import NightlatchTesting

/// Vaults that several processes use, which must agree on the policy. Their PINs cost little to try.
extension Vault {
    /// A vault whose end and whose waits are far away.
    package static func forPinChanges(_ store: any SecureStore) throws -> Vault {
        try forProcesses(store, LockoutPolicy(firstWaitAfter: 100, waits: [.seconds(1)], limit: 100))
    }

    /// A vault that allows five guesses without a wait, and tells whose guess was the last: the one that erases it.
    package static func forGuesses(_ store: any SecureStore) throws -> Vault {
        try forProcesses(store, LockoutPolicy(firstWaitAfter: 5, waits: [.seconds(1)], limit: 5, end: .wipe))
    }

    /// A vault under the system's own clock that lets a person wait for a day after the first failure.
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
            store: store, clock: clock, lockoutPolicy: policy, keyDerivation: .cheap,
            keyDerivationBounds: .forTests)
    }
}

extension Pin {
    init(_ digits: String) throws(PinFormatError) {
        try self.init(digits: SecretBytes(copying: Array(digits.utf8)))
    }
}
