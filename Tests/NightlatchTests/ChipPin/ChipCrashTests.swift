import Nightlatch
import NightlatchTesting
import Testing

/// The device crashes at any call of the vault's store or of the chip's record; then it starts again.
@Suite("Crash matrix of a vault in a chip")
struct ChipCrashTests {
    enum Operation: CaseIterable {
        case create, migrate, unlock, wrong, change, setPin, recover

        /// The PINs that may open the vault afterwards. Exactly one of them must.
        var possiblePins: Set<String> {
            switch self {
            case .change, .recover: [TestPin.right, TestPin.new]
            case .setPin: [TestPin.new]
            case .create, .migrate, .unlock, .wrong: [TestPin.right]
            }
        }
    }

    @Test(
        "After a crash at any write exactly one PIN opens the same secrets, no count decreases, and the vault works",
        arguments: Operation.allCases)
    func crashes(_ operation: Operation) async throws {
        let rehearsal = try await phone(operation)
        try await run(operation, rehearsal)
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            guard point.fault != .torn else { return }
            let phone = try await phone(operation)
            phone.store.fail(at: point.call, point.fault)
            _ = try? await run(operation, phone)
            phone.store.repair()
            try await check(phone, operation, "\(operation), crash \(point)")
        }
        print("crash matrix of a vault in a chip: \(operation): \(points) points")
    }

    /// - Parameter wasErased: Whether an earlier vault was erased before the operation.
    private func phone(_ operation: Operation, wasErased: Bool = false) async throws -> ChipPhone {
        if operation == .create, !wasErased { return ChipPhone() }
        let phone = try await ChipPhone.made(inChip: operation != .migrate)
        phone.chip.state.withLock { $0.limit = 100 }
        if wasErased {
            try await phone.vault().erase()
            phone.store.repair()
            return phone
        }
        if operation == .setPin {
            _ = try await phone.vault().giveUpPin()
        } else {
            await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        }
        phone.store.repair()
        return phone
    }

    private func run(_ operation: Operation, _ phone: ChipPhone) async throws {
        switch operation {
        case .create: try await phone.vault().create(TestPin.right)
        case .migrate, .unlock: try await phone.vault().unlock(TestPin.right)
        case .wrong: _ = try? await phone.vault().unlock(TestPin.wrong)
        case .change: try await phone.vault().changePin(TestPin.right, to: TestPin.new)
        case .setPin: try await phone.vault().unlockWithBiometrics(reason: "reason").setPin(TestPin.new)
        case .recover: try await phone.vault().recover(TestPhrase.right, newPin: TestPin.new)
        }
    }

    private func check(_ phone: ChipPhone, _ operation: Operation, _ situation: Comment) async throws {
        let secrets = operation == .create ? [:] : ChipPhone.secrets
        var pins: Set<String> = []
        for pin in [TestPin.right, TestPin.new, TestPin.newest] {
            guard let open = try? await phone.image().vault().unlock(pin) else { continue }
            pins.insert(pin)
            #expect(open.foreignGuesses == nil, situation)
            #expect(try await open.texts().filter { $0.key == "wallet" } == secrets, situation)
        }
        if pins.isEmpty, operation == .create {
            // There is no vault, and one can be created.
            #expect(try await phone.vault().state() == .absent, situation)
            try await phone.vault().create(TestPin.right)
            pins = [TestPin.right]
        }
        if pins.isEmpty, operation == .setPin {
            try await phone.vault().unlockWithBiometrics(reason: "reason").setPin(TestPin.new)
            pins = [TestPin.new]
        }
        #expect(pins.count == 1 && pins.isSubset(of: operation.possiblePins), situation)
        if operation == .wrong {
            guard case .ready(triesLeft: let left) = try await phone.vault().state() else {
                Issue.record(situation)
                return
            }
            #expect((8...9).contains(left), situation)
        }
        guard let pin = pins.first else { return }
        // The vault works in every way, and loses nothing in another crash.
        let open = try await phone.vault().changePin(pin, to: TestPin.newest)
        #expect(try await open.texts().filter { $0.key == "wallet" } == secrets, situation)
        #expect(await open.pinTier == .chip || operation == .migrate, situation)
        try await phone.vault().unlock(TestPin.newest)
        await #expect(throws: UnlockError.self, situation) { try await phone.vault().unlock(pin) }
    }

    @Test("After a crash, a second crash during a change of PIN loses no PIN")
    func twice() async throws {
        for (operation, wasErased) in [(Operation.create, false), (.create, true), (.migrate, false)] {
            let rehearsal = try await phone(operation, wasErased: wasErased)
            try await run(operation, rehearsal)
            for first in 0..<rehearsal.store.callCount {
                var second = 0
                while true {
                    let phone = try await phone(operation, wasErased: wasErased)
                    phone.store.fail(at: first, .after)
                    _ = try? await run(operation, phone)
                    phone.store.repair()
                    var opening: [String] = []
                    for pin in [TestPin.right, TestPin.new]
                    where (try? await phone.image().vault().unlock(pin)) != nil {
                        opening.append(pin)
                    }
                    guard let pin = opening.first else { break }
                    phone.clock.advance(by: .seconds(86_400))
                    phone.store.fail(at: second, .after)
                    let isChanged = (try? await phone.vault().changePin(pin, to: TestPin.newest)) != nil
                    phone.store.repair()
                    var pins: [String] = []
                    for pin in [pin, TestPin.newest] where (try? await phone.image().vault().unlock(pin)) != nil {
                        pins.append(pin)
                    }
                    #expect(pins.count == 1, "\(operation), crashes after \(first) and \(second)")
                    if isChanged { break }
                    second += 1
                }
            }
        }
    }
}
