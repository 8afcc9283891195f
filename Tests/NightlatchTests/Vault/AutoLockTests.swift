import Nightlatch
import NightlatchTesting
import Testing

@Suite("Vault that locks by itself")
struct AutoLockTests {
    private let clock = ManualClock()
    private let autoLock = AutoLock(unused: .seconds(300), inBackground: .seconds(60))

    @Test("It locks when it was not used for its time, and every use begins the time anew")
    func unused() async throws {
        let open = try await open()
        for _ in 0..<3 {
            clock.advance(by: .seconds(299))
            _ = try await open.names()
        }
        clock.advance(by: .seconds(300))
        await #expect(throws: OpenVaultError.locked) { try await open.names() }
        #expect(await open.isLocked)
    }

    @Test("In the background it locks after its own time, however it is used there")
    func inBackground() async throws {
        let open = try await open()
        await open.appDidEnterBackground()
        clock.advance(by: .seconds(59))
        _ = try await open.names()
        clock.advance(by: .seconds(1))
        #expect(await open.isLocked)
    }

    @Test("Coming back in time leaves it open, coming back too late does not open it again")
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

    @Test("It wipes its key when the time has come, though nobody asks it for anything", .timeLimit(.minutes(10)))
    func unattended() async throws {
        let open = try await open()
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(300))
        while await open.holdsKey { await Task.yield() }
    }

    @Test("What keeps time for a vault does not keep it alive")
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

    @Test("Zero in the background locks at once")
    func atOnce() async throws {
        let open = try await open(AutoLock(unused: .seconds(300), inBackground: .zero))
        await open.appDidEnterBackground()
        #expect(await open.isLocked)
    }

    private func open(_ autoLock: AutoLock? = nil) async throws -> OpenVault {
        try await Vault.forTests(MemoryStore(), clock: clock, autoLock: autoLock ?? self.autoLock).create(TestPin.right)
    }
}
