package import NightlatchTokenVerification

extension DPoPNonces {
    /// The nonces of the relying parties that have `masterKey`.
    package init(masterKey: MasterKey) {
        self.init(key: masterKey.key(for: .dpopNonce))
    }
}
