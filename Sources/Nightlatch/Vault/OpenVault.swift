package import NightlatchWire

/// A vault that was opened. It gives access to the vault's secrets.
///
/// It holds the vault key until ``lock()``, until its time is up (``AutoLock``), or until the last reference to it is
/// released. Then the key is overwritten.
///
/// Several openings of one vault can exist at once, also in several processes: each call works on the current record,
/// and no change is lost. A superseded vault ends like a locked one; ``opening`` reports the end.
public actor OpenVault {
    let vault: Vault
    let vaultID: VaultID
    /// The slot that opened the vault. When it is removed from the vault, this opening is superseded.
    public nonisolated let slot: VaultSlot
    /// Reports whether the vault is still open. A screen can read it without waiting.
    public nonisolated let opening: VaultOpening
    private var key: VaultKey?
    private var knowledgeKey: KnowledgeKey?
    /// The error of the call to the unreachable hardener, if the local tier opened the vault; nil otherwise.
    private(set) var unreached: PinHardenerError?
    /// The tier of the PIN that opened the vault; nil if no PIN opened it.
    ///
    /// Logins signed with this vault's keys state the tier: `UserVerification.twoPartyPin` with a relying party's
    /// hardener, `UserVerification.pin` otherwise. A relying party may refuse the latter.
    public private(set) var pinTier: PinTier?
    /// Guesses at the PIN that others may have made, as the hardener reported at the unlock; nil if there were none.
    ///
    /// If ``ForeignGuesses/surelyForeign`` is above zero, another party has a copy of the data on the device. Show the
    /// number to the user. If ``rekeyFailure`` is nil, the epoch was changed because of these guesses, and the copy is
    /// worthless. Otherwise the holder of the copy can make as many guesses as are left. The owner's right PINs do not
    /// give foreign guesses back, so the holder has at most the hardener's limit in total.
    public nonisolated let foreignGuesses: ForeignGuesses?
    /// The error of this unlock, if it had to rekey the vault and could not; otherwise nil.
    ///
    /// An unlock rekeys a vault that must move to its hardener, or that must be sealed again: because its format is
    /// old, after foreign guesses, after a phrase was removed, because its key derivation has become too cheap, or to
    /// add or remove the local tier.
    ///
    /// After the error, the vault is open as it was before, and the next unlock tries again. An app may wait if the
    /// error is temporary (``PinHardenerError/unavailable(_:)``). Tell the user about any other error, since the PIN
    /// stays weaker than it should be.
    public nonisolated let rekeyFailure: VaultError?
    /// The policy that the vault kept when it was opened. Another opening may have kept a newer one since: see
    /// ``policy()``.
    nonisolated let policyWhenOpened: Result<KeptPolicy?, PolicyError>
    /// Compares the clock with the time at which the vault locks.
    private var watch: Task<Void, Never>?
    /// Overwrites the key when the opening has ended.
    private var wiping: Task<Void, Never>?

    private init(_ opened: OpenedRecord, of vault: Vault, by slot: VaultSlot) {
        self.vault = vault
        self.slot = slot
        vaultID = opened.record.vaultID
        opening = .registered(opened, by: slot, vault.autoLock, clock: vault.clock)
        key = opened.key
        knowledgeKey = opened.knowledgeKey
        unreached = opened.unreached
        pinTier = slot == .pin ? opened.pinTier : nil
        foreignGuesses = opened.foreignGuesses
        rekeyFailure = opened.rekeyFailure
        policyWhenOpened = opened.policy
    }

    deinit {
        watch?.cancel()
        wiping?.cancel()
        opening.finish(.locked)
    }

    static func opened(_ record: OpenedRecord, of vault: Vault, by slot: VaultSlot) async -> OpenVault {
        let open = OpenVault(record, of: vault, by: slot)
        await open.startWatch()
        await open.startWiping()
        return open
    }

    /// Locks the vault: forgets its key.
    ///
    /// Every later call throws ``VaultError/locked``. So does a call that is under way; its last write may have
    /// been made. Only a change of PIN that is complete by then returns normally, because the user must know which PIN
    /// is right.
    public func lock() {
        opening.finish(.locked)
        wipe()
    }

    /// Whether the vault key is gone: after ``lock()``, because its time was up, or because the vault is superseded.
    public var isLocked: Bool {
        wipeIfEnded()
        return !holdsKey
    }

    /// How the user was verified when the vault was opened, in the relying party's terms.
    package var userVerification: UserVerification {
        pinTier == .hardened ? .twoPartyPin : slot.userVerification
    }

    /// Whether the vault key is in memory.
    package var holdsKey: Bool { key != nil }

    /// Tells the vault that the app has gone to the background. It locks after ``AutoLock/inBackground``.
    public func appDidEnterBackground() {
        opening.enterBackground()
        wipeIfEnded()
        // The next deadline may be earlier now.
        if key != nil { startWatch() }
    }

    /// Tells the vault that the app is visible again. A vault whose time is up by now is locked.
    public func appWillEnterForeground() {
        opening.enterForeground()
        wipeIfEnded()
    }

    /// Ends this opening if the stored record supersedes it, since another process may have changed the PIN. The call
    /// does not count as a use.
    ///
    /// If the store cannot be read now, the vault stays open. If the store finds no record, it is asked again, up to
    /// three times in all, before the vault ends.
    package func endIfSuperseded() async {
        let record: VaultRecord?
        do {
            record = try await vault.readAskingAgain()
        } catch {
            return
        }
        if !isCurrent(record) { opening.supersede() }
        wipeIfEnded()
    }

    /// Returns the key and the current record, after checking that the record belongs to the key. The call counts as a
    /// use.
    func current() async throws(VaultError) -> OpenedRecord {
        try checkIsOpen()
        let record = try await vault.readAskingAgain()
        // The opening may have ended while the record was read.
        try checkIsOpen()
        guard let key else { throw .locked }
        guard let record, isCurrent(record) else {
            opening.supersede()
            wipeIfEnded()
            throw .superseded
        }
        guard key.vouches(for: record.sealed.content) else { throw .corrupt }
        opening.use()
        return OpenedRecord(record: record, key: key, knowledgeKey: knowledgeKey, unreached: unreached)
    }

    /// Writes `opened` with other content.
    ///
    /// - Returns: Whether it was written. If not, another process has written, and the caller starts again from
    ///   ``current()``.
    /// - Throws: ``VaultError/locked`` also if the vault was locked while the record was written. The write may
    ///   have been made then.
    func replace(
        _ opened: OpenedRecord,
        items: [String: SealedBytes]? = nil,
        recipients: VaultRecipients? = nil,
        slots: VaultSlots? = nil,
        isRekeyDue: Bool = false,
        retrying retries: inout ConflictRetries
    ) async throws(VaultError) -> Bool {
        var record = opened.record
        let old = record.sealed.content
        let sealedFor: VaultRecipients
        if let recipients { sealedFor = recipients } else { sealedFor = try opened.recipients }
        let content = opened.key.vouch(
            for: items ?? old.items, recipients: sealedFor, epoch: old.epoch,
            generation: old.generation + 1, isPinHardened: old.isPinHardened ?? false,
            isRekeyDue: isRekeyDue || old.isRekeyDue ?? false)
        guard content.byteCount <= VaultContent.byteCountLimit else { throw .tooLarge }
        record.sealed = SealedVault(slots: slots ?? record.sealed.slots, content: content)
        let isWritten: Bool
        do {
            isWritten = try await vault.write(&record, &retries)
        } catch {
            guard holdsKey else { throw .locked }
            throw error
        }
        guard holdsKey else { throw .locked }
        return isWritten
    }

    /// Switches to `rekeyed`, the vault as it was sealed again under a new key.
    func adopt(_ rekeyed: OpenedRecord) {
        guard rekeyed.record.vaultID == vaultID, !isLocked else { return }
        key = rekeyed.key
        knowledgeKey = rekeyed.knowledgeKey
        unreached = rekeyed.unreached
        if slot == .pin { pinTier = rekeyed.pinTier }
        opening.adopt(rekeyed.record)
    }

    private func isCurrent(_ record: VaultRecord?) -> Bool {
        guard let record else { return false }
        return record.vaultID == vaultID && record.sealed.content.epoch == opening.epoch
            && record.sealed.slots.has(slot)
    }

    private func checkIsOpen() throws(VaultError) {
        wipeIfEnded()
        switch opening.end {
        case nil: return
        case .locked?: throw .locked
        case .superseded?: throw .superseded
        }
    }

    private func wipeIfEnded() {
        if opening.end != nil { wipe() }
    }

    private func wipe() {
        key = nil
        knowledgeKey = nil
        watch?.cancel()
    }

    /// Waits for the time at which the vault must lock, without keeping the vault alive.
    private func startWatch() {
        watch?.cancel()
        watch = Task { [opening, clock = vault.clock] in
            while let deadline = opening.deadline {
                do {
                    try await clock.sleep(until: deadline)
                } catch {
                    return
                }
            }
        }
    }

    /// Waits for the end, without keeping the vault alive.
    private func startWiping() {
        opening.whenInDoubt { [weak self] in await self?.endIfSuperseded() }
        wiping = Task { [weak self, opening] in
            guard await opening.ended() != nil else { return }
            await self?.wipe()
        }
    }
}
