import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// Two processes of one device: between any two steps of the first, the second does all of its work. A step is a call
/// of the vault's store, of a key's store or of the relying party.
@Suite("Binding and login in two processes, step by step")
struct BindingInterleavingTests {
    /// The state before both actions.
    enum Start: CaseIterable {
        case unbound
        /// The relying party has bound the keys, and its answer was lost.
        case pending
        /// Bound and logged in.
        case bound
        /// Bound, logged in, and then revoked by the relying party. The device does not know it yet.
        case revoked
        /// The device is removing the keys of a binding.
        case leaving

        var actions: [Action] {
            switch self {
            case .unbound, .pending: [.bind, .refusedBind, .bindOther]
            case .bound: [.logIn, .resume, .forgetAndBind]
            case .revoked: [.resume, .forget, .logInAndBind]
            case .leaving: [.bind, .logIn, .forget]
            }
        }
    }

    enum Action {
        /// Binds with the code that both processes have.
        case bind
        /// Binds with the same code; the relying party refuses this process.
        case refusedBind
        /// Binds with another code.
        case bindOther
        case logIn, resume, forget
        /// Logs in, and binds again if the device was revoked, as programs do.
        case logInAndBind
        case forgetAndBind
    }

    @Test(
        "In any order of steps, a good binding stays, no key is left over and no token is sent twice",
        .timeLimit(.minutes(5)), arguments: Start.allCases)
    func interleave(start: Start) async throws {
        let original = try await Device(start)
        var situations = 0
        for first in start.actions {
            for second in start.actions {
                var step = 0
                while true {
                    let device = try await original.copy()
                    let one = try await device.party()
                    let two = try await device.party()
                    let secondOutcome = Shared<Outcome?>(nil)
                    one.steps.interrupt(at: step) {
                        let outcome = await two.run(second)
                        secondOutcome.withLock { $0 = outcome }
                    }
                    let firstOutcome = await one.run(first)
                    guard one.steps.count > step, let secondOutcome = secondOutcome.withLock({ $0 }) else { break }
                    try await check(
                        device, [(first, firstOutcome), (second, secondOutcome)],
                        "\(start): \(first), then \(second) before step \(step)")
                    step += 1
                }
                situations += step
            }
        }
        print("interleavings of two processes: \(start): \(situations)")
        #expect(situations >= start.actions.count * start.actions.count * 4)
    }

    private func check(
        _ device: Device,
        _ outcomes: [(action: Action, outcome: Outcome)],
        _ situation: Comment
    ) async throws {
        for (action, outcome) in outcomes {
            #expect(isExpected(outcome.error, of: action), "\(situation): \(String(describing: outcome.error))")
        }
        // A process that got a new binding finds it in the vault, whatever the other did.
        let made = Set(outcomes.compactMap(\.outcome.binding)).subtracting([device.known].compactMap(\.self))
        var binding = try await device.open.deviceBinding()
        #expect(made.isEmpty || binding.map { made == [$0] } == true, situation)
        if device.start == .bound, !outcomes.contains(where: { $0.action == .forgetAndBind }) {
            #expect(binding == device.known, situation)
        }
        #expect(await device.relyingParty.reuseCount == 0, situation)

        // Every state can be continued.
        if device.start == .revoked, binding == device.known {
            await #expect(throws: LoginError.revoked, situation) { try await device.login.logIn(device.open) }
            binding = nil
        }
        if binding == nil {
            let code = await device.relyingParty.issueCode()
            binding = try await device.binder.bind(device.open, code: code, deviceName: Device.name)
        }
        let keys = try #require(binding).keys
        #expect(try await device.keyTags() == [keys.deviceKey, keys.possessionKey], situation)
        #expect(try await device.login.resume(device.open).device == binding?.device, situation)
        #expect(try await device.open.text(named: "wallet") == "seed", situation)
        #expect(await device.relyingParty.reuseCount == 0, situation)
    }

    /// Whether the error is expected of the action. An error that a key or a vault seems damaged never is.
    private func isExpected(_ error: (any Error)?, of action: Action) -> Bool {
        switch error {
        case nil: return action != .refusedBind
        case let error as BindingError:
            switch error {
            case .alreadyBound, .superseded: return true
            case .relyingParty(let error):
                let codes: [ProblemCode] = [.enrolmentCodeRefused] + (action == .refusedBind ? [.messageRefused] : [])
                return codes.map(ScriptedRelyingParty.refusal).contains(error)
            case .vault, .key, .codeOfAnotherUser: return false
            }
        case let error as LoginError: return [.notBound, .revoked].contains(error)
        default: return false
        }
    }
}

/// The result of an action.
private struct Outcome: Sendable {
    var binding: DeviceBinding?
    var error: (any Error)?
}

/// A device, as a set of stores.
private struct Device: Sendable {
    static let name = DeviceName(unchecked: "Phone")

    let start: BindingInterleavingTests.Start
    let relyingParty: ScriptedRelyingParty
    let memory = MemoryStore()
    let keyStores = Shared<[KeyTag: MemoryStore]>([:])
    let open: OpenVault
    /// A code that both processes have.
    let code: EnrolmentCode
    /// The binding before both actions.
    private(set) var known: DeviceBinding?

    init(_ start: BindingInterleavingTests.Start) async throws {
        self.start = start
        relyingParty = ScriptedRelyingParty()
        open = try await Vault.forTests(memory).create(TestPin.right)
        try await open.set("seed", named: "wallet")
        code = await relyingParty.issueCode()
        switch start {
        case .unbound: break
        case .pending: try await losesAnswer()
        case .bound: try await bindAndLogIn()
        case .revoked:
            try await bindAndLogIn()
            await relyingParty.revokeAll()
        case .leaving:
            try await bindAndLogIn()
            try await beginToForget(try #require(known))
        }
    }

    /// Returns another device in the same state.
    func copy() async throws -> Device {
        try await Device(copying: self)
    }

    private init(copying original: Device) async throws {
        start = original.start
        relyingParty = await original.relyingParty.copy()
        memory.plant(try await original.memory.read())
        for (tag, store) in original.keyStores.withLock({ $0 }) {
            let copy = MemoryStore()
            copy.plant(try await store.read())
            keyStores.withLock { $0[tag] = copy }
        }
        open = try await Vault.forTests(memory).unlock(TestPin.right)
        code = original.code
        known = original.known
    }

    private func losesAnswer() async throws {
        await relyingParty.script(.finishBinding, .loseAnswer)
        await #expect(throws: BindingError.relyingParty(.unreachable(reason: "lost"))) {
            try await binder.bind(open, code: code, deviceName: Self.name)
        }
    }

    private mutating func bindAndLogIn() async throws {
        known = try await binder.bind(open, code: await relyingParty.issueCode(), deviceName: Self.name)
        _ = try await login.logIn(open)
    }

    private func beginToForget(_ binding: DeviceBinding) async throws {
        let broken = FaultyStore(MemoryStore())
        broken.fail(at: 0, .before)
        let binder = DeviceBinder(relyingParty: relyingParty, keys: SoftwareDeviceKeys { _ in broken })
        await #expect(throws: ForgetBindingError.key(DeviceKeyError(.unavailable))) {
            try await binder.forget(binding, in: open)
        }
    }

    var binder: DeviceBinder { DeviceBinder(relyingParty: relyingParty, keys: keys()) }
    var login: Login { Login(relyingParty: relyingParty, keys: keys()) }

    func keys(countedBy steps: Steps = Steps()) -> SoftwareDeviceKeys {
        SoftwareDeviceKeys { [keyStores] tag in
            let store = keyStores.withLock { stores in
                let store = stores[tag] ?? MemoryStore()
                stores[tag] = store
                return store
            }
            return RecordingStore(store, steps: steps)
        }
    }

    func keyTags() async throws -> Set<KeyTag> {
        var tags: Set<KeyTag> = []
        for (tag, store) in keyStores.withLock({ $0 }) where try await store.read() != nil { tags.insert(tag) }
        return tags
    }

    func party() async throws -> Party {
        let steps = Steps()
        let open = try await Vault.forTests(RecordingStore(memory, steps: steps)).unlock(TestPin.right)
        return Party(device: self, steps: steps, open: open, ownCode: await relyingParty.issueCode())
    }
}

/// A process of the device.
private struct Party: Sendable {
    let device: Device
    let steps: Steps
    let open: OpenVault
    let ownCode: EnrolmentCode

    func run(_ action: BindingInterleavingTests.Action) async -> Outcome {
        var outcome = Outcome()
        do {
            switch action {
            case .bind: outcome.binding = try await bind(device.code)
            case .refusedBind: outcome.binding = try await bind(device.code, refused: true)
            case .bindOther: outcome.binding = try await bind(ownCode)
            case .logIn: _ = try await login.logIn(open)
            case .resume: _ = try await login.resume(open)
            case .forget: try await forget()
            case .logInAndBind:
                do {
                    _ = try await login.logIn(open)
                } catch LoginError.revoked, LoginError.notBound {
                    outcome.binding = try await bind(ownCode)
                }
            case .forgetAndBind:
                try await forget()
                outcome.binding = try await bind(ownCode)
            }
        } catch {
            outcome.error = error
        }
        return outcome
    }

    private var login: Login {
        Login(relyingParty: relyingParty(), keys: device.keys(countedBy: steps))
    }

    private func bind(_ code: EnrolmentCode, refused: Bool = false) async throws -> DeviceBinding {
        try await binder(refused: refused).bind(open, code: code, deviceName: Device.name)
    }

    private func forget() async throws {
        guard let known = device.known else { return }
        try await binder(refused: false).forget(known, in: open)
    }

    private func binder(refused: Bool) -> DeviceBinder {
        DeviceBinder(
            relyingParty: relyingParty(refusesBindings: refused), keys: device.keys(countedBy: steps))
    }

    private func relyingParty(refusesBindings: Bool = false) -> SteppedRelyingParty {
        SteppedRelyingParty(base: device.relyingParty, steps: steps, refusesBindings: refusesBindings)
    }
}
