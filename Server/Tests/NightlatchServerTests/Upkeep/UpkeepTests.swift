import Foundation
import GRDB
import Logging
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import ServiceLifecycle
import Synchronization
import Testing

@Suite("Scheduled tasks of a relying party", .timeLimit(.minutes(5)))
struct UpkeepTests {
    private let time = SteppedClock()
    private let lines = KeptLog.Lines()
    private var logger: Logger { Logger(label: "test") { [lines] _ in KeptLog(lines) } }

    /// Calls `body` while a service runs.
    private func with(_ service: some Service, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            try await body()
            group.cancelAll()
        }
    }

    private func purge(
        _ store: some RelyingPartyStore,
        clock: WallClock = TestTime.clock,
        horizon: PurgeHorizon = PurgeHorizon(brief: .zero, lasting: .zero)
    ) async throws -> some Service {
        let issuer = try #require(Issuer(rawValue: "https://login.example"))
        let keys = try await TokenKeys(
            relyingParty: issuer,
            schedule: SigningKeySchedule(accessTokenLife: .seconds(300), signingKeyLife: nil),
            store: MemoryRelyingPartyStore(clock: TestTime.clock), keyring: .random(), now: TestTime.current)
        return PurgeService(
            store: store, guessLimit: .default, keys: keys,
            timing: PurgeTiming(
                clock: clock, uptime: { [time] in time.now.offset }, horizon: horizon,
                recurrence: Recurrence(every: .seconds(60), by: time)),
            logger: logger)
    }

    @Test("Expired data is deleted at the start and every minute")
    func purge() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let rows = try DatabaseQueue(path: path)
            func count() async throws -> Int? {
                try await rows.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM used_challenge") }
            }
            func addExpired() async throws {
                try await rows.write { database in
                    try database.execute(
                        sql: """
                            INSERT INTO used_challenge (challenge, message_hash, device_id, expires_at)
                                VALUES ('old', zeroblob(32), 'nobody', 1700000000)
                            """)
                }
            }
            try await addExpired()
            try await with(purge(store)) {
                for _ in 0..<3 {
                    try await time.pass(.seconds(59))
                    #expect(try await count() == 0)
                    try await addExpired()
                    try await time.pass(.zero)
                    #expect(try await count() == 1)
                    try await time.pass(.seconds(1))
                }
            }
            try rows.close()
            try store.close()
        }
    }

    @Test("Names of an older version are folded and events are counted at the start")
    func lists() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            _ = try await store.logIn(device, id: id, user: alice)
            let rows = try DatabaseQueue(path: path)
            try await rows.write { try $0.execute(sql: "UPDATE device SET name = 'Ärger'") }
            try rows.close()
            func found() async throws -> [DeviceID] {
                let filter = DeviceFilter(name: SearchText("ä"))
                return try await store.devices(matching: filter, after: nil, limit: 9).map(\.row.id)
            }
            #expect(try await found().isEmpty)
            try await TestTime.after(.seconds(600)) { () async throws in
                try await with(purge(store)) { try await time.pass(.zero) }
            }
            #expect(try await found() == [id])
            let figures = try await store.eventFigures()
            #expect(figures.total(of: .loggedIn).lastDay == 1)
            try store.close()
        }
    }

    @Test(
        "If a clock goes an hour ahead during a purge and back again, no used login is accepted again",
        arguments: [true, false])
    func clockAhead(isRunning: Bool) async throws {
        try await TemporaryFolder.with { folder in
            let shift = ClockShift()
            let clock = WallClock { [time] in TestTime.start + time.now.offset + shift.duration }
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: clock)
            let horizon = PurgeHorizon(try configuration())
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            func logIn(_ use: ChallengeUse) async throws -> LoginOutcome {
                try await store.recordLogin(device.login(id: id, user: alice), consuming: use)
            }
            func makeUse() -> ChallengeUse {
                ChallengeUse(challenge: .random(), message: Fixture.hash(), expiresAt: clock.now() + .seconds(120))
            }
            if isRunning {
                try await with(purge(store, clock: clock, horizon: horizon)) {
                    for _ in 0..<20 { try await time.pass(.seconds(60)) }
                    let use = makeUse()
                    #expect(try await logIn(use) == .loggedIn)
                    shift.duration = .seconds(3600)
                    try await time.pass(.seconds(60))
                    try await time.pass(.zero)
                    shift.duration = .zero
                    #expect(try await logIn(use) == .challengeUsed)
                }
            } else {
                let use = makeUse()
                #expect(try await logIn(use) == .loggedIn)
                shift.duration = .seconds(3600)
                try await with(purge(store, clock: clock, horizon: horizon)) { try await time.pass(.zero) }
                shift.duration = .zero
                #expect(try await logIn(use) == .challengeUsed)
            }
            try store.close()
        }
    }

    private func configuration() throws -> RelyingPartyConfiguration {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.journeys = try JourneyConfiguration(Data(#"{"applicationIds": ["com.example.app"]}"#.utf8))
        return configuration
    }

    /// How far a wall clock is ahead.
    private final class ClockShift: Sendable {
        private let shift = Mutex(Duration.zero)

        var duration: Duration {
            get { shift.withLock(\.self) }
            set { shift.withLock { $0 = newValue } }
        }
    }

    @Test(
        """
        A clock that jumps ahead is trusted after a quarter of an hour, or after nine hours for longer-lived data; a \
        clock that is set back is trusted at once
        """)
    func horizon() throws {
        var horizon = PurgeHorizon(try configuration())
        /// Returns how far ahead of the steady clock the purge times are.
        func look(minute: Int, ahead: Int = 0) -> [Duration?] {
            let now = TestTime.start + .seconds(60 * minute)
            let times = horizon.times(clock: now + .seconds(ahead), uptime: .seconds(60 * minute))
            return [times.brief, times.lasting].map { time in time.map { $0 - now } }
        }
        let hour = Duration.seconds(3600)
        for minute in 0..<15 { #expect(look(minute: minute) == [nil, nil], "\(minute)") }
        for minute in 15..<540 { #expect(look(minute: minute) == [.zero, nil], "\(minute)") }
        #expect(look(minute: 540) == [.zero, .zero])
        for minute in 541..<556 { #expect(look(minute: minute, ahead: 3600) == [.zero, .zero], "\(minute)") }
        for minute in 556..<1081 { #expect(look(minute: minute, ahead: 3600) == [hour, .zero], "\(minute)") }
        #expect(look(minute: 1081, ahead: 3600) == [hour, hour])
        #expect(look(minute: 1082, ahead: -3600) == [.zero - hour, .zero - hour])
    }

    @Test(
        """
        If a clock is a day ahead for an hour and then corrected, no journey message is accepted again, and no \
        signed-out console session revives
        """)
    func clockLongAhead() async throws {
        try await TemporaryFolder.with { folder in
            let shift = ClockShift()
            let clock = WallClock { [time] in TestTime.start + time.now.offset + shift.duration }
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: clock)
            let horizon = PurgeHorizon(try configuration())
            try await with(purge(store, clock: clock, horizon: horizon)) {
                for _ in 0..<20 { try await time.pass(.seconds(60)) }
                let session = ConsoleSession(startedAt: clock.now())
                try await store.endConsoleSession(session.id, expiresAt: session.endsAt)
                let use = JourneyMessageUse(message: Fixture.hash(), expiresAt: clock.now() + .seconds(3600))
                #expect(try await store.recordJourneyStep(JourneyStep(use: nil, messages: [use])) == .recorded)
                shift.duration = .seconds(24 * 3600)
                for _ in 0..<50 { try await time.pass(.seconds(60)) }
                try await time.pass(.zero)
                shift.duration = .zero
                #expect(try await store.isConsoleSessionEnded(session.id))
                #expect(try await store.recordJourneyStep(JourneyStep(use: nil, messages: [use])) == .messageUsed)
            }
            try store.close()
        }
    }

    @Test(
        """
        Expiry times are limited from the latest time of the last quarter of an hour, so a clock that is behind for \
        less ends nothing, and a new process limits nothing
        """)
    func limit() throws {
        var horizon = PurgeHorizon(try configuration())
        /// Returns how far ahead of the steady clock the start of the limited lives is.
        func look(minute: Int, ahead: Int = 0) -> Duration? {
            let now = TestTime.start + .seconds(60 * minute)
            let times = horizon.times(clock: now + .seconds(ahead), uptime: .seconds(60 * minute))
            return times.limit.map { $0.latest - now }
        }
        let hour = Duration.seconds(3600)
        for minute in 0..<15 { #expect(look(minute: minute) == nil, "\(minute)") }
        for minute in 15..<30 { #expect(look(minute: minute) == .zero, "\(minute)") }
        for minute in 30..<45 { #expect(look(minute: minute, ahead: -3600) == .zero, "\(minute)") }
        #expect(look(minute: 45, ahead: -3600) == .zero - hour)
        #expect(look(minute: 46, ahead: 3600) == hour)
        for minute in 47..<62 { #expect(look(minute: minute) == hour, "\(minute)") }
        #expect(look(minute: 62) == .zero)
        let limit = horizon.times(clock: TestTime.start, uptime: .seconds(60 * 63)).limit
        #expect(limit?.enrolmentCodeLife == .seconds(600) && limit?.journeySessionLife == .seconds(8 * 3600))
    }

    @Test("A code made while the clock was a month ahead has expired half an hour after the clock was corrected")
    func codeOfTheFuture() async throws {
        try await TemporaryFolder.with { folder in
            let shift = ClockShift()
            let clock = WallClock { [time] in TestTime.start + time.now.offset + shift.duration }
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: clock)
            let horizon = PurgeHorizon(try configuration())
            try await with(purge(store, clock: clock, horizon: horizon)) {
                shift.duration = .seconds(30 * 24 * 3600)
                let alice = try Fixture.alice()
                let code = try await store.newCode(for: alice)
                func isUsable() async throws -> Bool {
                    try await store.user(enrolledBy: code, deviceKey: TestDevice().key.id) == alice
                }
                shift.duration = .zero
                for _ in 0..<15 { try await time.pass(.seconds(60)) }
                #expect(try await isUsable())
                for _ in 0..<15 { try await time.pass(.seconds(60)) }
                try await time.pass(.zero)
                let isStillUsable = try await isUsable()
                #expect(!isStillUsable)
            }
            try store.close()
        }
    }

    @Test("A clock that is set by more than a minute is logged once, and a smaller correction is not")
    func clockSet() async throws {
        let shift = ClockShift()
        let clock = WallClock { [time] in TestTime.start + time.now.offset + shift.duration }
        try await with(purge(MemoryRelyingPartyStore(clock: clock), clock: clock)) {
            for seconds in [0, 60, 3660, 3660, 0] {
                shift.duration = .seconds(seconds)
                try await time.pass(.seconds(60))
            }
            try await time.pass(.zero)
        }
        let told = lines.all.filter { $0.hasPrefix("warning The clock was set") }
        #expect(
            told == ["warning The clock was set seconds=3600", "warning The clock was set seconds=-3660"], "\(told)")
    }

    @Test("An unavailable store is logged, and the purge is tried again a minute later")
    func unavailable() async throws {
        let store = BrokenStore(
            reading: MemoryRelyingPartyStore(clock: TestTime.clock), failure: RelyingPartyStoreError(.unavailable))
        try await with(purge(store)) {
            for round in 1...3 {
                try await time.pass(.seconds(59))
                #expect(lines.all.filter { $0.hasPrefix("error Failed to purge the store reason=") }.count == round)
                #expect(lines.all.filter { $0.hasPrefix("error Failed to destroy due two-party PINs") }.count == round)
                try await time.pass(.seconds(1))
            }
        }
    }

    @Test("Heads of the audit log are exported at the start, at every interval and at the end")
    func heads() async throws {
        try await TemporaryFolder.with { folder in
            let (store, key) = (MemoryRelyingPartyStore(clock: TestTime.clock), AuditKey(masterKey: .random()))
            let schedule = AuditHeadSchedule(file: AuditHeadFile(path: folder + "/heads"))
            let export = AuditHeadExport(
                store: store, key: key, schedule: schedule, clock: TestTime.clock,
                recurrence: Recurrence(every: schedule.interval, by: time), logger: logger)
            func exported() throws -> [Int] {
                try schedule.file.read(signedBy: key.publicKey).heads.map(\.head.sequence)
            }
            func write() async throws { try await store.audit(AuditEvent(.signingKeysForgotten, by: .operator)) }
            try await write()
            try await with(export) {
                try await time.pass(schedule.interval - .seconds(1))
                #expect(try exported() == [1])
                try await write()
                try await time.pass(.zero)
                #expect(try exported() == [1])
                try await time.pass(.seconds(1))
                try await time.pass(.zero)
                #expect(try exported() == [1, 2])
                try await write()
            }
            #expect(try exported() == [1, 2, 3])
        }
    }

    @Test("Refusals are recorded every minute and at the end")
    func refusals() async throws {
        let (store, tally) = (MemoryRelyingPartyStore(clock: TestTime.clock), RefusalTally())
        let audit = RefusalAudit(
            tally: tally, store: store, recurrence: Recurrence(every: .seconds(60), by: time), logger: logger)
        func written() async throws -> [Int?] {
            try await store.auditEntries(of: nil, before: nil, limit: 10).map(\.event.count)
        }
        try await with(audit) {
            tally.add(2, of: .credentialsRefused)
            try await time.pass(.seconds(59))
            #expect(try await written().isEmpty)
            try await time.pass(.seconds(1))
            try await time.pass(.zero)
            #expect(try await written() == [2])
            tally.add(3, of: .credentialsRefused)
        }
        #expect(try await written().compactMap(\.self).sorted() == [2, 3])
    }
}
