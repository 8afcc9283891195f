public import NightlatchWire

extension Vault {
    /// Makes an empty vault for a PIN that is to hang on a relying party from its first write on, and opens it: none that the PIN alone opens is ever
    /// on disk, so no deleted copy can be searched for it.
    ///
    /// Bind the device (``DeviceBinder``), then set the PIN (``OpenVault/setTwoPartyPin(_:code:)``). Until then nothing opens the vault again: its
    /// slot is for random bytes that are forgotten here. A crash on the way, or ``OpenVault/lock()``, leaves a vault to be erased
    /// (``erase()``), and the device is bound anew.
    ///
    /// - Throws: ``CreateVaultError``.
    public func createForTwoPartyPin() async throws(CreateVaultError) -> OpenVault {
        try await createLocally(with: .ofNobody(), over: revisionToCreateOver())
    }
}

extension OpenVault {
    /// Gives a vault that the relying party has no part in yet a PIN that hangs on it. The vault stays open.
    ///
    /// It is meant for one of ``Vault/createForTwoPartyPin()``. In one that has had a PIN before, copies of the file from before can be searched
    /// for that.
    ///
    /// - Parameters:
    ///   - pin: The PIN, which the policy must allow.
    ///   - code: Proof of full credentials, where the device had a two-party PIN before.
    /// - Throws: ``SetPinError``: ``SetPinError/hasPin`` if the relying party has its part already or something else than the PIN opened the
    ///   vault, and ``RekeyError/noHardener`` where the vault
    ///   has no hardener or its device is not bound. The slot is as it was then, and the same can be done again.
    public func setTwoPartyPin(_ pin: borrowing Pin, code: EnrolmentCode? = nil) async throws(SetPinError) {
        let objections = vault.pinPolicy.objections(to: pin)
        guard objections.isEmpty else { throw .pinRefused(objections) }
        let opened: OpenedRecord
        do {
            opened = try await current()
        } catch {
            throw .vault(error)
        }
        // What opened the vault must be its PIN: the way of a person who has lost it is ``setPin(_:after:code:)``.
        guard way == .pin, let slot = opened.record.sealed.slots.pin, slot.hardened == nil,
            !vault.isClosed(.pin, in: opened.record)
        else { throw .hasPin }
        do throws(RekeyError) {
            guard let hardener = vault.hardener,
                let (device, opener) = try await vault.deviceOpener(of: opened, from: hardener, code: code)
            else { throw RekeyError.noHardener }
            adopt(
                try await vault.rekey(opened, to: pin, resettingCount: true, by: .hardened(device, opener)))
        } catch {
            throw .rekey(error)
        }
    }
}
