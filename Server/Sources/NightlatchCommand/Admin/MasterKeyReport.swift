import Foundation
import NightlatchRelyingParty
import NightlatchWire

/// What `nightlatch admin rotate-master-key --status` shows.
struct MasterKeyReport {
    private let state: MasterKeyState?
    private let use: MasterKeyUse?
    private let processes: [RunningProcess]

    init(of store: any RelyingPartyStore) async throws(RelyingPartyStoreError) {
        state = try await store.masterKeyState()
        use = if let state { try await store.use(of: state.sealing) } else { nil }
        processes = try await store.runningProcesses()
    }

    var lines: [String] {
        guard let state, let use else { return ["no server of this release has used the database yet"] }
        var lines = ["key \(state.sealing) seals since \(Self.text(state.since))"]
        switch state.phase {
        case .settled: break
        case .switching: lines.append("a rotation waits until all servers seal under this key")
        case .sealing: lines.append("a rotation is sealing everything again")
        }
        lines += [
            "under this key: signing keys \(use.signingKeys.under), two-party PINs \(use.pins.under)",
            "not under this key only: signing keys \(use.signingKeys.other), two-party PINs \(use.pins.other)",
        ]
        if let previous = state.previous, let end = state.previousEndsAt, state.phase == .settled {
            lines.append("the file of the old key \(previous) can go from \(Self.text(end)) on")
        }
        for process in processes {
            lines.append(
                "server \(process.name) knows \(process.keys.map(\.rawValue).sorted().joined(separator: ", ")) and seals "
                    + "under \(process.sealing)")
        }
        return lines
    }

    static func text(_ time: NumericDate) -> String { time.date.formatted(.iso8601) }
}

extension MasterKeyRotation.Progress {
    /// The line for the operator; nil for nothing worth a line.
    var line: String? {
        switch self {
        case .switched: "switched: new values are sealed under the new key"
        case .continued: "an earlier run has switched to the new key; continuing"
        case .waiting(let processes):
            "waiting until these servers seal under the new key: \(processes.map(\.name).joined(separator: ", "))"
        case .signingKeys(let count): count == 0 ? nil : "sealed again: signing keys \(count)"
        case .pins(let count): "sealed again: two-party PINs \(count)"
        }
    }
}

extension MasterKeyRotation.Summary {
    /// The lines for the operator at the end.
    var lines: [String] {
        let rest = damaged.prefix(20).map { pin in
            "opens under neither key: two-party PIN of device \(pin.device), which names the key "
                + (pin.masterKey?.rawValue ?? "of an older release")
        }
        let more = damaged.count > 20 ? ["and \(damaged.count - 20) more"] : []
        let end =
            damaged.isEmpty
            ? ["done: nothing in the database is sealed under the old key any more"]
            : ["all others are sealed under the new key"]
        return rest + more + end + [
            "Texts and enrolment codes under the old key are valid until \(MasterKeyReport.text(oldKeyEndsAt)). Then restart "
                + "each server with only the new key, and remove the old one. Backups from before now need the old key, "
                + "and backups from during the rotation need both."
        ]
    }
}
