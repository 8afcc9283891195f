import Foundation
package import Logging
package import NightlatchRelyingParty
import NightlatchWire
import ServiceLifecycle

/// Reports every five seconds, or fifteen with only one master key, that this process runs and which master keys it
/// knows, and learns under which of them to seal.
///
/// A rotation of the master key waits for these reports. Requests do not read them.
package actor MasterKeyWatch<Store: RelyingPartyStore> {
    private let store: Store
    private let keyring: MasterKeyring
    private let recurrence: Recurrence
    private let logger: Logger
    private let id = RunningProcessID.random()
    /// The key that seals and that this process does not know, if it was logged.
    private var unknown: MasterKeyID?

    package init(
        store: Store, keyring: MasterKeyring, recurrence: Recurrence? = nil, logger: Logger
    ) {
        self.store = store
        self.keyring = keyring
        // A process with one key cannot follow a switch, so it only has to be seen.
        self.recurrence = recurrence ?? Recurrence(every: .seconds(keyring.keys.count == 1 ? 15 : 5))
        self.logger = logger
    }

    /// Reports the process before it serves requests.
    ///
    /// - Throws: ``RelyingPartyStartError`` `masterKeyDoesNotFit` if the master key was replaced since it was read.
    package func begin() async throws(RelyingPartyStartError) {
        let isFit: Bool
        do {
            isFit = try await report()
        } catch {
            throw .store(error)
        }
        guard isFit else { throw .masterKeyDoesNotFit }
    }

    /// Reports the process, and seals under the key that the store names. After a change it reports again, so that the
    /// rotation need not wait for the next report.
    ///
    /// - Returns: False if the process does not know the key that seals.
    package func report() async throws(RelyingPartyStoreError) -> Bool {
        // Ends: the second report names the key that the first one has returned, unless it changes in between.
        for _ in 0..<2 {
            let sealing = keyring.sealing.id
            let state = try await store.report(
                RunningProcess(
                    id: id, name: "\(ProcessInfo.processInfo.hostName) \(ProcessInfo.processInfo.processIdentifier)",
                    keys: Set(keyring.ids), sealing: sealing))
            guard let state else { return true }
            // A process believes a change only if the kept secrets open under the key that the store names.
            if state.sealing != sealing, let key = keyring.key(state.sealing),
                KeptSecrets(box: state.keptSecrets, under: key) == nil
            {
                logger.error("The record of the master key is damaged, and was ignored")
                return true
            }
            guard keyring.adopt(state.sealing) else {
                if unknown != state.sealing {
                    logger.error(
                        "The master key was replaced by one that this process does not know. Restart it with that key",
                        metadata: ["key": .string(state.sealing.rawValue)])
                }
                unknown = state.sealing
                return false
            }
            unknown = nil
            guard state.sealing != sealing else { return true }
            logger.warning(
                "New values are sealed under another master key",
                metadata: ["key": .string(state.sealing.rawValue)])
        }
        return true
    }

    private func reportOrLog() async {
        do {
            _ = try await report()
        } catch {
            logger.error("Failed to report this process", metadata: ["reason": .string("\(error)")])
        }
    }
}

extension MasterKeyWatch: Service {
    package func run() async throws {
        await cancelWhenGracefulShutdown { [recurrence] in
            while await recurrence.isDue() { await self.reportOrLog() }
        }
        do {
            try await store.endProcess(id)
        } catch {
            // The report becomes old by itself.
            logger.error("Failed to report the end of this process", metadata: ["reason": .string("\(error)")])
        }
    }
}
