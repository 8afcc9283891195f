import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Policies that apply to a profile")
struct AppliedPolicyTests {
    private static let eightDigits = #"{"pin_lengths":{"least":8,"most":8}}"#
    private static let longer = "60583714"

    @Test("A changed length is asked for at the next PIN that is set, and the old PIN opens until then")
    func changedLength() async throws {
        let device = SharedDevice()
        let profile = try await bound(device, policy: Self.eightDigits)
        let person = ScriptedPerson(
            entering: [.pin(TestPin.right), .pin(TestPin.right), .pin(Self.longer)],
            creating: [.pin(TestPin.new), .pin(Self.longer)])
        let auth = device.auth(profile, person)
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.pin))
        let changed = try #require(try await device.profiles.profile(profile.id))
        #expect(changed.pinPolicy.lengths == 8...8 && changed.pinLength == 6)

        #expect(try await auth.changePin().ending == .changed)
        #expect(person.creatings.map(\.objections) == [[], [.length(allowed: 8...8)]])
        #expect(try await device.profiles.profile(profile.id)?.pinLength == 8)
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.pin))
        #expect(person.enterings.map(\.pinLength) == [6, 6, 8])
    }

    @Test("The policy applies to the next PIN even if no unlock came before, and whatever the registry says")
    func firstChange() async throws {
        let device = SharedDevice()
        let profile = try await bound(device, policy: Self.eightDigits)
        let person = ScriptedPerson(
            entering: [.pin(TestPin.right)], creating: [.pin(TestPin.new), .pin(Self.longer)])
        #expect(try await device.auth(profile, person).changePin().ending == .changed)
        #expect(person.creatings.map(\.policy.lengths) == [8...8, 8...8])
    }

    @Test("A PIN that replaces a lost one follows the policy too")
    func lostPin() async throws {
        let device = SharedDevice(lockoutPolicy: .payment)
        let (profile, open) = try await device.register()
        try await device.auth(profile).setUp(.biometrics, in: open)
        try await bind(profile, open, on: device, policy: Self.eightDigits)
        let person = ScriptedPerson(creating: [.pin(TestPin.new), .pin(Self.longer)])
        let auth = device.auth(profile, person)
        _ = try await device.profiles.vault(of: profile).giveUpPin()
        let opened = try #require(try await auth.unlock(reason: "Pay").open)
        #expect(try await auth.setPin(in: opened, after: .checkedByApp()).ending == .changed)
        #expect(person.creatings.map(\.objections) == [[], [.length(allowed: 8...8)]])
    }

    @Test("When a policy is removed, the app's own rules apply again")
    func removed() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register(policy: try PinPolicy(lengths: 5...7, distinctDigits: 3))
        try await bind(profile, open, on: device, policy: Self.eightDigits)
        let auth = device.auth(profile, ScriptedPerson(entering: [.pin(TestPin.right), .pin(TestPin.right)]))
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.pin))
        let policed = try #require(try await device.profiles.profile(profile.id))
        #expect(policed.pinPolicy == (try PinPolicy(lengths: 8...8, distinctDigits: 3)))

        await device.relyingParty.set(policy: "{}", revision: try #require(PolicyRevision(rawValue: 8)))
        _ = try await login(device, profile.id).logIn(open)
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.pin))
        let free = try #require(try await device.profiles.profile(profile.id))
        #expect(free.pinPolicy == (try PinPolicy(lengths: 5...7, distinctDigits: 3)) && free.policy.isEmpty)
    }

    @Test("The number of different digits and the lockout policy apply")
    func otherMembers() async throws {
        let device = SharedDevice(lockoutPolicy: .login)
        let profile = try await bound(device, policy: #"{"lockout_policy":"payment","pin_distinct_digits":5}"#)
        let person = ScriptedPerson(
            entering: [.pin(TestPin.right)], creating: [.pin("290290"), .cancel])
        #expect(try await device.auth(profile, person).changePin().ending == .cancelled)
        #expect(person.creatings[1].objections.contains(.fewDifferentDigits(least: 5)))
        let changed = try #require(try await device.profiles.profile(profile.id))
        #expect(changed.policy.lockoutPolicy == .payment)
        guard case .ready(let triesLeft) = try await device.profiles.vault(of: changed).state() else {
            Issue.record("the vault is not ready")
            return
        }
        #expect(triesLeft == LockoutPolicy.payment.limit)
    }

    @Test("An authenticator that the policy does not allow is neither asked for nor set up; the PIN always is")
    func authenticators() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await device.auth(profile).setUp(.biometrics, in: open)
        try await bind(profile, open, on: device, policy: #"{"authenticators":["pin"]}"#)
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let auth = device.auth(profile, person)
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.biometrics))
        #expect(try await device.profiles.profile(profile.id)?.permits(.biometrics) == false)
        let second = try await auth.unlock(reason: "Pay")
        #expect(second.ending == .unlocked(.pin))
        let opened = try #require(second.open)
        await #expect(throws: AuthenticatorError.notPermitted) { try await auth.setUp(.biometrics, in: opened) }
    }

    @Test("If the registry cannot be written, the unlock says so, and the next one applies the policy")
    func registryFails() async throws {
        let device = SharedDevice()
        let profile = try await bound(device, policy: Self.eightDigits)
        let person = ScriptedPerson(entering: [.pin(TestPin.right), .pin(TestPin.right)])
        let auth = device.auth(profile, person)
        let registry = try await device.registry.read()
        // The profile can be read; nothing after that.
        let store = PartlyBrokenStore(device.registry, brokenCalls: 1..<100)
        let broken = Profiles(registry: store, deviceKeys: nil, remembersPinLengths: true) { profile in
            device.profiles.vault(of: profile)
        }
        let result = try await LocalAuthService(profile: profile.id, in: broken, prompt: person).unlock(reason: "Pay")
        #expect(result.ending == .unlocked(.pin))
        #expect(result.events.contains { if case .policyNotApplied = $0 { true } else { false } })
        #expect(try await device.registry.read() == registry)
        #expect(try await auth.unlock(reason: "Pay").events.isEmpty)
        #expect(try await device.profiles.profile(profile.id)?.pinPolicy.lengths == 8...8)
    }

    @Test("A registry without policies keeps the first format, which older versions of the app read")
    func format() async throws {
        let device = SharedDevice()
        let profile = try await bound(device, policy: Self.eightDigits)
        #expect(try await device.registry.json().written.contains(#""format":1"#))
        let auth = device.auth(profile, ScriptedPerson(entering: [.pin(TestPin.right)]))
        _ = try await auth.unlock(reason: "Pay")
        #expect(try await device.registry.json().written.contains(#""format":2"#))
        try await device.profiles.deregister(profile.id)
        #expect(try await device.registry.json().written.contains(#""format":1"#))
    }

    private func bound(_ device: SharedDevice, policy: String) async throws -> Profile {
        let (profile, open) = try await device.register()
        try await bind(profile, open, on: device, policy: policy)
        return profile
    }

    private func bind(_ profile: Profile, _ open: OpenVault, on device: SharedDevice, policy: String) async throws {
        await device.relyingParty.sign(with: P256.Signing.PrivateKey())
        await device.relyingParty.set(policy: policy, revision: try #require(PolicyRevision(rawValue: 7)))
        try await device.bind(profile.id, in: open)
    }

    private func login(_ device: SharedDevice, _ profile: ProfileID) throws -> Login {
        Login(relyingParty: device.relyingParty, keys: device.profiles.deviceKeys(of: profile))
    }
}
