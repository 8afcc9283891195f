public import NightlatchWire

extension Vault {
    /// Makes an empty vault for a PIN that is to hang on a relying party from its first write on, and opens it: none that the PIN alone opens is ever
    /// on disk, so no deleted copy can be searched for it.
    ///
    /// Bind the device (``DeviceBinder``), then set the PIN (``OpenVault/setTwoPartyPin(_:code:)``). After a crash on the way, or
    /// ``OpenVault/lock()``, ``resumeForTwoPartyPin(with:)`` opens the vault with the code, and the same steps go on. Without a code
    /// nothing opens the vault until it has a PIN: its slot is for random bytes that are forgotten here, and after a crash it is to be erased
    /// (``erase()``). ``VaultProtection/isPinProvisional`` tells such a vault.
    ///
    /// - Parameter code: The enrolment code that the device is about to be bound with; its 80 random bits are never on this device's disk.
    /// - Throws: ``CreateVaultError``.
    public func createForTwoPartyPin(
        resumableWith code: EnrolmentCode? = nil
    ) async throws(CreateVaultError) -> OpenVault {
        let opener: Pin = if let code { .of(code) } else { .ofNobody() }
        return try await createLocally(with: opener, over: revisionToCreateOver(), isProvisional: true)
    }

    /// Opens a vault that ``createForTwoPartyPin(resumableWith:)`` has made and that has no PIN yet. Bind the device again with the same code
    /// (``DeviceBinder/bindAgain(_:code:deviceName:)``), and set the PIN (``OpenVault/setTwoPartyPin(_:code:)``).
    ///
    /// - Parameter code: The code that the vault was made with.
    /// - Throws: ``UnlockError``: ``UnlockError/noVault`` if there is no such vault, or it has a PIN; ``UnlockError/refused(_:)`` for another code.
    ///   Then the vault can be erased: there is nothing in it but a binding that was cut off.
    public func resumeForTwoPartyPin(with code: EnrolmentCode) async throws(UnlockError) -> OpenVault {
        guard try await readExisting().sealed.slots.pin?.isProvisional == true else { throw .noVault }
        let opened = try await open(with: .of(code))
        return await .opened(opened, of: self, by: .pin)
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
        // The relying party may have promoted the PIN in a call that was cut off.
        let current: OpenedRecord
        do {
            current = try await vault.takingOverPromoted(opened, with: pin)
        } catch {
            throw .rekey(error)
        }
        guard current.record.sealed.slots.pin == opened.record.sealed.slots.pin else { return adopt(current) }
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
