package import NightlatchTokenVerification

extension DPoPNonces {
    /// The nonces that all relying parties with a key of `keyring` share.
    package init(keyring: MasterKeyring) {
        let keys = keyring.keys(for: .dpopNonce)
        self.init(keys: keys.known) { keys.place }
    }
}
