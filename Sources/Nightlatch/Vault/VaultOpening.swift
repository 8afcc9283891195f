import NightlatchWire

/// Whether an ``OpenVault`` is still open. Code that must not wait reads ``end``; code that shows secrets awaits ``ended()``.
///
/// It holds no key and does not keep the vault in memory. `ScreenLock` shows a screen only while ``end`` is nil.
public final class VaultOpening: Sendable {
    private struct State: Sendable {
        var timer: AutoLockTimer
        var epoch: UInt64
        var end: OpenVaultEnd?
        var watchers: [Int: AsyncStream<OpenVaultEnd>.Continuation] = [:]
        var watcherCount = 0
        /// How many calls are changing the vault's key on behalf of this opening.
        var holds = 0
        /// Whether the record may be another now, so that it must be read.
        var isInDoubt = false
        /// Reads the record, and ends the opening if it is superseded.
        var check: (@Sendable () async -> Void)?
    }

    /// Whether an opening is reading its store because this process has written or removed a record. An operation on
    /// one vault can cause such reads of others, at any time: a store that counts the calls of an operation does not
    /// count them.
    @TaskLocal package static var isLooking = false

    let vaultID: VaultID
    let way: VaultWay
    private let clock: any LockoutClock
    private let state: Locked<State>

    /// - Parameter opened: The record that was opened. From now on it is compared with each record of its vault that this process writes.
    static func registered(
        _ opened: OpenedRecord, by way: VaultWay, _ autoLock: AutoLock, clock: any LockoutClock
    ) -> VaultOpening {
        let opening = VaultOpening(opened.record, by: way, autoLock, clock: clock)
        VaultOpenings.ofThisProcess.add(opening)
        return opening
    }

    private init(_ record: VaultRecord, by way: VaultWay, _ autoLock: AutoLock, clock: any LockoutClock) {
        vaultID = record.vaultID
        self.way = way
        self.clock = clock
        state = Locked(
            State(timer: AutoLockTimer(autoLock, now: clock.continuousTime()), epoch: record.sealed.content.epoch))
    }

    deinit { VaultOpenings.ofThisProcess.remove(self) }

    /// Why the vault is open no more; nil while it is open. It reads the clock, so a vault whose time is up has ended.
    public var end: OpenVaultEnd? { change { $0.end } }

    /// Waits until the vault is open no more.
    ///
    /// - Returns: Why it is; nil if the task was cancelled before.
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

    /// When to look at the clock again; nil once it has ended.
    var deadline: Duration? { change { $0.end == nil ? $0.timer.deadline : nil } }

    /// Ends it. An end that came before stands.
    package func finish(_ end: OpenVaultEnd) {
        change { $0.end = $0.end ?? end }
    }

    /// Ends an opening whose record is another now, unless the call that has made it another goes on with this opening.
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

    /// The person uses the vault. That counts for every opening of it in this process, so that windows do not lock one by one.
    func use() {
        for opening in VaultOpenings.ofThisProcess.of(vaultID) {
            let now = opening.clock.continuousTime()
            opening.change { $0.timer.use(at: now) }
        }
    }

    /// Begins a change of the vault's key with which this opening will go on: what is written until ``release()`` does not end it.
    func hold() {
        change { $0.holds += 1 }
    }

    /// The opening goes on with the record as it was sealed again.
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

    /// This process has written a record of this vault. It may be a copy in another store, so what counts is what this opening's own store holds.
    fileprivate func compare(with record: VaultRecord) {
        change { state in
            if record.sealed.content.epoch != state.epoch || !record.sealed.slots.has(way) { state.isInDoubt = true }
        }
    }

    /// This process has removed a record of this vault. Returns when this opening has looked at its own store, and has ended if that holds nothing.
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

    /// Tells the watchers when `body`, or the time, has ended it.
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

/// The openings of this process. A vault's record is written by values that know nothing of each other; through this one place each
/// opening learns that it may be superseded.
final class VaultOpenings: Sendable {
    static let ofThisProcess = VaultOpenings()

    private struct Reference: Sendable {
        weak var opening: VaultOpening?
    }

    private let openings = Locked<[VaultID: [ObjectIdentifier: Reference]]>([:])

    /// Tells the openings of a vault what was just written.
    func wrote(_ record: VaultRecord) {
        for opening in of(record.vaultID) { opening.compare(with: record) }
    }

    /// Tells the openings of a vault that its record was just removed, and returns when they have ended.
    ///
    /// - Parameter vaultID: The vault; nil if the record could not be read, so that each opening of this process looks at its own store.
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
