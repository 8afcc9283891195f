import Nightlatch
import NightlatchPlatform
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTesting
import NightlatchWire
import Testing

/// Runs the client's binding by password against the real server.
@Suite("Binding by password at a server", .timeLimit(.minutes(10)))
struct PasswordBindingTests {
    private func credentials(_ password: String) throws -> Credentials {
        Credentials(
            user: try #require(UserID(rawValue: "alice")), password: try #require(Password(rawValue: password)))
    }

    @Test("The right password binds a device and later identifies its user; a wrong password does neither")
    func story() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let backend = HTTPBackend(issuer: server.issuer, key: try .load(from: server.folder + "/backend.key"))
            let (right, wrong) = (try credentials("correct horse battery"), try credentials("battery horse correct"))
            _ = try await backend.setPassword(right)

            let party = HTTPRelyingParty(issuer: server.issuer)
            let keys = SoftwareDeviceKeys(folder: folder.path + "/keys")
            let binder = DeviceBinder(relyingParty: party, keys: keys)
            let name = try #require(DeviceName(rawValue: "Phone"))
            let vault = Vault(
                store: MemoryStore(), clock: SystemLockoutClock(),
                configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
            let open = try await vault.create(with: Pin(digits: SecretBytes(copying: Array("295038".utf8))))
            do {
                _ = try await binder.bind(open, credentials: wrong, deviceName: name)
                Issue.record("a wrong password binds")
            } catch BindingError.relyingParty(.refused(let refusal)) {
                #expect(refusal.code == .credentialsRefused)
            }
            let binding = try await binder.bind(open, credentials: right, deviceName: name)
            #expect(binding.user == right.user)

            _ = try await FullCredentials.checked(right.password, by: party, for: open)
            do {
                _ = try await FullCredentials.checked(wrong.password, by: party, for: open)
                Issue.record("a wrong password vouches")
            } catch FullCredentialsError.relyingParty(.refused(let refusal)) {
                #expect(refusal.code == .credentialsRefused)
            }
            // The codes that the right password returned are not used.
            let session = try await Login(relyingParty: party, keys: keys).logIn(open)
            #expect(try await session.devices().devices.map(\.id) == [binding.device])
        }
    }
}
