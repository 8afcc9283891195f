package import NightlatchWire

/// A vault that was opened: the only way to its secrets.
///
/// It holds the vault key until ``lock()``, until its time is up (``AutoLock``), or until the last reference to it goes; then the
/// key is overwritten. Several can be open at once, in several processes: each call works on the record as it stands, and no
/// change is lost. One that is superseded ends like one that is locked: ``opening`` tells.
public actor OpenVault {
    let vault: Vault
    let vaultID: VaultID
    /// How it was opened. When that way is removed from the vault, this opening is worth nothing any more.
    public nonisolated let way: VaultWay
    /// Whether it is still open: what a screen must know without waiting.
    public nonisolated let opening: VaultOpening
    private var key: VaultKey?
    private var knowledgeKey: KnowledgeKey?
    /// Why the hardener had no part in it, if the local tier opened it.
    private(set) var unreached: PinHardenerError?
    /// What the PIN that opened it hung on; nil if no PIN opened it. Logins that are signed with it say so: `UserVerification.twoPartyPin`
    /// where a hardener had its part, `UserVerification.pin` where it had none. A relying party may refuse the latter.
    public private(set) var pinTier: PinTier?
    /// Guesses at the PIN that others may have made, as the hardener told when it was opened; nil if there were none. A person is to be told
    /// of ``ForeignGuesses/surelyForeign``: somebody has a copy of what is on the device. The epoch was changed because of them, and the copy is
    /// worth nothing any more, only if ``rekeyFailure`` is nil. Otherwise the copy is good for as many guesses as are left, which no proof of the
    /// PIN gives back: at most the hardener's limit in all.
    public nonisolated let foreignGuesses: ForeignGuesses?
    /// Why this unlock did not move the vault to its hardener, or did not seal it anew though that was due: after others' guesses, after a
    /// phrase was removed, for a key derivation that has become too cheap, or for the local tier. Nil if nothing was due, or all was done. The
    /// vault is open as it was before, and the next unlock tries again. An app may wait for what passes
    /// (``PinHardenerError/unavailable(_:)``); of anything else a person is to be told, since without it the PIN stays weaker than it should be.
    public nonisolated let rekeyFailure: RekeyError?
    /// Looks at the clock when the vault is to be locked.
    private var watch: Task<Void, Never>?
    /// Overwrites the key when the opening has ended.
    private var wiping: Task<Void, Never>?

    private init(_ opened: OpenedRecord, of vault: Vault, by way: VaultWay) {
        self.vault = vault
        self.way = way
        vaultID = opened.record.vaultID
        opening = .registered(opened, by: way, vault.autoLock, clock: vault.clock)
        key = opened.key
        knowledgeKey = opened.knowledgeKey
        unreached = opened.unreached
        pinTier = way == .pin ? opened.pinTier : nil
        foreignGuesses = opened.foreignGuesses
        rekeyFailure = opened.rekeyFailure
    }

    deinit {
        watch?.cancel()
        wiping?.cancel()
        opening.finish(.locked)
    }

    static func opened(_ record: OpenedRecord, of vault: Vault, by way: VaultWay) async -> OpenVault {
        let open = OpenVault(record, of: vault, by: way)
        await open.startWatch()
        await open.startWiping()
        return open
    }

    /// Forgets the vault key. Every later call throws ``OpenVaultError/locked``, and so does a call that is under way: what it
    /// was writing at that moment may be written. Only a change of PIN that is complete by then returns normally, since the person must
    /// know which PIN is right.
    public func lock() {
        opening.finish(.locked)
        wipe()
    }

    /// Whether the vault key is gone: by ``lock()``, because its time was up, or because it is superseded.
    public var isLocked: Bool {
        wipeIfEnded()
        return !holdsKey
    }

    /// How the relying party is told that the vault was opened.
    package var userVerification: UserVerification {
        pinTier == .hardened ? .twoPartyPin : way.userVerification
    }

    /// Whether the vault key is in memory.
    package var holdsKey: Bool { key != nil }

    /// Tells the vault that the app has gone to the background: it locks after ``AutoLock/inBackground``.
    public func appDidEnterBackground() {
        opening.enterBackground()
        wipeIfEnded()
        // The time to wait until may be nearer now.
        if key != nil { startWatch() }
    }

    /// Tells the vault that the app is seen again. A vault whose time was up meanwhile is locked.
    public func appWillEnterForeground() {
        opening.enterForeground()
        wipeIfEnded()
    }

    /// Compares it with the record that is stored, since another process may have changed the PIN. It counts as no use. A store that cannot
    /// be read now tells nothing, and the vault stays open. One that finds no record is asked again, three times in all, before that ends it.
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

    /// The record as it stands, known to be this key's, and the key. It counts as a use.
    func current() async throws(OpenVaultError) -> OpenedRecord {
        try checkIsOpen()
        let record: VaultRecord?
        do {
            record = try await vault.readAskingAgain()
        } catch {
            throw .record(error)
        }
        // It may have ended while the record was read.
        try checkIsOpen()
        guard let key else { throw .locked }
        guard let record, isCurrent(record) else {
            opening.supersede()
            wipeIfEnded()
            throw .superseded
        }
        guard key.vouches(for: record.sealed.content) else { throw .record(.corrupt) }
        opening.use()
        return OpenedRecord(record: record, key: key, knowledgeKey: knowledgeKey, unreached: unreached)
    }

    /// Writes `opened` with other content.
    ///
    /// - Returns: Whether it was written; if not, someone else has written and the caller starts again from ``current()``.
    /// - Throws: ``OpenVaultError/locked`` also if it was locked while the record was written; the write may have been made then.
    func replace(
        _ opened: OpenedRecord,
        items: [String: SealedBytes]? = nil,
        recipients: VaultRecipients? = nil,
        slots: VaultSlots? = nil,
        isRekeyDue: Bool = false,
        retrying retries: inout ConflictRetries
    ) async throws(OpenVaultError) -> Bool {
        var record = opened.record
        let old = record.sealed.content
        let sealedFor: VaultRecipients
        if let recipients { sealedFor = recipients } else { sealedFor = try opened.recipients }
        let content = opened.key.vouch(
            for: items ?? old.items, recipients: sealedFor, epoch: old.epoch,
            generation: old.generation + 1, isPinHardened: old.isPinHardened ?? false,
            isRekeyDue: isRekeyDue || old.isRekeyDue ?? false)
        guard content.byteCount <= VaultContent.byteCountLimit else { throw .record(.tooLarge) }
        record.sealed = SealedVault(slots: slots ?? record.sealed.slots, content: content)
        let isWritten: Bool
        do {
            isWritten = try await vault.write(&record, &retries)
        } catch {
            guard holdsKey else { throw .locked }
            throw .record(error)
        }
        guard holdsKey else { throw .locked }
        return isWritten
    }

    /// Goes on with the vault as it was sealed anew.
    func adopt(_ rekeyed: OpenedRecord) {
        guard rekeyed.record.vaultID == vaultID, !isLocked else { return }
        key = rekeyed.key
        knowledgeKey = rekeyed.knowledgeKey
        unreached = rekeyed.unreached
        if way == .pin { pinTier = rekeyed.pinTier }
        opening.adopt(rekeyed.record)
    }

    private func isCurrent(_ record: VaultRecord?) -> Bool {
        guard let record else { return false }
        return record.vaultID == vaultID && record.sealed.content.epoch == opening.epoch && record.sealed.slots.has(way)
    }

    private func checkIsOpen() throws(OpenVaultError) {
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

    /// Waits for the time at which the vault is to be locked, without keeping the vault alive.
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
