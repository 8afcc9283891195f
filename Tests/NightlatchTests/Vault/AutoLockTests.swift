import Nightlatch
import NightlatchTesting
import Testing

@Suite("Automatic locking")
struct AutoLockTests {
    private let clock = ManualClock()
    private let autoLock = AutoLock(unused: .seconds(300), inBackground: .seconds(60))

    @Test("The vault locks when it was not used for its time, and every use restarts the time")
    func unused() async throws {
        let open = try await open()
        for _ in 0..<3 {
            clock.advance(by: .seconds(299))
            _ = try await open.names()
        }
        clock.advance(by: .seconds(300))
        await #expect(throws: VaultError.locked) { try await open.names() }
        #expect(await open.isLocked)
    }

    @Test("In the background the vault locks after its own time, even if it is used")
    func inBackground() async throws {
        let open = try await open()
        await open.appDidEnterBackground()
        clock.advance(by: .seconds(59))
        _ = try await open.names()
        clock.advance(by: .seconds(1))
        #expect(await open.isLocked)
    }

    @Test("A return in time leaves the vault open, and a late return does not open it again")
    func foreground() async throws {
        let inTime = try await open()
        await inTime.appDidEnterBackground()
        clock.advance(by: .seconds(59))
        await inTime.appWillEnterForeground()
        clock.advance(by: .seconds(59))
        #expect(await !inTime.isLocked)
        let late = try await open()
        await late.appDidEnterBackground()
        clock.advance(by: .seconds(61))
        await late.appWillEnterForeground()
        #expect(await late.isLocked)
    }

    @Test("The vault wipes its key at the time, even without a call", .timeLimit(.minutes(10)))
    func unattended() async throws {
        let open = try await open()
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(300))
        while await open.holdsKey { await Task.yield() }
    }

    @Test("The timer of a vault does not keep it alive")
    func released() async throws {
        weak var released: OpenVault?
        do {
            let open = try await open()
            released = open
            while clock.sleeperCount == 0 { await Task.yield() }
        }
        while clock.sleeperCount > 0 { await Task.yield() }
        #expect(released == nil)
    }

    @Test("A background time of zero locks at once")
    func atOnce() async throws {
        let open = try await open(AutoLock(unused: .seconds(300), inBackground: .zero))
        await open.appDidEnterBackground()
        #expect(await open.isLocked)
    }

    private func open(_ autoLock: AutoLock? = nil) async throws -> OpenVault {
        try await Vault.forTests(MemoryStore(), clock: clock, autoLock: autoLock ?? self.autoLock).create(TestPin.right)
    }
}
