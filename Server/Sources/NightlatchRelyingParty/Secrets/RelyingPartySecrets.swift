/// The secrets of a running relying party: its master keys, and the secrets that outlast them.
package struct RelyingPartySecrets: Sendable {
    package let keyring: MasterKeyring
    package let kept: KeptSecrets

    package init(keyring: MasterKeyring, kept: KeptSecrets) {
        self.keyring = keyring
        self.kept = kept
    }

    /// The secrets of a relying party whose master key was never rotated.
    package init(_ masterKey: MasterKey) {
        self.init(keyring: MasterKeyring(masterKey), kept: KeptSecrets(derivedFrom: masterKey))
    }
}
