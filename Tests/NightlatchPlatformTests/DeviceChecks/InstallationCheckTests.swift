import DeviceChecks
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Device checks of removal and backup")
struct InstallationCheckTests {
    private let device = CheckedDevice()

    @Test("The first start after a removal finds the items, and the check holds")
    func reinstall() async {
        _ = await device.runner.start()
        let before = await device.runner.perform(.run, on: .reinstall)
        #expect(before.row(.reinstall)?.state == .waiting(.removeApp))
        // A start of the same installation says nothing.
        #expect(await device.runner.start().row(.reinstall)?.state == .waiting(.removeApp))
        device.removeApp()
        let after = await device.runner.start()
        #expect(after.verdict(.reinstall) == .held)
        #expect(after.facts(.reinstall) == ["item": "1", "item_with_passcode": "1"])
    }

    @Test("If the items are gone with the app, the user says so at the first start")
    func itemsAreGone() async {
        _ = await device.runner.start()
        _ = await device.runner.perform(.run, on: .reinstall)
        device.removeApp()
        device.device.keychain.plant { $0 = [] }
        let runner = device.runner
        #expect(await runner.start().row(.reinstall)?.actions == [.run, .itemsAreGone])
        #expect(await runner.perform(.itemsAreGone, on: .reinstall).verdict(.reinstall) == .didNotHold)
        // A later start is not the first one any more.
        #expect(await device.runner.start().row(.reinstall)?.actions == [.run])
    }

    @Test("Where files outlive the app, a removal cannot be shown")
    func files() async {
        device.state.withLock { $0.filesOutliveApp = true }
        #expect(await device.runner.perform(.run, on: .reinstall).verdict(.reinstall) == .notPossible)
    }

    @Test("A restored backup brings the old item back and not the one that needs a passcode")
    func restore() async {
        _ = await device.runner.start()
        #expect(await device.runner.perform(.run, on: .restore).row(.restore)?.state == .waiting(.makeBackup))
        let restore = device.backUp()
        let written = await device.runner.perform(.proceed, on: .restore)
        #expect(written.row(.restore)?.state == .waiting(.restoreBackup))
        #expect(await device.runner.start().row(.restore)?.state == .waiting(.restoreBackup))
        restore()
        let after = await device.runner.start()
        #expect(after.verdict(.restore) == .held)
        #expect(after.facts(.restore) == ["item": "1", "item_with_passcode": "none"])
    }

    @Test("An item that needs a passcode and comes back, or an item that is not the old one, does not hold")
    func unexpectedItems() async {
        _ = await device.runner.start()
        _ = await device.runner.perform(.run, on: .restore)
        // Nothing was restored but files.
        device.state.withLock { $0.hasUnbackedMarker = false }
        let same = await device.runner.start()
        #expect(same.verdict(.restore) == .didNotHold)
        #expect(same.facts(.restore)["item_with_passcode"] == "1")

        _ = await device.runner.perform(.run, on: .restore)
        _ = await device.runner.perform(.proceed, on: .restore)
        device.state.withLock { $0.hasUnbackedMarker = false }
        #expect(await device.runner.start().facts(.restore)["item"] == "2")
    }

    @Test("A restored backup is not taken for a removal, nor a removal for a restored backup")
    func kinds() async {
        _ = await device.runner.start()
        _ = await device.runner.perform(.run, on: .reinstall)
        device.state.withLock { $0.hasUnbackedMarker = false }
        #expect(await device.runner.start().row(.reinstall)?.state == .waiting(.removeApp))

        _ = await device.runner.perform(.run, on: .restore)
        device.removeApp()
        #expect(await device.runner.start().row(.restore)?.state == .waiting(.makeBackup))
    }

    @Test("Without a passcode, a restored backup cannot be shown")
    func noPasscode() async {
        device.device.keychain.removePasscode()
        #expect(await device.runner.perform(.run, on: .restore).verdict(.restore) == .notPossible)
    }

    @Test("After an error at the first start, the next start is the first one again, and not a restored backup")
    func failedFirstStart() async {
        var device = device
        let journal = FaultyStore(MemoryStore())
        device.wrap = { account, store in
            account == "journal" ? FaultyStore(store, failingWith: journal) : store
        }
        _ = await device.runner.start()
        _ = await device.runner.perform(.run, on: .reinstall)
        _ = await device.runner.perform(.run, on: .restore)
        device.removeApp()
        journal.fail(at: 0, .before)
        #expect(await device.runner.start().problem != nil)
        journal.repair()
        let next = await device.runner.start()
        #expect(next.verdict(.reinstall) == .held)
        #expect(next.row(.restore)?.state == .waiting(.makeBackup))
    }

    @Test("A marker file that cannot be written decides nothing")
    func unwritableMarker() async {
        _ = await device.runner.start()
        _ = await device.runner.perform(.run, on: .reinstall)
        device.state.withLock { $0.markerFailure = StoreError(.unavailable) }
        let overview = await device.runner.start()
        #expect(overview.problem != nil)
        #expect(overview.row(.reinstall)?.state == .waiting(.removeApp))
    }
}
