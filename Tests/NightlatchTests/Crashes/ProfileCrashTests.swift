import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// The device crashes at any call of the store of the registry, a vault or a key; then the app starts again and
/// resumes.
@Suite("Crash matrix of profiles")
struct ProfileCrashTests {
    @Test("After a crash at any point of a registration, the profile is complete, or nothing of it remains")
    func register() async throws {
        func run(_ device: SharedDevice) async throws {
            let outcome = try await device.profiles.register(
                ProfileName(unchecked: "Alice"), prompt: ScriptedPerson(creating: [.pin(TestPin.right)])
            ) { profile, open in
                try await open.set("seed", named: "wallet")
                try await open.setUpBiometrics()
                try await device.bind(profile.id, in: open)
            }
            guard case .registered = outcome else { throw SharedDevice.NotRegistered() }
        }
        let rehearsal = SharedDevice()
        try await rehearsal.register("Bob")
        rehearsal.registry.repair()
        try await run(rehearsal)
        var registeredCount = 0
        let points = try await CrashPoint.forEach(of: rehearsal.registry.callCount) { point in
            let device = SharedDevice(dyingOf: point.fault)
            let bob = try await device.register("Bob").profile
            device.registry.fail(at: point.call, point.fault)
            await #expect(throws: (any Error).self, "\(point)") { try await run(device) }
            device.registry.repair()

            let resumed = try await device.profiles.resume()
            #expect(resumed.allSatisfy { $0.cause == .registrationCutOff && $0.failure == nil }, "\(point)")
            let others = try await device.profiles.all().filter { $0 != bob }
            if let alice = others.first {
                // The last write arrived, and only the crash prevented its report.
                registeredCount += 1
                #expect(resumed.isEmpty && others.count == 1 && alice.pinLength == 6, "\(point)")
                let open = try await device.profiles.vault(of: alice).unlock(TestPin.right)
                #expect(try await open.text(named: "wallet") == "seed", "\(point)")
                #expect(try await open.deviceBinding() != nil, "\(point)")
                #expect(try await device.possessions() == .init(vaults: 2, deviceKeys: 2, biometricKeys: 1), "\(point)")
            } else {
                #expect(try await device.possessions() == .init(vaults: 1), "\(point)")
                #expect(try await device.entryCount() == 1, "\(point)")
            }
            try await device.profiles.vault(of: bob).unlock(TestPin.right)
        }
        print("crash matrix: registration: \(points) points")
        #expect(points >= 40)
        #expect(registeredCount == 1)
    }

    @Test("After a crash during a deregistration, nothing of the profile remains, and another profile is complete")
    func deregister() async throws {
        func prepared(
            _ fault: FaultyStore.Fault = .before
        ) async throws -> (device: SharedDevice, alice: ProfileID, bob: Profile) {
            let device = SharedDevice(dyingOf: fault)
            let alice = try await device.register("Alice")
            let bob = try await device.register("Bob")
            for person in [alice, bob] {
                try await device.bind(person.profile.id, in: person.open)
                try await person.open.setUpBiometrics()
            }
            try await device.profiles.setPreferredAuthenticator(.biometrics, for: alice.profile.id)
            device.registry.repair()
            return (device, alice.profile.id, bob.profile)
        }
        let rehearsal = try await prepared()
        try await rehearsal.device.profiles.deregister(rehearsal.alice)
        var keptCount = 0
        let points = try await CrashPoint.forEach(of: rehearsal.device.registry.callCount) { point in
            let (device, alice, bob) = try await prepared(point.fault)
            device.registry.fail(at: point.call, point.fault)
            await #expect(throws: DeregistrationError.self, "\(point)") { try await device.profiles.deregister(alice) }
            device.registry.repair()

            let listed = try await device.profiles.profile(alice)
            let resumed = try await device.profiles.resume()
            if let listed {
                // The crash came before the intention was written, so there is none.
                keptCount += 1
                #expect(resumed.isEmpty, "\(point)")
                #expect(listed.pinLength == 6 && listed.preferredAuthenticator == .biometrics, "\(point)")
                try await device.profiles.vault(of: listed).unlock(TestPin.right)
                try await device.profiles.deregister(alice)
            }
            #expect(resumed.allSatisfy { $0.cause == .deregistrationCutOff && $0.failure == nil }, "\(point)")
            let expected = SharedDevice.Possessions(vaults: 1, deviceKeys: 2, biometricKeys: 1)
            #expect(try await device.possessions() == expected, "\(point)")
            #expect(try await device.entryCount() == 1, "\(point)")
            let open = try await device.profiles.vault(of: bob).unlock(TestPin.right)
            #expect(try await open.deviceBinding() != nil, "\(point)")
        }
        print("crash matrix: deregistration: \(points) points")
        #expect(points >= 12)
        // Both calls up to the write of the intention, except for the write that arrived.
        #expect(keptCount == 2 * FaultyStore.Fault.allCases.count - 1)
    }

    @Test("After crashes at any two points, of a deregistration and of its resumption, nothing remains")
    func deregisterTwice() async throws {
        var points = 0
        for first in 1...5 {
            // The second call writes the intention.
            for second in 0..<7 {
                for fault in FaultyStore.Fault.allCases {
                    points += 1
                    let device = SharedDevice(dyingOf: fault)
                    let alice = try await device.register()
                    try await device.bind(alice.profile.id, in: alice.open)
                    try await alice.open.setUpBiometrics()
                    device.registry.fail(at: first, .after)
                    await #expect(throws: DeregistrationError.self) {
                        try await device.profiles.deregister(alice.profile.id)
                    }
                    device.registry.fail(at: second, fault)
                    do {
                        _ = try await device.profiles.resume()
                    } catch {
                        #expect(error == RegistryError(.profiles, StoreError(.unavailable)))
                    }
                    device.registry.repair()
                    _ = try await device.profiles.resume()
                    #expect(try await device.possessions() == .none, "\(first), then \(fault) \(second)")
                    #expect(try await device.entryCount() == 0, "\(first), then \(fault) \(second)")
                }
            }
        }
        print("crash matrix: deregistration and resuming: \(points) points")
    }

    @Test("After a crash at any point of a change to a profile, it is the old or the new profile")
    func settings() async throws {
        let long = try PinPolicy(lengths: 8...8)
        let rehearsal = SharedDevice()
        let id = try await rehearsal.register().profile.id
        rehearsal.registry.repair()
        try await rehearsal.profiles.setPinPolicy(long, for: id)
        let points = try await CrashPoint.forEach(of: rehearsal.registry.callCount) { point in
            let device = SharedDevice(dyingOf: point.fault)
            let before = try await device.register().profile
            device.registry.fail(at: point.call, point.fault)
            await #expect(throws: RegistryError.self, "\(point)") {
                try await device.profiles.setPinPolicy(long, for: before.id)
            }
            device.registry.repair()
            let after = try #require(try await device.profiles.profile(before.id))
            #expect([.default, long].contains(after.pinPolicy), "\(point)")
            #expect(after.pinLength == 6 && after.name == before.name, "\(point)")
        }
        #expect(points == 2 * FaultyStore.Fault.allCases.count)
    }
}
