import Nightlatch
import NightlatchPlatform
import NightlatchRelyingParty
import NightlatchTesting
import NightlatchWire
import Testing

/// Runs the client library against a server whose operator changes policies by command.
@Suite("Policies at a server", .timeLimit(.minutes(10)))
struct PolicyTests {
    private static let right = "295038"
    private static let longer = "60583714"

    @Test(
        "A changed PIN length reaches a device that was off while an operator changed it at one of three servers",
        arguments: ServerFleet.Kind.allCases)
    func changedLength(kind: ServerFleet.Kind) async throws {
        let folder = try TemporaryFolder()
        let device = Device(keys: folder.path + "/keys")
        let id = try await device.register()
        try await ServerFleet.with(kind) { fleet in
            let code = try await fleet.backend.enrolmentCode(for: try #require(UserID(rawValue: "alice"))).code
            try await device.bind(id, at: fleet.party(0), with: code)
            for arguments in [
                ["--app", "nightlatch", "--pin-lengths", "7", "--lockout-policy", "payment"],
                ["--user", "alice", "--pin-lengths", "8"], ["--app", "nightlatch", "--pin-lengths", "9"],
            ] {
                let set = try await Nightlatch.run(
                    ["admin", "policy", "set"] + arguments + ["--database", fleet.databaseAddress])
                #expect(set.status == 0 && set.output.contains("operator"), "\(set.output)\(set.errors)")
            }
            // Server 0 has served the binding; server 2 starts after the change, and serves the next one.
            try await fleet.kill(2)
            try await fleet.restart(2)
            let delivered = try await device.logIn(id, at: fleet.party(0))
            #expect(delivered.kept?.pinLengths?.range == 8...8 && delivered.kept?.lockoutPolicy == .payment)
            let again = try await device.logIn(id, at: fleet.party(1))
            #expect(again == .unchanged)
            let set = try await Nightlatch.run(
                "admin", "policy", "set", "--user", "alice", "--pin-lengths", "8-9", "--database", fleet.databaseAddress
            )
            #expect(set.status == 0, "\(set.errors)")
            let changed = try await device.logIn(id, at: fleet.party(2))
            #expect(changed.kept?.pinLengths?.range == 8...9)
        }
        // The old PIN opens until the next one is set, which must have eight digits. No server is needed.
        let person = ScriptedPerson(
            entering: [.pin(Self.right), .pin(Self.longer)], creating: [.pin("604193"), .pin(Self.longer)])
        let auth = LocalAuthService(profile: id, in: device.profiles, prompt: person)
        guard case .changed = try await auth.changePin().outcome else {
            Issue.record("not changed")
            return
        }
        #expect(person.creatings.map(\.objections) == [[], [.length(allowed: 8...9)]])
        guard case .unlocked = try await auth.unlock(reason: "Pay").outcome else {
            Issue.record("not open")
            return
        }
    }

    /// A device whose profile, vault and keys stay when no server runs.
    private struct Device {
        let profiles: Profiles
        private let keys: any DeviceKeys

        init(keys folder: String) {
            let (vault, keys) = (MemoryStore(), SoftwareDeviceKeys(folder: folder))
            self.keys = keys
            profiles = Profiles(registry: MemoryStore(), deviceKeys: keys) { _ in
                Vault(
                    store: vault, clock: SystemLockoutClock(),
                    configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
            }
        }

        func register() async throws -> ProfileID {
            let outcome = try await profiles.register(
                try #require(ProfileName(rawValue: "Alice")),
                prompt: ScriptedPerson(creating: [.pin(PolicyTests.right)]))
            guard case .registered(let profile, let open) = outcome else { throw CancellationError() }
            await open.lock()
            return profile.id
        }

        func bind(_ id: ProfileID, at party: HTTPRelyingParty, with code: EnrolmentCode) async throws {
            let open = try await open(id)
            _ = try await DeviceBinder(relyingParty: party, keys: keys).bind(
                open, code: code, deviceName: try #require(DeviceName(rawValue: "Phone")))
            #expect(try await open.policy() == nil)
            await open.lock()
        }

        func logIn(_ id: ProfileID, at party: HTTPRelyingParty) async throws -> DeliveredPolicy {
            let open = try await open(id)
            let session = try await Login(relyingParty: party, keys: keys).logIn(open)
            await open.lock()
            return session.policy
        }

        private func open(_ id: ProfileID) async throws -> OpenVault {
            let profile = try #require(try await profiles.profile(id))
            return try await profiles.vault(of: profile).unlock(
                with: Pin(digits: SecretBytes(copying: Array(PolicyTests.right.utf8))))
        }
    }
}

extension DeliveredPolicy {
    fileprivate var kept: Policy? { if case .kept(let policy) = self { policy.policy } else { nil } }
}
