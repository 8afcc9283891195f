package import Logging
import Metrics
package import NightlatchRelyingParty
import NightlatchWire
import ServiceLifecycle

/// Exports the heads of the audit log: at start, at every interval, and at stop.
///
/// A head that is already in the file is not written again. A failed export is repeated after the next interval.
package actor AuditHeadExport<Store: RelyingPartyStore> {
    private let store: Store
    private let key: AuditKey
    private let file: AuditHeadFile
    private let recurrence: Recurrence
    private let clock: WallClock
    private let logger: Logger
    /// The newest head of each chain in the file; nil until the file was read.
    private var exported: [AuditChainID: AuditHead]?
    private let exportedAt = Meter(label: MetricName.auditHeadsExported.rawValue)

    /// Creates the service. It exports nothing before it runs.
    ///
    /// - Parameter recurrence: When heads are exported; nil for the schedule's interval.
    package init(
        store: Store,
        key: AuditKey,
        schedule: AuditHeadSchedule,
        clock: WallClock,
        recurrence: Recurrence? = nil,
        logger: Logger
    ) {
        self.store = store
        self.key = key
        file = schedule.file
        self.recurrence = recurrence ?? Recurrence(every: schedule.interval)
        self.clock = clock
        self.logger = logger
        exportedAt.set(0)
    }

    /// Appends to the file every head that has changed since its last export.
    package func export() async throws {
        var exported = try exported ?? readExported()
        let moved = try await store.auditHeads().filter { exported[$0.chain] != $0 }
        if !moved.isEmpty {
            try file.append(moved.map { try key.sign($0, at: clock.now()) })
        }
        for head in moved { exported[head.chain] = head }
        self.exported = exported
        exportedAt.set(clock.now().secondsSince1970)
    }

    /// Returns the newest head of each chain in the file. The newest head is not always in the chain's last line, since
    /// other processes may write to the file.
    private func readExported() throws -> [AuditChainID: AuditHead] {
        let contents: AuditHeadFile.Contents
        do {
            contents = try file.read(signedBy: key.publicKey)
        } catch .missing {
            return [:]
        }
        if !contents.refusedLines.isEmpty {
            logger.warning(
                "The file of audit heads has invalid lines",
                metadata: ["count": .stringConvertible(contents.refusedLines.count)])
        }
        return Dictionary(contents.heads.map { ($0.head.chain, $0.head) }) { $0.sequence < $1.sequence ? $1 : $0 }
    }

    private func exportOrLog() async {
        do {
            try await export()
        } catch {
            logger.error(
                "Failed to export the audit log heads",
                metadata: ["reason": .string("\(error)"), "file": .string(file.path)])
        }
    }
}

extension AuditHeadExport: Service {
    package func run() async throws {
        await cancelWhenGracefulShutdown { [recurrence] in
            repeat { await self.exportOrLog() } while await recurrence.isDue()
        }
        await exportOrLog()
    }
}
