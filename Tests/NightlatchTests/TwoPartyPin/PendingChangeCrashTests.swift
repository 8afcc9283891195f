import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A change with an unanswered promotion is on disk. Then another operation runs, and fails at any point.
@Suite("Crash matrix after an unanswered promotion")
struct PendingChangeCrashTests {
    enum Operation: CaseIterable { case unlock, wrong, change, recover }

    struct Scene {
        let pending: HardenedPhone.Pending
        let isPromoted: Bool
        let operation: Operation

        /// The vault's PIN before the operation.
        var pin: String { pending == .change && isPromoted ? TestPin.new : TestPin.right }

        var possiblePins: Set<String> {
            switch operation {
            case .unlock, .wrong: [pin]
            case .change, .recover: [pin, TestPin.newest]
            }
        }

        /// A phone in the scene, and a copy.
        func phones() async throws -> (HardenedPhone, HardenedPhone) {
            let phone = try await HardenedPhone.pending(pending, isPromoted: isPromoted)
            return (phone, try await phone.copy())
        }

        func run(on phone: HardenedPhone) async throws {
            switch operation {
            case .unlock: try await phone.vault().unlock(pin)
            case .wrong: _ = try? await phone.vault().unlock(TestPin.wrong)
            case .change: try await phone.vault().changePin(pin, to: TestPin.newest)
            case .recover: try await phone.vault().recover(TestPhrase.right, newPin: TestPin.newest, code: .random())
            }
        }
    }

    private static let scenes = HardenedPhone.Pending.allCases.flatMap { pending in
        [true, false].flatMap { isPromoted in
            Operation.allCases.map { Scene(pending: pending, isPromoted: isPromoted, operation: $0) }
        }
    }

    @Test(
        "After a crash at any write exactly one PIN opens the same secrets, and it is the hardener's",
        arguments: Self.scenes)
    func device(_ scene: Scene) async throws {
        let (ready, rehearsal) = try await scene.phones()
        try await scene.run(on: rehearsal)
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            guard point.fault != .torn else { return }
            let phone = try await ready.copy()
            phone.store.fail(at: point.call, point.fault)
            _ = try? await scene.run(on: phone)
            phone.store.repair()
            try await check(phone, scene, "\(scene), crash \(point)")
        }
        #expect(points > 0)
    }

    @Test(
        "After any lost request or answer exactly one PIN opens the same secrets, and it is the hardener's",
        arguments: Self.scenes)
    func network(_ scene: Scene) async throws {
        let (ready, rehearsal) = try await scene.phones()
        try await scene.run(on: rehearsal)
        for call in 0..<rehearsal.hardener.callCount {
            for fault in MemoryPinHardener.Fault.allCases {
                for isLasting in [true, false] {
                    let phone = try await ready.copy()
                    phone.hardener.fail(at: call, fault, isLasting: isLasting)
                    _ = try? await scene.run(on: phone)
                    phone.hardener.repair()
                    try await check(phone, scene, "\(scene), lost \(fault) of call \(call), lasting: \(isLasting)")
                }
            }
        }
    }

    private func check(_ phone: HardenedPhone, _ scene: Scene, _ situation: Comment) async throws {
        var pins: Set<String> = []
        for pin in [TestPin.right, TestPin.new, TestPin.newest] {
            let (image, hardener) = (try await phone.image(), phone.hardener.copy())
            guard let open = try? await phone.vault(in: image, hardener).unlock(pin) else { continue }
            pins.insert(pin)
            #expect(open.foreignGuesses?.surelyForeign ?? 0 == 0, situation)
            #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets, situation)
            // The pending change is settled: the PIN uses the hardener, and can be changed.
            #expect(try await phone.vault(in: image, hardener).protection()?.hardener != nil, situation)
            try await phone.vault(in: image, hardener).changePin(pin, to: TestPin.another)
            let again = try await phone.vault(in: image, hardener).unlock(TestPin.another)
            #expect(try await HardenedPhone.secrets(in: again) == HardenedPhone.secrets, situation)
        }
        #expect(pins.count == 1 && pins.isSubset(of: scene.possiblePins), situation)
    }
}
