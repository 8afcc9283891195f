import DeviceChecks
import Nightlatch
import NightlatchTesting
import Testing

@Suite("Device checks of the Keychain")
struct KeychainCheckTests {
    private var device = CheckedDevice()

    private func broken(_ fault: BrokenStore.Fault, at part: String) -> CheckedDevice {
        var device = device
        device.wrap = { account, store in
            account.hasPrefix(part) ? BrokenStore(base: store, fault: fault) : store
        }
        return device
    }

    /// A device whose two writers lose at least once against each other.
    private func meeting(at part: String) -> CheckedDevice {
        var device = device
        let meeting = Meeting()
        device.wrap = { account, store in
            account.hasPrefix(part) ? MeetingStore(base: store, meeting: meeting) : store
        }
        return device
    }

    @Test("Two writers that lose against each other, and lose no write, show compare-and-swap")
    func swap() async throws {
        let device = meeting(at: "tally.")
        let overview = await device.runner.perform(.run, on: .keychainSwap)
        #expect(overview.verdict(.keychainSwap) == .held)
        #expect(try #require(overview.facts(.keychainSwap)["conflicts"].flatMap { Int($0) }) > 0)
        #expect(device.device.keychain.items.map(\.account) == ["journal"])
    }

    @Test("A Keychain that accepts a write over an old revision does not hold")
    func oldRevision() async {
        let overview = await broken(.acceptsOldRevisions, at: "item.").runner.perform(.run, on: .keychainSwap)
        #expect(overview.verdict(.keychainSwap) == .didNotHold)
    }

    @Test("A write that is lost between two writers is found")
    func lostWrite() async {
        let overview = await broken(.drops(9), at: "tally.").runner.perform(.run, on: .keychainSwap)
        #expect(overview.verdict(.keychainSwap) == .didNotHold)
        #expect(overview.facts(.keychainSwap)["lost_at_write"] != nil)
    }

    @Test("Two processes that run the check at the same time show it for each")
    func processes() async {
        let device = meeting(at: "swap-of-processes")
        let (app, `extension`) = (device.runner, device.runner)
        async let first = app.perform(.run, on: .keychainProcesses)
        async let second = `extension`.perform(.run, on: .keychainProcesses)
        _ = await (first, second)
        // One of the two lost. The other one may not have lost, and says that the writers never met.
        #expect(await app.start().verdict(.keychainProcesses) == .held)
    }

    @Test("Without a second process, the check decides nothing and can run again")
    func noSecondProcess() async {
        let runner = device.runner
        for _ in 0..<2 {
            let row = await runner.perform(.run, on: .keychainProcesses).row(.keychainProcesses)
            #expect(row?.state == .notRun)
            #expect(row?.problem?.contains("No second process") == true)
        }
        #expect(device.device.keychain.items.map(\.account) == ["journal"])
    }

    @Test("Writes that find the item by its revision show the generic attribute")
    func genericAttribute() async {
        #expect(
            await device.runner.perform(.run, on: .keychainGenericAttribute).verdict(.keychainGenericAttribute) == .held
        )
    }

    @Test("A Keychain whose second write finds nothing does not hold")
    func secondWrite() async {
        let overview = await broken(.conflictsAtSecondWrite, at: "item.").runner
            .perform(.run, on: .keychainGenericAttribute)
        #expect(overview.verdict(.keychainGenericAttribute) == .didNotHold)
        #expect(overview.facts(.keychainGenericAttribute) == ["conflict_at_write": "3"])
    }

    @Test(
        "The largest size that was kept decides",
        arguments: [
            (limit: 2_000_000, verdict: Verdict.held, largest: "1048564"), (600_000, .held, "524288"),
            (524_287, .didNotHold, "262144"), (70_000, .didNotHold, "65536"),
        ])
    func size(limit: Int, verdict: Verdict, largest: String) async {
        let overview = await broken(.refuses(above: limit, .full), at: "item.").runner.perform(.run, on: .keychainSize)
        #expect(overview.verdict(.keychainSize) == verdict)
        #expect(overview.facts(.keychainSize)["largest_kept"] == largest)
    }

    @Test("An error for the smallest item, or another error than one of space, says nothing about sizes")
    func sizeError() async {
        for (limit, code) in [(0, StoreError.Code.full), (70_000, .unavailable)] {
            let row = await broken(.refuses(above: limit, code), at: "item.").runner
                .perform(.run, on: .keychainSize).row(.keychainSize)
            #expect(row?.state == .notRun)
            #expect(row?.problem?.contains("-25302") == true)
        }
    }

    @Test("A locked device decides nothing, and the next run does")
    func locked() async {
        let runner = device.runner
        _ = await runner.perform(.run, on: .keychainGenericAttribute)
        device.device.keychain.setLocked(true)
        let locked = await runner.runAll()
        #expect(locked.problem != nil)
        #expect(locked.rows.count == Assumption.allCases.count)
        device.device.keychain.setLocked(false)
        #expect(await runner.perform(.run, on: .keychainSize).verdict(.keychainSize) == .held)
    }
}
