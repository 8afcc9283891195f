import NightlatchWire

extension Vault {
    /// Makes an empty vault with a PIN that depends on a chip from the first write on. A slot that the PIN alone opens
    /// is never on disk.
    ///
    /// The vault is written while its epoch is a candidate, which the hardener keeps. A crash before the write leaves
    /// no vault; a crash after it leaves the complete vault.
    func createInChip(
        with pin: borrowing Pin,
        over replaced: UInt64,
        hardenedBy hardener: any PinHardener,
        of device: HardenedDevice
    ) async throws(CreateVaultError) -> OpenVault {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            do {
                return try await tryToCreate(with: pin, over: replaced, hardenedBy: hardener, of: device)
            } catch {
                // Another process creates a vault at the same time and has made the hardener forget this epoch.
                guard case .epochPassed = error.rootCause as? PinHardenerError else { throw error }
            }
            guard try await revisionToCreateOver() == replaced else { throw .exists }
            do {
                try await retries.again()
            } catch {
                throw .vault(.store(error))
            }
        }
    }

    private func tryToCreate(
        with pin: borrowing Pin,
        over replaced: UInt64,
        hardenedBy hardener: any PinHardener,
        of device: HardenedDevice
    ) async throws(CreateVaultError) -> OpenVault {
        let vaultID = VaultID.random()
        let vaultKey = VaultKey(vaultID: vaultID)
        let content = vaultKey.vouch(
            for: [:], recipients: .none, epoch: 1, generation: 1, isPinHardened: true)
        var record = VaultRecord(
            vaultID: vaultID, revision: replaced, ledger: .clear,
            sealed: SealedVault(slots: VaultSlots(), content: content))
        let new: NewPinSlot
        do {
            new = try await makeSlot(
                for: vaultKey, pin: pin, stretchedBy: keyDerivation, of: OpenedRecord(record: record, key: vaultKey),
                by: .hardened(device, .nobody))
        } catch {
            switch error.code {
            case .superseded: throw .exists
            case .noHardener: throw .vault(.hardener(.notGenuine))
            default: throw .vault(error)
            }
        }
        guard let candidate = new.candidate else { throw .vault(.hardener(.notGenuine)) }
        record.sealed.slots.pin = new.slot
        let isWritten: Bool
        do {
            isWritten = try await write(&record)
        } catch {
            throw .vault(error)
        }
        guard isWritten else {
            await abandon(candidate, at: hardener)
            throw try await conflict(over: replaced)
        }
        do {
            _ = try await hardener.promote(
                candidate.epoch, guess: candidate.guess, knowledgeKey: candidate.knowledgeKey, by: candidate.opener)
        } catch {
            await takeBack(record)
            throw .vault(.hardener(error))
        }
        return await .opened(
            OpenedRecord(record: record, key: vaultKey, knowledgeKey: candidate.knowledgeKey), of: self, by: .pin)
    }

    /// Removes what an unsuccessful creation has left at the hardener, if possible. An epoch that stays does no harm.
    private func abandon(_ candidate: PinCandidate, at hardener: any PinHardener) async {
        do {
            try await hardener.abandon(candidate.epoch.epoch, of: candidate.epoch.device, by: candidate.opener)
        } catch {}
    }

    /// Removes a vault that was never returned to the caller. If that does not succeed, the vault is complete and
    /// empty, and its PIN opens it.
    private func takeBack(_ record: VaultRecord) async {
        do {
            try await store.remove(expecting: record.revision)
        } catch {}
    }
}
