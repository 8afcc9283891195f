package import Nightlatch
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

    private static func forProcesses(_ store: any SecureStore, _ policy: LockoutPolicy) -> Vault {
        Vault(
            store: store, clock: ManualClock(), lockoutPolicy: policy, keyDerivation: .cheap,
            keyDerivationBounds: .forTests)
    }
}

extension Pin {
    init(_ digits: String) throws(PinFormatError) {
        try self.init(digits: SecretBytes(copying: Array(digits.utf8)))
    }
}
