import Crypto
import NightlatchWire

/// An error that occurs while setting up or removing biometrics.
public enum BiometricSetupError: Error, Hashable, Sendable {
    /// The vault was opened without a keyring.
    case noKeyring
    /// The relying party's policy, which the vault keeps, does not allow biometrics. Nothing has changed.
    case notPermitted
    /// The vault could not be used. Biometrics are unchanged, unless the store failed during the write.
    case vault(VaultError)
    /// The keyring could not carry out the operation. After a set-up, nothing has changed. After a removal, biometrics
    /// no longer open the vault; repeat the call to remove the key as well.
    case biometrics(BiometricError)
}

extension OpenVault {
    /// Lets the biometrics that are enrolled now open the vault. There is no prompt.
    ///
    /// If they were set up before, for instance before the enrolment changed, they are set up again. A crash leaves the
    /// previous state. Biometrics never reset the count of wrong PINs.
    public func setUpBiometrics() async throws(BiometricSetupError) {
        try await setUpBiometrics(followingPolicy: true)
    }

    private func setUpBiometrics(followingPolicy followsPolicy: Bool) async throws(BiometricSetupError) {
        guard let keyring = vault.biometrics else { throw .noKeyring }
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let old = try await currentForSetup()
            guard !followsPolicy || old.permitsBiometrics else { throw .notPermitted }
            // Takes the key id that is not in use. The key that the current record names must stay until the new record
            // is written.
            let before = try recipients(of: old).biometrics
            let id = before?.key.other ?? .first
            let recipient: BiometricRecipient
            do {
                let publicKey = try await keyring.create(id)
                recipient = BiometricRecipient(
                    key: id, publicKey: P256PublicKey(unchecked: Base64URL.encode(publicKey.x963Representation)),
                    hasReadablePredecessor: before?.wasReadable)
            } catch {
                throw .biometrics(error)
            }
            repeat {
                let opened = try await currentForSetup()
                // Another process has set up or removed biometrics since the first read, and may have made the same
                // key: start again.
                guard try recipients(of: opened).biometrics == before else { break }
                guard try await write(recipient, into: opened, &retries) else { continue }
                if recipient.hasReadablePredecessor == true { await removeReadablePredecessor() }
                return
                // Ends: each further round is a conflict, and `retries` bounds the conflicts.
            } while true
            do {
                try await retries.again()
            } catch {
                throw .vault(.store(error))
            }
        }
    }

    /// Stops biometrics from opening the vault, and removes their keys. There is no prompt.
    public func removeBiometrics() async throws(BiometricSetupError) {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let opened = try await currentForSetup()
            let recipient = try recipients(of: opened).biometrics
            guard opened.record.sealed.slots.biometrics != nil || recipient != nil else { break }
            if try await write(nil, into: opened, &retries) { break }
        }
        do {
            try await vault.removeBiometricKeys()
        } catch {
            throw .biometrics(error)
        }
    }

    /// Replaces a biometric key whose public half was readable (``SealedFormat/first``), and removes the old key.
    ///
    /// After that, an attacker with the old public half can seal nothing that biometrics open. There is no prompt,
    /// since the old key has just opened the vault. After an error, biometrics are unchanged, and the next unlock by
    /// biometrics tries again.
    func replaceReadableBiometrics() async {
        do {
            guard try await current().hasReadableBiometrics else { return }
            // Biometrics have just opened the vault, also if the policy allows that only while no PIN does.
            try await setUpBiometrics(followingPolicy: false)
        } catch {}
    }

    /// Removes the key that was replaced because its public half was readable, if that is not done yet.
    ///
    /// The record marks the removal as pending until it is done. If the keyring or the store fails, or the process
    /// ends, the next unlock by PIN or biometrics tries again.
    func removeReadablePredecessor() async {
        do {
            guard let keyring = vault.biometrics else { return }
            var retries = ConflictRetries()
            // Ends: by a write, or by an error of `retries`.
            while true {
                let opened = try await current()
                guard var recipient = try opened.recipients.biometrics, recipient.hasReadablePredecessor == true else {
                    return
                }
                try await keyring.remove(recipient.key.other)
                recipient.hasReadablePredecessor = nil
                if try await write(recipient, into: opened, &retries) { return }
            }
        } catch {}
    }

    private func currentForSetup() async throws(BiometricSetupError) -> OpenedRecord {
        do {
            return try await current()
        } catch {
            throw .vault(error)
        }
    }

    private func recipients(of opened: OpenedRecord) throws(BiometricSetupError) -> VaultRecipients {
        do {
            return try opened.recipients
        } catch {
            throw .vault(error)
        }
    }

    private func write(
        _ recipient: BiometricRecipient?,
        into opened: OpenedRecord,
        _ retries: inout ConflictRetries
    ) async throws(BiometricSetupError) -> Bool {
        var recipients = try recipients(of: opened)
        recipients.biometrics = recipient
        do {
            return try await replace(opened, wrappingFor: recipients, retrying: &retries)
        } catch {
            throw .vault(error)
        }
    }
}
