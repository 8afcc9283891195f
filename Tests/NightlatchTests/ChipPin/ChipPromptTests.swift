import Nightlatch
import NightlatchTesting
import Testing

@Suite("PIN prompts of a vault with a chip")
struct ChipPromptTests {
    private let chip = MemoryPinChip()

    private func device() -> SharedDevice {
        chip.state.withLock { $0.limit = 2 }
        return SharedDevice(hardener: ChipPinHardener(name: "vault", chip: chip, store: MemoryStore()))
    }

    @Test("The prompt shows the rest of the chip's wait, and then the PIN opens the vault")
    func waits() async throws {
        let device = device()
        let profile = try await device.register().profile
        let (chip, clock) = (chip, device.clock)
        let person = ScriptedPerson(entering: [
            .pin(TestPin.wrong), .pin(TestPin.wrong), .pin(TestPin.right),
            .first {
                clock.advance(by: .seconds(1000))
                chip.state.withLock { $0.wrongCount = 0 }
            }, .useBiometrics, .pin(TestPin.right),
        ])
        let result = try await device.auth(profile, person).unlock(reason: "reason")
        #expect(result.ending == .unlocked(.pin))
        #expect(person.enterings.map(\.attempts.wait) == [nil, nil, .seconds(1000), .seconds(1000), nil])
        #expect(
            person.enterings.map(\.attempts.lastTry) == [
                nil, .wrong(triesLeft: 9, wait: nil), .wrong(triesLeft: 8, wait: .seconds(1000)),
                .waiting(.seconds(1000), triesLeft: 8), .waiting(.seconds(1000), triesLeft: 8),
            ])
    }

    @Test("An app that shows waits itself gets the chip's wait as an outcome")
    func outcome() async throws {
        let device = device()
        let profile = try await device.register().profile
        let person = ScriptedPerson(entering: Array(repeating: .pin(TestPin.wrong), count: 4))
        let auth = device.auth(profile, person, LocalAuthConfiguration(showsWaits: false))
        #expect(try await auth.unlock(reason: "reason").ending == .waiting(.seconds(1000), triesLeft: 8))
        #expect(person.enterings.count == 2)
        // The vault does not know the wait, so the chip is asked once more.
        #expect(try await auth.unlock(reason: "reason").ending == .waiting(.seconds(1000), triesLeft: 8))
        #expect(person.enterings.count == 3)
    }

    @Test("A chip that is locked without end or cannot be used has its own error at the prompt")
    func errors() async throws {
        let device = device()
        let profile = try await device.register().profile
        for error in [PinHardenerError.lockedOut(wait: nil), .chip(.otherChip)] {
            chip.state.withLock { $0.failure = error }
            let person = ScriptedPerson(entering: [.pin(TestPin.right)])
            await #expect(throws: LocalAuthError.vault(.hardener(error))) {
                try await device.auth(profile, person).unlock(reason: "reason")
            }
        }
    }
}
