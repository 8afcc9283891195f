public import NightlatchWire

extension Vault {
    /// Makes and opens an empty vault whose PIN depends on a relying party from the vault's first write on.
    ///
    /// A slot that the PIN alone opens is never on disk, so an attacker cannot try PINs on a deleted copy.
    ///
    /// Next, bind the device (``DeviceBinder``), then set the PIN (``OpenVault/setTwoPartyPin(_:code:)``). After a
    /// crash before that, or after ``OpenVault/lock()``, ``resumeForTwoPartyPin(with:)`` opens the vault with the code,
    /// and the same steps continue.
    ///
    /// Without a code, nothing opens the vault until it has a PIN: only random bytes that are not stored open its slot.
    /// Erase such a vault after a crash (``erase()``). ``VaultProtection/isPinProvisional`` is true for it.
    ///
    /// - Parameter code: The enrolment code that the device is about to be bound with. Its 80 random bits are never on
    ///   this device's disk.
    /// - Throws: ``CreateVaultError``.
    public func createForTwoPartyPin(
        resumableWith code: EnrolmentCode? = nil
    ) async throws(CreateVaultError) -> OpenVault {
        let opener: Pin = if let code { .of(code) } else { .ofNobody() }
        return try await createLocally(with: opener, over: revisionToCreateOver(), isProvisional: true)
    }

    /// Opens a vault that ``createForTwoPartyPin(resumableWith:)`` has made and that has no PIN yet.
    ///
    /// Next, bind the device again with the same code (``DeviceBinder/bindAgain(_:code:deviceName:)``), and set the PIN
    /// (``OpenVault/setTwoPartyPin(_:code:)``).
    ///
    /// - Parameter code: The code that the vault was made with.
    /// - Throws: ``UnlockError``. ``UnlockError/noVault`` if there is no such vault, or it has a PIN.
    ///   ``UnlockError/refused(_:)`` for another code; then the vault can be erased, since it contains only an
    ///   interrupted binding.
    public func resumeForTwoPartyPin(with code: EnrolmentCode) async throws(UnlockError) -> OpenVault {
        guard try await readExisting().sealed.slots.pin?.isProvisional == true else { throw .noVault }
        let opened = try await open(with: .of(code))
        return await .opened(opened, of: self, by: .pin)
    }
}

extension OpenVault {
    /// Sets a PIN that depends on the relying party, in a vault without one. The vault stays open.
    ///
    /// It is meant for a vault of ``Vault/createForTwoPartyPin(resumableWith:)``. If the vault has had a local PIN
    /// before, an attacker can find that PIN by trying all PINs on older copies of the file.
    ///
    /// - Parameters:
    ///   - pin: The PIN, which the policy must allow.
    ///   - code: An enrolment code as proof of full credentials, if the device had a two-party PIN before.
    /// - Throws: ``SetPinError``. ``SetPinError/hasPin`` if the PIN depends on the relying party already, or if
    ///   something other than the PIN opened the vault. ``VaultError/noHardener`` if the vault has no hardener or its
    ///   device is not bound. The slot is then unchanged, and the call can be repeated.
    public func setTwoPartyPin(_ pin: borrowing Pin, code: EnrolmentCode? = nil) async throws(SetPinError) {
        let objections = vault.objections(to: pin)
        guard objections.isEmpty else { throw .pinRefused(objections) }
        let opened: OpenedRecord
        do {
            opened = try await current()
        } catch {
            throw .vault(error)
        }
        // The relying party may have promoted this PIN in an earlier, interrupted call.
        let current: OpenedRecord
        do {
            current = try await vault.takingOverPromoted(opened, with: pin)
        } catch {
            throw .rekey(error)
        }
        guard current.record.sealed.slots.pin == opened.record.sealed.slots.pin else { return adopt(current) }
        // This call requires an unlock by the vault's PIN. If the PIN is lost, use ``setPin(_:after:code:)``.
        guard self.slot == .pin, let slot = opened.record.sealed.slots.pin, slot.hardened == nil,
            !vault.isClosed(.pin, in: opened.record)
        else { throw .hasPin }
        do throws(VaultError) {
            guard let hardener = vault.hardener,
                let (device, opener) = try await vault.deviceOpener(of: opened, from: hardener, code: code)
            else { throw VaultError.noHardener }
            adopt(
                try await vault.rekey(opened, to: pin, resettingCount: true, by: .hardened(device, opener)))
        } catch {
            throw .rekey(error)
        }
    }
}
