import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// The app's lock, as the app itself uses it.
struct TicketLock {
    let vault: Vault
    let user: Profile
    let prompt: any PinPrompt

    enum Screen: Hashable {
        case ticket(String)
        case start
        case signIn
        case setUp
    }

    func open() async throws -> Screen {
        let service = LocalAuthService(
            vault: vault, of: user, prompt: prompt,
            configuration: LocalAuthConfiguration(order: .biometricsFirst))
        switch try await service.unlock(reason: "Show your ticket").outcome {
        case .unlocked(let open, by: _): return .ticket(try await ticket(in: open))
        case .cancelled, .waiting: return .start
        case .blocked: return .signIn
        case .erased, .missing: return .setUp
        }
    }

    private func ticket(in open: OpenVault) async throws -> String {
        guard let secret = try await open.secret(named: "ticket") else { return "none" }
        return unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

struct Bench {
    let person = ScriptedPerson()
    let sensor = ScriptedBiometrics()
    let clock = ManualClock()
    let store = FaultyStore(MemoryStore())
    let lock: TicketLock

    init(hasBiometrics: Bool = false) async throws {
        let vault = Vault(
            store: store, clock: clock, biometrics: sensor,
            configuration: VaultConfiguration(
                lockoutPolicy: .login, keyDerivation: .cheap, keyDerivationBounds: .forTests))
        let name = try #require(ProfileName(rawValue: "Alice"))
        lock = TicketLock(vault: vault, user: Profile(id: .random(), name: name), prompt: person)
        let open = try await vault.create(with: Pin(digits: SecretBytes(copying: Array("295038".utf8))))
        try await open.set(SecretBytes(copying: Array("Oslo".utf8)), named: "ticket")
        if hasBiometrics { try await open.setUpBiometrics() }
        await open.lock()
        store.repair()  // counts calls from zero
    }
}

@Suite("The lock of the ticket app")
struct TicketLockTests {
    @Test("A wrong PIN is counted and asked for again")
    func wrongPin() async throws {
        let bench = try await Bench()
        bench.person.add(entering: [.pin("860527"), .pin("295038")])
        #expect(try await bench.lock.open() == .ticket("Oslo"))
        #expect(bench.person.enterings.map(\.attempts.failureCount) == [0, 1])
    }

    @Test("After three wrong PINs the user waits for 30 seconds")
    func wait() async throws {
        let bench = try await Bench()
        let (clock, wrong) = (bench.clock, ScriptedPerson.Entering.pin("860527"))
        bench.person.add(entering: [wrong, wrong, wrong, .first { clock.advance(by: .seconds(30)) }, .pin("295038")])
        #expect(try await bench.lock.open() == .ticket("Oslo"))
        #expect(bench.person.enterings.map(\.attempts.wait) == [nil, nil, nil, .seconds(30)])
    }

    @Test("Ten wrong PINs lead to the sign-in, also if the user waits an hour after each")
    func blocked() async throws {
        let bench = try await Bench()
        for _ in 0..<10 {
            bench.person.add(entering: [.pin("860527"), .cancel])
            _ = try await bench.lock.open()
            bench.clock.advance(by: .seconds(3600))
        }
        #expect(try await bench.lock.open() == .signIn)
    }

    @Test("A face opens the lock without the pad")
    func face() async throws {
        let bench = try await Bench(hasBiometrics: true)
        #expect(try await bench.lock.open() == .ticket("Oslo"))
        #expect(bench.sensor.reasons == ["Show your ticket"] && bench.person.enterings.isEmpty)
    }

    @Test("After another face was enrolled, and on a phone without a sensor, the PIN opens the lock")
    func otherFace() async throws {
        let bench = try await Bench(hasBiometrics: true)
        bench.sensor.changeEnrolment()
        bench.person.add(entering: [.pin("295038")])
        #expect(try await bench.lock.open() == .ticket("Oslo"))
        bench.sensor.set(.noHardware)
        bench.person.add(entering: [.pin("295038")])
        #expect(try await bench.lock.open() == .ticket("Oslo"))
    }

    @Test("A storage that fails is an error, and never looks like an app that was not set up")
    func brokenStorage() async throws {
        for call in 0..<4 {
            let bench = try await Bench()
            bench.store.fail(at: call, .before)
            bench.person.add(entering: [.pin("295038")])
            await #expect(throws: LocalAuthError.self, "call \(call)") { try await bench.lock.open() }
            bench.store.repair()
            bench.person.add(entering: [.pin("295038")])
            #expect(try await bench.lock.open() == .ticket("Oslo"))
        }
    }
}
