public import NightlatchWire

/// A step of a rotation of the master key.
public enum MasterKeyChange: Hashable, Sendable {
    /// Records the first master key of a store, if none is recorded.
    case establish(MasterKeyID, keptSecrets: [UInt8])
    /// Seals new values under `to` from now on. The box of the kept secrets is sealed under `to`.
    ///
    /// Every live process must know both keys, and there must be one, unless `withoutServers` says that none runs.
    case begin(from: MasterKeyID, to: MasterKeyID, keptSecrets: [UInt8], withoutServers: Bool = false)
    /// Replaces the record of a key that is lost, if the store has no signing keys.
    case replaceLost(MasterKeyID, by: MasterKeyID, keptSecrets: [UInt8])
    /// From now on, no box under the previous key can be stored.
    ///
    /// Every live process must seal under this key.
    case close(MasterKeyID)
    /// Ends the rotation. The caller has sealed all stored boxes under this key.
    case finish(MasterKeyID)
}

/// The outcome of a ``MasterKeyChange``. A repeated change has the same outcome and no second effect.
public enum MasterKeyChangeOutcome: Hashable, Sendable {
    /// The store has this state, because of this or an earlier call.
    case done(MasterKeyState)
    /// Nothing changed: what was made under the key before the present one is valid until this time.
    case tooEarly(until: NumericDate)
    /// Nothing changed: these processes do not know both keys yet, or do not seal under the new one yet. Empty if no
    /// process is alive.
    case waiting(for: [RunningProcess])
    /// Nothing changed: another rotation is in progress, or another key is recorded; nil if none is.
    case differs(MasterKeyState?)
}

/// What a store writes for a ``MasterKeyChange``.
package struct MasterKeyChangeResult: Hashable, Sendable {
    package let outcome: MasterKeyChangeOutcome
    /// The state to store; nil if nothing changes.
    package let state: MasterKeyState?
    package let event: AuditEvent?

    /// Decides about a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - current: The stored state.
    ///   - processes: All reported processes, in any order.
    ///   - hasSigningKeys: Whether the store has signing keys.
    ///   - codesEndAt: The time at which the last unused enrolment code expires; nil if there is none.
    ///   - now: The time of the transaction.
    package init(
        _ change: MasterKeyChange, of current: MasterKeyState?, processes: [RunningProcess], hasSigningKeys: Bool,
        codesEndAt: NumericDate?, at now: NumericDate
    ) {
        let live = processes.filter { $0.isAlive(at: now) }.sorted {
            ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue)
        }
        switch (change, current) {
        case (.establish(let id, let kept), nil):
            self.init(MasterKeyState(sealing: id, since: now, keptSecrets: kept))
        case (.establish, let state?): self.init(.done(state))
        case (.replaceLost(let lost, let new, let kept), let state?) where state.sealing == lost && !hasSigningKeys:
            self.init(
                MasterKeyState(sealing: new, since: now, keptSecrets: kept),
                AuditEvent(.masterKeyReplaced, by: .server))
        case (.begin(_, let new, _, _), let state?) where state.sealing == new: self.init(.done(state))
        case (.begin(let old, let new, let kept, let withoutServers), let state?)
        where state.sealing == old && state.phase == .settled:
            if let end = state.previousEndsAt, now < end {
                self.init(.tooEarly(until: end))
                return
            }
            let lacking = live.filter { !$0.keys.isSuperset(of: [old, new]) }
            guard lacking.isEmpty, withoutServers || !live.isEmpty else {
                self.init(.waiting(for: lacking))
                return
            }
            self.init(
                MasterKeyState(sealing: new, previous: old, phase: .switching, since: now, keptSecrets: kept),
                AuditEvent(.masterKeyRotationBegan, by: .operator))
        case (.close(let id), var state?) where state.sealing == id:
            guard state.phase == .switching else {
                self.init(.done(state))
                return
            }
            let lacking = live.filter { $0.sealing != id }
            guard lacking.isEmpty else {
                self.init(.waiting(for: lacking))
                return
            }
            state.phase = .sealing
            state.previousEndsAt = max(now, codesEndAt ?? now) + MasterKeyState.textLife
            self.init(state)
        case (.finish(let id), var state?) where state.sealing == id && state.phase != .switching:
            guard state.phase == .sealing else {
                self.init(.done(state))
                return
            }
            state.phase = .settled
            self.init(state, AuditEvent(.masterKeyRotated, by: .operator))
        case (.begin, _), (.close, _), (.finish, _), (.replaceLost, _): self.init(.differs(current))
        }
    }

    private init(_ outcome: MasterKeyChangeOutcome) {
        (self.outcome, state, event) = (outcome, nil, nil)
    }

    private init(_ new: MasterKeyState, _ event: AuditEvent? = nil) {
        (outcome, state, self.event) = (.done(new), new, event)
    }
}
