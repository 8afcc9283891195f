import Nightlatch
import NightlatchPlatform

/// The kind of a start of the app, by its marker files.
public enum AppStart: String, Codable, Hashable, Sendable, CaseIterable {
    case ordinary
    /// The first start of an installation: no marker file exists.
    case first
    /// The first start after a backup was restored: it restored one marker file, and the other one is not in backups.
    case restored

    init(isFirst: Bool, hasUnbackedMarker: Bool) {
        self = isFirst ? .first : hasUnbackedMarker ? .ordinary : .restored
    }
}

/// The checks of what outlives the app, with items that count: one that backups contain, one that needs a passcode.
struct InstallationChecks: Sendable {
    let system: DeviceSystem

    private var backedUp: any SecureStore { system.adapters.store("installation.backed-up", .whenUnlocked) }
    private var withPasscode: any SecureStore { system.adapters.store("installation.passcode", .whenPasscodeSet) }

    /// Writes the items. Then the user removes the app.
    func beforeRemoval() async throws(StoreError) -> CheckOutcome {
        guard !system.installation.filesOutliveApp else {
            return .done(.notPossible, ["reason": "on this system, files outlive the app"])
        }
        _ = try await set(1)
        return .waiting(.removeApp, notes: [:])
    }

    /// The first start of the next installation. That this check is still waiting shows that items outlived the app.
    func afterRemoval() async throws(StoreError) -> CheckOutcome {
        let facts = ["item": try await text(of: backedUp), "item_with_passcode": try await text(of: withPasscode)]
        return .done(facts["item"] == "1" ? .held : .didNotHold, facts)
    }

    /// Writes the items for the first time. Then the user makes a backup.
    func beforeBackup() async throws(StoreError) -> CheckOutcome {
        guard try await set(1) else {
            return .done(.notPossible, ["reason": "the device has no passcode"])
        }
        return .waiting(.makeBackup, notes: [:])
    }

    /// Writes the items for the second time, so that they differ from the backup. Then the user restores it.
    func beforeRestore() async throws(StoreError) -> CheckOutcome {
        _ = try await set(2)
        return .waiting(.restoreBackup, notes: [:])
    }

    /// The first start after a backup was restored.
    func afterRestore() async throws(StoreError) -> CheckOutcome {
        let facts = ["item": try await text(of: backedUp), "item_with_passcode": try await text(of: withPasscode)]
        let isOld = facts["item"] == "1" && facts["item_with_passcode"] == "none"
        return .done(isOld ? .held : .didNotHold, facts)
    }

    /// Writes a number to both items. Returns false if the system refuses an item that needs a passcode.
    private func set(_ number: UInt8) async throws(StoreError) -> Bool {
        try await set(number, in: backedUp)
        do throws(StoreError) {
            try await set(number, in: withPasscode)
            return true
        } catch {
            guard error.code == .refused else { throw error }
            return false
        }
    }

    private func set(_ number: UInt8, in store: any SecureStore) async throws(StoreError) {
        try await store.erase()
        try await store.replace(StoredRecord(revision: 1, bytes: [number]), expecting: nil)
    }

    private func text(of store: any SecureStore) async throws(StoreError) -> String {
        try await store.read()?.bytes.map { String($0) }.joined(separator: " ") ?? "none"
    }
}
