package import Logging
import Metrics
package import NightlatchRelyingParty
import NightlatchWire
import ServiceLifecycle

/// Exports the heads of the audit log: when the relying party starts, at every interval, and when it stops. A head that stands in the
/// file already is not written again. What could not be exported is, next time.
package actor AuditHeadExport<Store: RelyingPartyStore> {
    private let store: Store
    private let key: AuditKey
    private let file: AuditHeadFile
    private let recurrence: Recurrence
    private let clock: WallClock
    private let logger: Logger
    /// What the file says of each chain; nil as long as it was not read.
    private var exported: [AuditChainID: AuditHead]?
    private let exportedAt = Meter(label: MetricName.auditHeadsExported.rawValue)

    /// - Parameter recurrence: When heads are exported; nil for the schedule's own.
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

    /// Appends every head to the file that has moved since it was last exported.
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

    /// The furthest head of each chain in the file: not its last line, as others may write there too.
    private func readExported() throws -> [AuditChainID: AuditHead] {
        let contents: AuditHeadFile.Contents
        do {
            contents = try file.read(signedBy: key.publicKey)
        } catch .missing {
            return [:]
        }
        if !contents.refusedLines.isEmpty {
            logger.warning(
                "The file of audit heads has lines that are none",
                metadata: ["count": .stringConvertible(contents.refusedLines.count)])
        }
        return Dictionary(contents.heads.map { ($0.head.chain, $0.head) }) { $0.sequence < $1.sequence ? $1 : $0 }
    }

    private func exportOrLog() async {
        do {
            try await export()
        } catch {
            logger.error(
                "The heads of the audit log were not exported",
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
