import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// The device crashes at any call of the registry's or the vault's store while the user is asked; then the app starts
/// again.
@Suite("Crash matrix of local authentication")
struct LocalAuthCrashTests {
    private static let longer = "60583714"

    @Test("After a crash during a change of PIN, the remembered length is that of the PIN that opens, or none")
    func changePin() async throws {
        func prepared(
            _ fault: FaultyStore.Fault = .before
        ) async throws -> (device: SharedDevice, profile: Profile) {
            let device = SharedDevice(dyingOf: fault)
            let (profile, open) = try await device.register(policy: try PinPolicy(lengths: 6...8))
            try await open.set("seed", named: "wallet")
            device.registry.repair()
            return (device, profile)
        }
        func run(_ device: SharedDevice, _ profile: Profile) async throws -> NewPinResult {
            let person = ScriptedPerson(entering: [.pin(TestPin.right)], creating: [.pin(Self.longer)])
            return try await device.auth(profile, person).changePin()
        }
        let rehearsal = try await prepared()
        #expect(try await run(rehearsal.device, rehearsal.profile).ending == .changed)
        var lengths: [Int?: Int] = [:]
        let points = try await CrashPoint.forEach(of: rehearsal.device.registry.callCount) { point in
            let (device, profile) = try await prepared(point.fault)
            device.registry.fail(at: point.call, point.fault)
            do {
                // After the PIN has changed, a length that was not written is an event.
                #expect(try await run(device, profile).events.count == 1, "\(point)")
            } catch {
                #expect(error is ChangePinError, "\(point)")
            }
            device.registry.repair()

            #expect(try await device.profiles.resume().isEmpty, "\(point)")
            let remembered = try #require(try await device.profiles.profile(profile.id)).pinLength
            lengths[remembered, default: 0] += 1
            var opening: [String] = []
            for pin in [TestPin.right, Self.longer] {
                let person = ScriptedPerson(entering: [.pin(pin)])
                let result = try await device.auth(profile, person).unlock(reason: "Pay")
                guard let open = result.open else { continue }
                #expect(try await open.text(named: "wallet") == "seed", "\(point)")
                opening.append(pin)
            }
            #expect(opening.count == 1, "\(point)")
            #expect(remembered == nil || remembered == opening.first?.count, "\(point)")
            // The unlock has repaired it.
            #expect(try await device.profiles.profile(profile.id)?.pinLength == opening.first?.count, "\(point)")
        }
        print("crash matrix: change of PIN with its length: \(points) points, remembered: \(lengths)")
        #expect(points >= 40)
        #expect(Set(lengths.keys) == [6, nil, 8])
    }

    @Test("After a crash at the last wrong PIN, the profile exists with its vault, or nothing of it remains")
    func wipe() async throws {
        func prepared(
            _ fault: FaultyStore.Fault = .before
        ) async throws -> (device: SharedDevice, profile: Profile) {
            let device = SharedDevice(dyingOf: fault, lockoutPolicy: .enterprise)
            let (profile, open) = try await device.register()
            try await device.bind(profile.id, in: open)
            try await open.setUpBiometrics()
            for _ in 1..<LockoutPolicy.enterprise.limit {
                await #expect(throws: UnlockError.self) {
                    try await device.profiles.vault(of: profile).unlock(TestPin.wrong)
                }
                device.clock.advance(by: .seconds(1800))
            }
            device.registry.repair()
            return (device, profile)
        }
        func run(_ device: SharedDevice, _ profile: Profile) async throws -> UnlockResult {
            try await device.auth(profile, ScriptedPerson(entering: [.pin(TestPin.wrong)])).unlock(reason: "Pay")
        }
        let rehearsal = try await prepared()
        #expect(try await run(rehearsal.device, rehearsal.profile).ending == .erased)
        var (keptCount, goneCount) = (0, 0)
        let points = try await CrashPoint.forEach(of: rehearsal.device.registry.callCount) { point in
            let (device, profile) = try await prepared(point.fault)
            device.registry.fail(at: point.call, point.fault)
            do {
                let result = try await run(device, profile)
                #expect(result.ending == .erased && result.events.count == 1, "\(point)")
            } catch {
                #expect(error is LocalAuthError, "\(point)")
            }
            device.registry.repair()

            let resumed = try await device.profiles.resume()
            #expect(resumed.allSatisfy { $0.failure == nil }, "\(point)")
            if let listed = try await device.profiles.profile(profile.id) {
                keptCount += 1
                let expected = SharedDevice.Possessions(vaults: 1, deviceKeys: 2, biometricKeys: 1)
                #expect(try await device.possessions() == expected, "\(point)")
                // The attempt is not charged yet, or charged and interrupted. An interrupted attempt blocks, and wipes
                // nothing.
                let state = try await device.profiles.vault(of: listed).state()
                #expect([.ready(triesLeft: 1), .blocked(.newCredentials)].contains(state), "\(point)")
            } else {
                goneCount += 1
                #expect(try await device.possessions() == .none, "\(point)")
                #expect(try await device.entryCount() == 0, "\(point)")
            }
        }
        print("crash matrix: wipe with its profile: \(points) points")
        #expect(keptCount >= 10 && goneCount >= 10)
    }

    @Test("After a crash while biometrics change, the PIN opens, and biometrics open the complete vault or nothing")
    func authenticators() async throws {
        for isRemoved in [false, true] {
            func prepared(
                _ fault: FaultyStore.Fault = .before
            ) async throws -> (device: SharedDevice, profile: Profile, open: OpenVault) {
                let device = SharedDevice(dyingOf: fault)
                let (profile, open) = try await device.register()
                try await open.set("seed", named: "wallet")
                if isRemoved { try await device.auth(profile).setUp(.biometrics, in: open) }
                device.registry.repair()
                return (device, profile, open)
            }
            func run(_ device: SharedDevice, _ profile: Profile, _ open: OpenVault) async throws {
                if isRemoved {
                    try await device.auth(profile).remove(.biometrics, from: open)
                } else {
                    try await device.auth(profile).setUp(.biometrics, in: open)
                }
            }
            let rehearsal = try await prepared()
            try await run(rehearsal.device, rehearsal.profile, rehearsal.open)
            let points = try await CrashPoint.forEach(of: rehearsal.device.registry.callCount) { point in
                let (device, profile, open) = try await prepared(point.fault)
                device.registry.fail(at: point.call, point.fault)
                await #expect(throws: AuthenticatorError.self, "\(point)") { try await run(device, profile, open) }
                device.registry.repair()

                let person = ScriptedPerson(entering: [.pin(TestPin.right)])
                let result = try await device.auth(profile, person).unlock(reason: "Pay")
                #expect(result.events.isEmpty, "\(point)")
                #expect(try await result.open?.text(named: "wallet") == "seed", "\(point)")
                let again = try await device.profiles.vault(of: profile).unlock(TestPin.right)
                try await run(device, profile, again)
                // A keyring has two keys. The unused one may stay.
                let keyCount = try await device.possessions().biometricKeys
                #expect((isRemoved ? 0...0 : 1...2).contains(keyCount), "\(point)")
            }
            print("crash matrix: \(isRemoved ? "removing" : "setting up") biometrics: \(points) points")
        }
    }
}
