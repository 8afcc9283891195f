import NightlatchWire

/// Reports whether an ``OpenVault`` is still open. Code that must not wait reads ``end``; code that shows secrets
/// awaits ``ended()``.
///
/// It holds no key and does not keep the vault in memory. `ScreenLock` shows a screen only while ``end`` is nil.
public final class VaultOpening: Sendable {
    private struct State: Sendable {
        var timer: AutoLockTimer
        var epoch: UInt64
        var end: OpenVaultEnd?
        var watchers: [Int: AsyncStream<OpenVaultEnd>.Continuation] = [:]
        var watcherCount = 0
        /// The number of calls that are changing the vault's key and will keep this opening open.
        var holds = 0
        /// Whether the record may have changed, so that it must be read.
        var isInDoubt = false
        /// Reads the record, and ends the opening if it is superseded.
        var check: (@Sendable () async -> Void)?
    }

    /// Whether an opening is reading its store because this process has written or removed a record.
    ///
    /// An operation on one vault can cause such reads of other vaults, at any time. A store that counts the calls of an
    /// operation must not count them.
    @TaskLocal package static var isLooking = false

    let vaultID: VaultID
    let slot: VaultSlot
    private let clock: any LockoutClock
    private let state: Locked<State>

    /// - Parameter opened: The record that was opened. From now on, the opening is compared with each record of its
    ///   vault that this process writes.
    static func registered(
        _ opened: OpenedRecord, by slot: VaultSlot, _ autoLock: AutoLock, clock: any LockoutClock
    ) -> VaultOpening {
        let opening = VaultOpening(opened.record, by: slot, autoLock, clock: clock)
        VaultOpenings.ofThisProcess.add(opening)
        return opening
    }

    private init(_ record: VaultRecord, by slot: VaultSlot, _ autoLock: AutoLock, clock: any LockoutClock) {
        vaultID = record.vaultID
        self.slot = slot
        self.clock = clock
        state = Locked(
            State(timer: AutoLockTimer(autoLock, now: clock.continuousTime()), epoch: record.sealed.content.epoch))
    }

    deinit { VaultOpenings.ofThisProcess.remove(self) }

    /// The reason why the vault is no longer open; nil while it is open. Each access reads the clock, so a vault whose
    /// time is up is reported as ended.
    public var end: OpenVaultEnd? { change { $0.end } }

    /// Waits until the vault is no longer open.
    ///
    /// - Returns: The reason; nil if the task was cancelled first.
    public func ended() async -> OpenVaultEnd? {
        let (ends, continuation) = AsyncStream<OpenVaultEnd>.makeStream()
        let watcher = change { state -> Int? in
            guard state.end == nil else { return nil }
            state.watcherCount += 1
            state.watchers[state.watcherCount] = continuation
            return state.watcherCount
        }
        guard let watcher else { return end }
        defer { change { $0.watchers[watcher] = nil } }
        for await end in ends { return end }
        return nil
    }

    var epoch: UInt64 { change { $0.epoch } }

    /// The time at which to read the clock again; nil after the end.
    var deadline: Duration? { change { $0.end == nil ? $0.timer.deadline : nil } }

    /// Ends the opening. If it has ended already, the first reason stays.
    package func finish(_ end: OpenVaultEnd) {
        change { $0.end = $0.end ?? end }
    }

    /// Ends an opening whose record was replaced, unless the call that replaced it keeps this opening open.
    func supersede() {
        change { if $0.holds == 0 { $0.end = $0.end ?? .superseded } }
    }

    package func enterBackground() {
        let now = clock.continuousTime()
        change { $0.timer.enterBackground(at: now) }
    }

    func enterForeground() {
        change { $0.timer.enterForeground() }
    }

    /// Records that the user uses the vault. It counts for every opening of the vault in this process, so that windows
    /// do not lock one by one.
    func use() {
        for opening in VaultOpenings.ofThisProcess.of(vaultID) {
            let now = opening.clock.continuousTime()
            opening.change { $0.timer.use(at: now) }
        }
    }

    /// Begins a change of the vault's key that keeps this opening open: records that are written until ``release()`` do
    /// not end it.
    func hold() {
        change { $0.holds += 1 }
    }

    /// Continues with `record`, in which the vault was sealed again under a new key.
    func adopt(_ record: VaultRecord) {
        change { $0.epoch = record.sealed.content.epoch }
    }

    func release() {
        change { $0.holds -= 1 }
    }

    /// - Parameter check: Reads the record, and ends the opening if it is superseded.
    func whenInDoubt(_ check: @escaping @Sendable () async -> Void) {
        change { $0.check = check }
    }

    /// Compares the opening with a record of this vault that this process has written. The record may be a copy in
    /// another store, so a difference only makes the opening read its own store.
    fileprivate func compare(with record: VaultRecord) {
        change { state in
            if record.sealed.content.epoch != state.epoch || !record.sealed.slots.has(slot) { state.isInDoubt = true }
        }
    }

    /// Reads the opening's own store after this process has removed a record of this vault. When this returns, the
    /// opening has ended if its store contains no record.
    fileprivate func lookAfterRemoval() async {
        let check = change { state -> (@Sendable () async -> Void)? in
            guard state.end == nil else { return nil }
            guard state.holds == 0 else {
                state.isInDoubt = true
                return nil
            }
            return state.check
        }
        if let check { await Self.$isLooking.withValue(true) { await check() } }
    }

    /// Runs `body`, and notifies the watchers if `body` or the time has ended the opening.
    @discardableResult
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let now = clock.continuousTime()
        let (result, end, told, check) = state.withLock { state in
            if state.end == nil, state.timer.isDue(at: now) { state.end = .locked }
            let result = body(&state)
            if state.end == nil, state.timer.isDue(at: now) { state.end = .locked }
            var told: [AsyncStream<OpenVaultEnd>.Continuation] = []
            if state.end != nil {
                told = Array(state.watchers.values)
                state.watchers = [:]
            }
            var check: (@Sendable () async -> Void)?
            if state.isInDoubt, state.holds == 0 {
                state.isInDoubt = false
                check = state.end == nil ? state.check : nil
            }
            return (result, state.end, told, check)
        }
        if let check { Task { await Self.$isLooking.withValue(true) { await check() } } }
        if let end {
            for watcher in told {
                watcher.yield(end)
                watcher.finish()
            }
        }
        return result
    }
}

/// The openings of this process.
///
/// Several independent ``Vault`` values can write the record of one vault. This type tells each opening that it may be
/// superseded.
final class VaultOpenings: Sendable {
    static let ofThisProcess = VaultOpenings()

    private struct Reference: Sendable {
        weak var opening: VaultOpening?
    }

    private let openings = Locked<[VaultID: [ObjectIdentifier: Reference]]>([:])

    /// Notifies the openings of a vault of a record that was just written.
    func wrote(_ record: VaultRecord) {
        for opening in of(record.vaultID) { opening.compare(with: record) }
    }

    /// Notifies the openings of a vault that its record was just removed, and returns when they have ended.
    ///
    /// - Parameter vaultID: The vault; nil if the record could not be read. Then each opening of this process reads its
    ///   own store.
    func removed(_ vaultID: VaultID?) async {
        for opening in vaultID.map(of) ?? all { await opening.lookAfterRemoval() }
    }

    private var all: [VaultOpening] {
        openings.withLock { $0.values.flatMap { $0.values.compactMap(\.opening) } }
    }

    func of(_ vaultID: VaultID) -> [VaultOpening] {
        openings.withLock { $0[vaultID, default: [:]].values.compactMap(\.opening) }
    }

    fileprivate func add(_ opening: VaultOpening) {
        openings.withLock { openings in
            openings[opening.vaultID, default: [:]][ObjectIdentifier(opening)] = Reference(opening: opening)
        }
    }

    fileprivate func remove(_ opening: VaultOpening) {
        openings.withLock { openings in
            openings[opening.vaultID]?[ObjectIdentifier(opening)] = nil
            if openings[opening.vaultID]?.isEmpty == true { openings[opening.vaultID] = nil }
        }
    }
}
