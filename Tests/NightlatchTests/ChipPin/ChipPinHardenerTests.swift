import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("A PIN hardener in a chip")
struct ChipPinHardenerTests {
    private let chip = MemoryPinChip()
    private let store = MemoryStore()
    private let right = Array(repeating: UInt8(1), count: 40)
    private let wrong = Array(repeating: UInt8(2), count: 40)

    private var hardener: ChipPinHardener { ChipPinHardener(name: "vault", chip: chip, store: store) }

    private func device() throws -> HardenedDevice { try #require(hardener.ownDevice) }

    private var opener: PinEpochOpener { PinEpochOpener(key: KnowledgeKey.random()) }

    private func open() async throws -> HardenedEpoch { try await hardener.open(try device(), by: opener) }

    @discardableResult
    private func harden(_ input: [UInt8], _ epoch: HardenedEpoch) async throws -> HardenedPin {
        try await hardener.harden(SecretBytes(copying: input), for: epoch, in: nil)
    }

    /// An epoch that was hardened with the right input and promoted.
    private func current() async throws -> HardenedEpoch {
        let epoch = try await open()
        try await promote(epoch, try await harden(right, epoch))
        return epoch
    }

    private func promote(_ epoch: HardenedEpoch, _ pin: HardenedPin) async throws {
        _ = try await hardener.promote(epoch, guess: pin.guess, knowledgeKey: .random(), by: opener)
    }

    private func isPassed(_ body: () async throws -> Void) async -> PinStanding? {
        do {
            try await body()
            return nil
        } catch {
            guard case .epochPassed(let standing) = error as? PinHardenerError else { return nil }
            return standing
        }
    }

    @Test("The hardener passes every hardener conformance check", arguments: PinHardenerConformance.allCases)
    func conformance(promise: PinHardenerConformance) async throws {
        try await promise.check(
            HardenedTestDevice(
                try device(), key: KnowledgeKey.random(),
                makeHardener: { [chip, store] in ChipPinHardener(name: "vault", chip: chip, store: store) }))
    }

    @Test("The same input gives the same key in one epoch and another key in the next; no input is kept")
    func same() async throws {
        let epoch = try await open()
        let first = try await harden(right, epoch)
        #expect(try await harden(right, epoch).key == first.key)
        try await promote(epoch, first)
        #expect(try await harden(right, epoch).key == first.key)
        #expect(first.triesLeft == nil && first.charged.ids == [first.guess.id])
        let next = try await open()
        #expect(try await harden(right, next).key != first.key)
        // One key was sealed for each epoch, however often a caller asked.
        #expect(chip.state.withLock { $0.sealCount } == 2)
    }

    @Test("The chip counts a wrong input, which always gives the same useless key")
    func refused() async throws {
        let epoch = try await current()
        let good = try await harden(right, epoch)
        let bad = try await harden(wrong, epoch)
        #expect(bad.key != good.key && bad.wait == nil)
        #expect(try await harden(wrong, epoch).key == bad.key)
        #expect(chip.state.withLock { $0.wrongCount } == 2)
        // Another epoch gives another key.
        let next = try await open()
        try await harden(right, next)
        #expect(try await harden(wrong, next).key != bad.key)
    }

    @Test("The wrong input that locks the chip reports the wait; then no input is tested, not even the right one")
    func lockout() async throws {
        let epoch = try await current()
        for _ in 0..<4 { try await harden(wrong, epoch) }
        #expect(try await harden(wrong, epoch).wait == .seconds(1000))
        await #expect(throws: PinHardenerError.lockedOut(wait: .seconds(1000))) { try await harden(right, epoch) }
        chip.state.withLock { $0.lockedFor = nil }
        await #expect(throws: PinHardenerError.lockedOut(wait: nil)) { try await harden(right, epoch) }
    }

    @Test("An epoch becomes current once and ends the previous one; each verb can be repeated")
    func epochs() async throws {
        let first = try await current()
        let second = try await open()
        #expect(await isPassed { try await promote(second, try await harden(right, first)) }?.epoch == first.epoch)
        let guess = try await harden(wrong, second)
        for _ in 0..<2 { try await promote(second, guess) }
        #expect(await isPassed { try await harden(right, first) }?.epoch == second.epoch)
        #expect(await isPassed { try await promote(first, guess) }?.epoch == second.epoch)
        let device = try device()
        #expect(await isPassed { try await hardener.abandon(second.epoch, of: device, by: opener) } != nil)
        #expect(await isPassed { try await hardener.abandon(second.epoch.next, of: device, by: opener) } != nil)
        let third = try await open()
        try await harden(right, third)
        for _ in 0..<2 { try await hardener.abandon(third.epoch, of: device, by: opener) }
        #expect(await isPassed { try await promote(third, guess) }?.candidate == nil)
        // A number is never used twice.
        #expect(try await open().epoch == third.epoch.next)
        #expect(try await hardener.standing(of: device).epoch == second.epoch)
        #expect(try await harden(wrong, second).key == guess.key)
    }

    @Test("A hardened candidate stays while no epoch is current; one that was replaced before does not")
    func kept() async throws {
        let first = try await open()
        let key = try await harden(right, first).key
        let second = try await open()
        #expect(try await harden(right, first).key == key)
        let third = try await open()
        #expect(await isPassed { try await harden(right, second) }?.candidate == third.epoch)
        #expect(try await harden(right, first).key == key)
        try await promote(third, try await harden(right, third))
        #expect(await isPassed { try await harden(right, first) } != nil)
    }

    @Test("The hardener refuses other devices, bindings and names, and an epoch of a lost record")
    func elsewhere() async throws {
        let epoch = try await current()
        let other = ChipPinHardener(name: "other", chip: chip, store: store)
        await #expect(throws: PinHardenerError.elsewhere(epoch.device)) {
            _ = try await other.harden(SecretBytes(copying: right), for: epoch, in: nil)
        }
        await #expect(throws: PinHardenerError.elsewhere(epoch.device)) {
            _ = try await other.standing(of: epoch.device)
        }
        try await hardener.remove()
        #expect(await isPassed { try await harden(right, epoch) } == PinStanding.ofNone)
        // With the same number it is another epoch.
        let again = try await current()
        #expect(again.epoch == epoch.epoch)
        #expect(await isPassed { try await harden(right, epoch) } != nil)
        // A secret that was sealed under one name opens under no other, at the same chip.
        let sealed = try await chip.seal(SecretBytes(copying: [1]), under: SecretBytes(copying: right), for: "one")
        await #expect(throws: MemoryPinChip.Failure.self) {
            _ = try await chip.open(sealed, with: SecretBytes(copying: right), for: "two").byteCount
        }
    }

    @Test("A chip that returns another secret than it sealed gives no key")
    func forgetful() async throws {
        chip.state.withLock { $0.isForgetful = true }
        let epoch = try await open()
        await #expect(throws: PinHardenerError.notGenuine) { try await harden(right, epoch) }
    }

    @Test(
        "A damaged, newer or unavailable record has its own error",
        arguments: [
            ("", PinChipError.corrupt), ("{}", .corrupt), (#"{"format":1,"revision":1}"#, .corrupt),
            (#"{"format":1,"next_epoch":1,"revision":2}"#, .corrupt),
            (#"{"candidate":{"name":"AA","number":1},"format":1,"next_epoch":2,"revision":1}"#, .corrupt),
            (#"{"format":2,"revision":1}"#, .newerFormat),
        ])
    func damaged(text: String, error: PinChipError) async throws {
        let device = try device()
        store.plant(StoredRecord(revision: 1, bytes: Array(text.utf8)))
        await #expect(throws: PinHardenerError.chip(error)) { _ = try await hardener.standing(of: device) }
        await #expect(throws: PinHardenerError.chip(error)) { _ = try await open() }
        let broken = FaultyStore(MemoryStore())
        broken.fail(at: 0, .before)
        await #expect(throws: PinHardenerError.store(StoreError(.unavailable))) {
            _ = try await ChipPinHardener(name: "vault", chip: chip, store: broken).standing(of: device)
        }
    }

    @Test("A device is encoded with its account or without one; half of an account is refused")
    func written() async throws {
        let chip = try device()
        let bound = HardenedDevice(try #require(try await TestPhone.bound().open.deviceBinding()))
        for device in [chip, bound] {
            let text = StrictJSON.encode(device)
            #expect(try StrictJSON.decode(HardenedDevice.self, from: Array(text)) == device)
        }
        #expect(StrictJSON.encode(chip).count < 60)
        #expect(throws: StrictJSONError.self) {
            let text = #"{"device":"\#(chip.device.rawValue)","issuer":"https://bank.example"}"#
            _ = try StrictJSON.decode(HardenedDevice.self, from: Array(text.utf8))
        }
    }

    @Test("An epoch without a sealed key, or with a number that was never used, is corrupt")
    func planted() async throws {
        let name = Base64URL.encode([2] + [UInt8](repeating: 7, count: 48))
        let sealed = #""sealed":"AAAA""#
        let device = try device()
        func reads(_ members: String, next: Int) async throws -> Bool {
            let text = #"{\#(members),"format":1,"next_epoch":\#(next),"revision":1}"#
            store.plant(StoredRecord(revision: 1, bytes: Array(text.utf8)))
            do {
                _ = try await hardener.standing(of: device)
                return true
            } catch PinHardenerError.chip(.corrupt) {
                return false
            }
        }
        #expect(try await reads(#""current":{"name":"\#(name)","number":1,\#(sealed)}"#, next: 2))
        #expect(try await !reads(#""current":{"name":"\#(name)","number":1}"#, next: 2))
        #expect(try await !reads(#""current":{"name":"\#(name)","number":1,\#(sealed)}"#, next: 1))
        #expect(try await !reads(#""candidate":{"name":"\#(name)","number":3}"#, next: 2))
    }
}

extension PinStanding {
    /// The standing of a hardener that has opened no epoch.
    fileprivate static let ofNone = PinStanding(
        epoch: nil, candidate: nil, nextEpoch: .first, window: .first, triesLeft: PinGuessIDs.countLimit,
        isCodeRequired: false, issuedAt: NumericDate(secondsSince1970: 0))
}
