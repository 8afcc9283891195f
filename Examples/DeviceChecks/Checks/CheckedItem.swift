import Foundation
import Nightlatch
import NightlatchPlatform

/// A new item of the Keychain for one check.
struct CheckedItem: Sendable {
    let account: String
    private let system: DeviceSystem

    init(_ system: DeviceSystem, kind: String = "item") {
        self.system = system
        account = "\(kind).\(UUID().uuidString)"
    }

    /// A new connection to the item.
    var store: any SecureStore { system.adapters.store(account, .whenUnlocked) }

    /// Runs a check with the item and erases it at the end.
    func check(_ check: () async throws(StoreError) -> CheckOutcome) async throws(StoreError) -> CheckOutcome {
        let outcome: CheckOutcome
        do throws(StoreError) {
            outcome = try await check()
        } catch {
            // The error of the check matters more than that of erasing the item.
            do throws(StoreError) { try await store.erase() } catch {}
            throw error
        }
        try await store.erase()
        return outcome
    }
}
