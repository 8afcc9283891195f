import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// The device crashes at any call of its store, or loses any request to the hardener or its answer; then it starts
/// again.
@Suite("Crash matrix of the two-party PIN")
struct HardenedCrashTests {
    enum Operation: CaseIterable {
        case enrol, unlock, wrong, change, foreignGuesses, setPin, recover
        /// The app allows the local tier, or no longer does.
        case allowOffline, refuseOffline

        /// The PINs that may open the vault afterwards. Exactly one of them must.
        var possiblePins: Set<String> {
            switch self {
            case .change, .recover: [TestPin.right, TestPin.new]
            case .setPin: [TestPin.new]
            default: [TestPin.right]
            }
        }
    }

    struct Scene {
        let operation: Operation
        /// The app's choice before the operation.
        let offlinePin: OfflinePinPolicy
    }

    private static let scenes = Operation.allCases.flatMap { operation in
        switch operation {
        case .allowOffline: [Scene(operation: operation, offlinePin: .refused)]
        case .refuseOffline: [Scene(operation: operation, offlinePin: .local)]
        default: [OfflinePinPolicy.refused, .local].map { Scene(operation: operation, offlinePin: $0) }
        }
    }

    @Test(
        "After a crash at any write of the device exactly one PIN opens the same secrets, and no count decreases",
        arguments: Self.scenes)
    func device(_ scene: Scene) async throws {
        let operation = scene.operation
        let rehearsal = try await phone(in: scene)
        try await run(operation, rehearsal)
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            guard point.fault != .torn else { return }
            let phone = try await phone(in: scene)
            let before = try await Counts(of: phone)
            phone.store.fail(at: point.call, point.fault)
            _ = try? await run(operation, phone)
            phone.store.repair()
            try await check(phone, operation, since: before, "\(scene), crash \(point)")
        }
        print("crash matrix of the two-party PIN: \(operation) (\(scene.offlinePin)), device: \(points) points")
    }

    @Test(
        "After any lost request or answer exactly one PIN opens the same secrets, and no count decreases",
        arguments: Self.scenes)
    func network(_ scene: Scene) async throws {
        let operation = scene.operation
        let rehearsal = try await phone(in: scene)
        try await run(operation, rehearsal)
        let calls = rehearsal.hardener.callCount
        #expect(calls >= 1)
        for call in 0..<calls {
            for fault in MemoryPinHardener.Fault.allCases {
                for isLasting in [true, false] {
                    let phone = try await phone(in: scene)
                    let before = try await Counts(of: phone)
                    phone.hardener.fail(at: call, fault, isLasting: isLasting)
                    _ = try? await run(operation, phone)
                    phone.hardener.repair()
                    try await check(
                        phone, operation, since: before,
                        "\(scene), lost \(fault) of call \(call), lasting: \(isLasting)")
                }
            }
        }
        print("crash matrix of the two-party PIN: \(operation) (\(scene.offlinePin)), network: \(4 * calls) points")
    }

    private func phone(in scene: Scene) async throws -> HardenedPhone {
        let operation = scene.operation
        var phone = try await HardenedPhone(
            isEnrolled: operation != .enrol, limit: operation == .setPin ? 3 : 10,
            offlinePin: scene.offlinePin)
        switch operation {
        case .allowOffline: phone.offlinePin = .local
        case .refuseOffline: phone.offlinePin = .refused
        default: break
        }
        switch operation {
        case .foreignGuesses:
            let thief = phone.vault(in: try await phone.image(), phone.hardener)
            await #expect(throws: UnlockError.self) { try await thief.unlock(TestPin.wrong) }
        case .setPin:
            for _ in 0..<3 { await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) } }
        default:
            await #expect(throws: UnlockError.self) { try await phone.vault().unlock(TestPin.wrong) }
        }
        phone.store.repair()
        phone.hardener.repair()
        return phone
    }

    private func run(_ operation: Operation, _ phone: HardenedPhone) async throws {
        switch operation {
        case .enrol, .unlock, .foreignGuesses, .allowOffline, .refuseOffline:
            try await phone.vault().unlock(TestPin.right)
        case .wrong: _ = try? await phone.vault().unlock(TestPin.wrong)
        case .change: try await phone.vault().changePin(TestPin.right, to: TestPin.new)
        case .setPin:
            let open = try await phone.vault().unlockWithBiometrics(reason: "reason")
            try await open.setPin(Pin(TestPin.new), after: .checkedByApp(), code: .random())
        case .recover: try await phone.vault().recover(TestPhrase.right, newPin: TestPin.new, code: .random())
        }
    }

    private func check(
        _ phone: HardenedPhone,
        _ operation: Operation,
        since before: Counts,
        _ situation: Comment
    ) async throws {
        try await Counts(of: phone).expectNoneWentDown(since: before, shownRightPin: operation != .wrong, situation)
        var pins: Set<String> = []
        for pin in [TestPin.right, TestPin.new, TestPin.newest] {
            let vault = phone.vault(in: try await phone.image(), phone.hardener.copy())
            guard let open = try? await vault.unlock(pin) else { continue }
            pins.insert(pin)
            // Only the device has guessed.
            if operation != .foreignGuesses { #expect(open.foreignGuesses?.surelyForeign ?? 0 == 0, situation) }
            #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets, situation)
        }
        try await checkOffline(phone, pins, situation)
        if operation == .setPin, pins.isEmpty {
            // There was no PIN before: it can be set again.
            let vault = phone.vault(in: try await phone.image(), phone.hardener.copy())
            let open = try await vault.unlockWithBiometrics(reason: "reason")
            try await open.setPin(Pin(TestPin.new), after: .checkedByApp(), code: .random())
            try await vault.unlock(TestPin.new)
            return
        }
        #expect(pins.count == 1 && pins.isSubset(of: operation.possiblePins), situation)
        guard let pin = pins.first else { return }
        // The vault still works in every way.
        let vault = phone.vault(in: try await phone.image(), phone.hardener.copy())
        let open = try await vault.changePin(pin, to: TestPin.newest)
        #expect(try await HardenedPhone.secrets(in: open) == HardenedPhone.secrets, situation)
        try await vault.unlock(TestPin.newest)
    }

    /// Checks the vault without the hardener: at most one PIN opens it, and one does if a slot says so. Values that are
    /// written then are kept, whichever PIN the hardener later confirms.
    private func checkOffline(_ phone: HardenedPhone, _ online: Set<String>, _ situation: Comment) async throws {
        var opening: [String] = []
        for pin in [TestPin.right, TestPin.new, TestPin.newest] {
            let image = try await phone.image()
            let isOpen: Bool
            do {
                let open = try await phone.offlineVault(in: image).unlock(pin)
                #expect(await open.pinTier == .local, situation)
                try await open.set("offline", named: "token")
                isOpen = true
            } catch UnlockError.refused {
                isOpen = false
            } catch {
                guard case .unavailable = (error as? UnlockError)?.cause?.cause as? PinHardenerError else {
                    throw error
                }
                isOpen = false
            }
            guard isOpen else { continue }
            opening.append(pin)
            for pin in online {
                let open = try await phone.vault(in: image, phone.hardener.copy()).unlock(pin)
                #expect(try await HardenedPhone.secrets(in: open) == ["wallet": "seed", "token": "offline"], situation)
            }
        }
        #expect(opening.count <= 1, situation)
        let protection = try await phone.vault().protection()
        guard let protection, protection.keyDerivation != nil else {
            #expect(opening.isEmpty, situation)
            return
        }
        // If the guesses are known to be used up, the local tier is closed too.
        let isShut = try await phone.store.json()["guesses", "used_up"] == .bool(true)
        let isLocal =
            protection.hardener == nil || (protection.hasLocalTier && phone.offlinePin == .local && !isShut)
        #expect(opening.isEmpty != isLocal, situation)
    }
}
