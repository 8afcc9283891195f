package import NightlatchTokenVerification

extension DPoPNonces {
    /// The nonces that all relying parties with `masterKey` share.
    package init(masterKey: MasterKey) {
        self.init(key: masterKey.key(for: .dpopNonce))
    }
}
