import Foundation
import NightlatchJourney
import NightlatchLogger

// Structure of the vendor's screen with the list of keys.

@MainActor
final class BindingKeysViewModel {
    var keys: [UserKey] = []
    var message = ""

    func prepare() {
        BindingModule.registerCallbacks()
        BindingModule.setLogger(LogManager.warning)
    }

    func fetchKeys() async {
        do {
            keys = try await BindingModule.getAllKeys()
        } catch {
            message = error.localizedDescription
        }
    }

    func delete(_ key: UserKey) async {
        do {
            try await BindingModule.deleteKey(key)
            await fetchKeys()
        } catch {
            message = error.localizedDescription
        }
    }

    func deleteAll() async {
        do {
            try await BindingModule.deleteAllKeys()
            await fetchKeys()
        } catch {
            message = error.localizedDescription
        }
    }
}
