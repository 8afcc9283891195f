import Foundation
public import Nightlatch
import NightlatchPlatform

/// Runs the checks and remembers their states.
public actor CheckRunner {
    let system: DeviceSystem
    private let journal: JournalStore
    private var problems: [Assumption: String] = [:]
    private var startsWithoutItems = false

    public init(_ system: DeviceSystem) {
        self.system = system
        journal = JournalStore(store: system.adapters.store("journal", .whenUnlocked))
    }

    /// Looks at the marker files, and finishes the checks that waited for a new installation or a restored backup. Call
    /// it once at each start of the app.
    public func start() async -> Overview {
        let installation = system.installation
        let start = AppStart(
            isFirst: installation.isFirstStart(), hasUnbackedMarker: installation.hasUnbackedMarker())
        do throws(StoreError) {
            let found = try await journal.read()
            startsWithoutItems = start == .first && found == nil
            if let found { try await finish(after: start, found) }
        } catch {
            return await overview(problem: error.description)
        }
        // Written last, and in this order: after an error, the next start is of the same kind.
        if case .failure(let failure) = installation.writeUnbackedMarker() {
            return await overview(problem: "The marker file cannot be written: \(failure)")
        }
        if case .failure(let error) = await installation.endFirstStart() {
            return await overview(problem: "The marker file cannot be written: \(error)")
        }
        return await overview()
    }

    /// Runs all checks that need no user.
    public func runAll() async -> Overview {
        for assumption in Assumption.allCases where !assumption.isGuided { _ = await perform(.run, on: assumption) }
        return await overview()
    }

    /// Performs an action of the user on one check. An action that the check does not offer changes nothing.
    public func perform(_ action: CheckAction, on assumption: Assumption) async -> Overview {
        problems[assumption] = nil
        do throws(StoreError) {
            let (state, notes) = try await journal.read()?[assumption] ?? (.notRun, [:])
            guard state.actions(of: assumption, startsWithoutItems: startsWithoutItems).contains(action) else {
                return await overview()
            }
            let outcome = try await outcome(of: action, on: assumption, state, notes)
            try await record(outcome, of: assumption)
            if case .undecided(let problem) = outcome { problems[assumption] = problem }
        } catch {
            problems[assumption] = error.description
        }
        return await overview()
    }

    /// Returns the report of all checks.
    public func report() async throws(StoreError) -> DeviceReport {
        let journal = try await journal.read() ?? Journal()
        return DeviceReport(
            device: system.device, time: time,
            checks: Assumption.allCases.map { DeviceReport.Check($0, journal[$0].state) })
    }
}

extension CheckRunner {
    private var time: String { system.now().formatted(.iso8601) }

    private func overview(problem: String? = nil) async -> Overview {
        let (journal, unreadable): (Journal, String?)
        do throws(StoreError) {
            (journal, unreadable) = (try await self.journal.read() ?? Journal(), nil)
        } catch {
            (journal, unreadable) = (Journal(), error.description)
        }
        let rows = Assumption.allCases.map { assumption in
            let state = journal[assumption].state
            return CheckRow(
                assumption: assumption, state: state, problem: problems[assumption],
                actions: state.actions(of: assumption, startsWithoutItems: startsWithoutItems))
        }
        return Overview(rows: rows, problem: problem ?? unreadable)
    }

    private func record(_ outcome: CheckOutcome, of assumption: Assumption) async throws(StoreError) {
        let time = time
        try await journal.update { $0.record(outcome, of: assumption, at: time) }
    }

    /// Finishes the checks that waited for this kind of start.
    private func finish(after start: AppStart, _ journal: Journal) async throws(StoreError) {
        let checks = InstallationChecks(system: system)
        switch (start, journal[.reinstall].state, journal[.restore].state) {
        case (.first, .waiting(.removeApp), _): try await record(try await checks.afterRemoval(), of: .reinstall)
        // The restored journal is as old as the backup, so it still waits for the backup.
        case (.restored, _, .waiting(.makeBackup)), (.restored, _, .waiting(.restoreBackup)):
            try await record(try await checks.afterRestore(), of: .restore)
        default: break
        }
    }
}
