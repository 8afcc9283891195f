import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Policies that apply to a profile")
struct AppliedPolicyTests {
    private static let eightDigits = #"{"pin_lengths":{"least":8,"most":8}}"#
    private static let pinOnly = #"{"authenticators":["pin"]}"#
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
        let (profile, open) = try await device.register()
        try await bind(profile, open, on: device, policy: #"{"pin_lengths":{"least":7,"most":7}}"#)
        try await device.profiles.apply(try #require(try await open.policy()), to: profile.id)
        #expect(try await device.profiles.profile(profile.id)?.pinPolicy.lengths == 7...7)
        await device.relyingParty.set(policy: Self.eightDigits, revision: try revision(8))
        _ = try await login(device, profile.id).logIn(open)
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
        let person = ScriptedPerson(entering: [.pin(TestPin.right), .pin(TestPin.right)])
        let auth = device.auth(profile, person)
        #expect(try await auth.authenticators() == [.pin, .biometrics])
        // The policy is sealed, so the first unlock asks for biometrics before it finds the policy.
        let first = try await auth.unlock(reason: "Pay")
        #expect(first.ending == .unlocked(.pin) && first.events.isEmpty)
        #expect(try await device.profiles.profile(profile.id)?.permits(.biometrics) == false)
        #expect(try await auth.authenticators() == [.pin])
        let second = try await auth.unlock(reason: "Pay")
        #expect(second.ending == .unlocked(.pin))
        #expect(device.biometrics(of: profile.id).reasons.count == 1)
        #expect(person.enterings.map(\.offersBiometrics) == [false, false])
        let opened = try #require(second.open)
        await #expect(throws: AuthenticatorError.notPermitted) { try await auth.setUp(.biometrics, in: opened) }
    }

    @Test("If no PIN opens the vault, biometrics do, although the policy does not allow them, until a PIN is set")
    func blockedPin() async throws {
        let device = SharedDevice(lockoutPolicy: .payment)
        let (profile, open) = try await device.register()
        try await device.auth(profile).setUp(.biometrics, in: open)
        try await bind(profile, open, on: device, policy: Self.pinOnly)
        #expect(try await device.profiles.vault(of: profile).giveUpPin() == .blocked(.newCredentials))
        let auth = device.auth(profile, ScriptedPerson(creating: [.pin(TestPin.new)]))
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.biometrics))
        #expect(try await device.profiles.profile(profile.id)?.permits(.biometrics) == false)
        #expect(try await auth.authenticators() == [.pin, .biometrics])
        let second = try await auth.unlock(reason: "Pay")
        #expect(second.ending == .unlocked(.biometrics) && second.events == [.pinBlocked(.newCredentials)])
        let opened = try #require(second.open)
        #expect(try await auth.setPin(in: opened, after: .checkedByApp()).ending == .changed)
        #expect(try await auth.authenticators() == [.pin])
        await #expect(throws: BiometricUnlockError.notPermitted) {
            try await device.profiles.vault(of: profile).unlockWithBiometrics(reason: "Pay")
        }
    }

    @Test(
        "A lockout policy that ends in the recovery phrase applies only to a vault that has one",
        arguments: [false, true])
    func walletPolicy(hasPhrase: Bool) async throws {
        let device = SharedDevice(lockoutPolicy: .login)
        let (profile, open) = try await device.register()
        try await device.auth(profile).setUp(.biometrics, in: open)
        if hasPhrase { try await open.setUpRecovery(TestPhrase.right) }
        try await bind(profile, open, on: device, policy: #"{"lockout_policy":"wallet"}"#)
        let person = ScriptedPerson(entering: [.forget])
        #expect(try await device.auth(profile, person).unlock(reason: "Pay").ending == .unlocked(.biometrics))
        let policed = try #require(try await device.profiles.profile(profile.id))
        #expect(policed.policy.lockoutPolicy == .wallet)
        let vault = device.profiles.vault(of: policed)
        #expect(try await vault.protection()?.lockoutPolicy == (hasPhrase ? .wallet : .login))

        let byPin = device.auth(profile, person, LocalAuthConfiguration(order: .pinOnly))
        let end: Unblocking = hasPhrase ? .recoveryPhrase : .newCredentials
        #expect(try await byPin.unlock(reason: "Pay").ending == .blocked(end))
        #expect(try await vault.slots() == [hasPhrase ? .recoveryPhrase : .biometrics])
        let last = try await device.auth(profile).unlock(reason: "Pay").ending
        #expect(last == (hasPhrase ? .blocked(.recoveryPhrase) : .unlocked(.biometrics)))
    }

    @Test("An opening that has an old policy follows the newest one, which another opening has kept")
    func twoOpenings() async throws {
        let device = SharedDevice(lockoutPolicy: .payment)
        let (profile, open) = try await device.register()
        try await device.auth(profile).setUp(.biometrics, in: open)
        try await bind(profile, open, on: device, policy: "{}")
        _ = try await device.profiles.vault(of: profile).giveUpPin()
        let person = ScriptedPerson(creating: [.pin(TestPin.new), .pin(Self.longer)])
        let auth = device.auth(profile, person)
        let old = try #require(try await auth.unlock(reason: "Pay").open)
        let new = try #require(try await auth.unlock(reason: "Pay").open)
        let json = #"{"authenticators":["pin"],"pin_lengths":{"least":8,"most":8}}"#
        await device.relyingParty.set(policy: json, revision: try revision(8))
        _ = try await login(device, profile.id).logIn(new)
        await #expect(throws: AuthenticatorError.notPermitted) { try await auth.setUp(.biometrics, in: old) }
        #expect(try await auth.setPin(in: old, after: .checkedByApp()).ending == .changed)
        #expect(person.creatings.map(\.policy.lengths) == [8...8, 8...8])
    }

    @Test("An older policy does not replace a newer one in the registry, unless it is of another binding")
    func olderRevision() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await bind(profile, open, on: device, policy: Self.eightDigits)
        let older = try #require(try await open.policy())
        await device.relyingParty.set(policy: Self.pinOnly, revision: try revision(8))
        _ = try await login(device, profile.id).logIn(open)
        try await device.profiles.apply(try #require(try await open.policy()), to: profile.id)
        try await device.profiles.apply(older, to: profile.id)
        let policed = try #require(try await device.profiles.profile(profile.id))
        #expect(policed.policy.pinLengths == nil && !policed.permits(.biometrics))

        try await forget(profile, open, on: device)
        await device.relyingParty.set(policy: Self.eightDigits, revision: try revision(3))
        _ = try await binder(device, profile.id).bind(
            open, code: await device.relyingParty.issueCode(for: UserID(unchecked: "bob")),
            deviceName: DeviceName(unchecked: "Phone"))
        try await device.profiles.apply(try #require(try await open.policy()), to: profile.id)
        let rebound = try #require(try await device.profiles.profile(profile.id))
        #expect(rebound.pinPolicy.lengths == 8...8 && rebound.permits(.biometrics))
    }

    @Test("A revision in the registry that is greater than the vault's is put right by the next unlock")
    func plantedRevision() async throws {
        let (device, other) = (SharedDevice(), SharedDevice())
        let profile = try await bound(device, policy: Self.eightDigits)
        let (otherProfile, otherOpen) = try await other.register()
        await other.relyingParty.sign(with: P256.Signing.PrivateKey())
        await other.relyingParty.set(policy: "{}", revision: try revision(9))
        try await other.bind(otherProfile.id, in: otherOpen)
        // The same server, app and user as the policy of this device's vault.
        let planted = try #require(try await otherOpen.policy())
        try await device.profiles.apply(planted, to: profile.id)
        #expect(try await device.profiles.profile(profile.id)?.policy == Policy())

        let person = ScriptedPerson(
            entering: [.pin(TestPin.right), .pin(TestPin.right)], creating: [.pin(TestPin.new), .pin(Self.longer)])
        let auth = device.auth(profile, person)
        #expect(try await auth.unlock(reason: "Pay").events.isEmpty)
        #expect(try await device.profiles.profile(profile.id)?.pinPolicy.lengths == 8...8)
        try await device.profiles.apply(planted, to: profile.id)
        #expect(try await auth.changePin().ending == .changed)
        #expect(person.creatings.map(\.policy.lengths) == [8...8, 8...8])
    }

    @Test("A device that is bound again without a policy has no demands of its earlier binding")
    func boundAgain() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await bind(profile, open, on: device, policy: Self.eightDigits)
        let auth = device.auth(profile, ScriptedPerson(entering: [.pin(TestPin.right), .pin(TestPin.right)]))
        _ = try await auth.unlock(reason: "Pay")
        #expect(try await device.profiles.profile(profile.id)?.pinPolicy.lengths == 8...8)

        try await forget(profile, open, on: device)
        await device.relyingParty.sign(with: P256.Signing.PrivateKey())
        await device.relyingParty.set(policy: "{}", revision: .first)
        try await device.bind(profile.id, in: open)
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.pin))
        #expect(try await device.profiles.profile(profile.id) == profile)
        #expect(try await device.registry.json().written.contains(#""format":1"#))
    }

    @Test("A policy that does not count any more leaves no demands, and one that cannot be read leaves them all")
    func notCounting() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await bind(profile, open, on: device, policy: Self.pinOnly)
        let auth = device.auth(profile, ScriptedPerson(entering: (0..<3).map { _ in .pin(TestPin.right) }))
        _ = try await auth.unlock(reason: "Pay")
        try await open.setAny(SecretBytes(copying: Array("a.b".utf8)), named: .policy)
        let corrupt = try await auth.unlock(reason: "Pay")
        #expect(corrupt.events == [.policyNotRead(.corrupt)])
        #expect(try await device.profiles.profile(profile.id)?.permits(.biometrics) == false)
        let opened = try #require(corrupt.open)
        await #expect(throws: AuthenticatorError.notPermitted) { try await auth.setUp(.biometrics, in: opened) }

        let foreign = ScriptedRelyingParty.sign(
            policy: Self.eightDigits, revision: try revision(9), by: P256.Signing.PrivateKey())
        try await open.setAny(SecretBytes(copying: Array(foreign.utf8)), named: .policy)
        let refused = try await auth.unlock(reason: "Pay")
        #expect(refused.events == [.policyNotRead(.refused(.wrongSignature))])
        #expect(try await device.profiles.profile(profile.id) == profile)
        try await auth.setUp(.biometrics, in: try #require(refused.open))
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

    private func forget(_ profile: Profile, _ open: OpenVault, on device: SharedDevice) async throws {
        let binding = try #require(try await open.deviceBinding())
        try await binder(device, profile.id).forget(binding, in: open)
    }

    private func revision(_ number: Int) throws -> PolicyRevision { try #require(PolicyRevision(rawValue: number)) }

    private func binder(_ device: SharedDevice, _ profile: ProfileID) -> DeviceBinder {
        DeviceBinder(relyingParty: device.relyingParty, keys: device.profiles.deviceKeys(of: profile))
    }

    private func login(_ device: SharedDevice, _ profile: ProfileID) throws -> Login {
        Login(relyingParty: device.relyingParty, keys: device.profiles.deviceKeys(of: profile))
    }
}
