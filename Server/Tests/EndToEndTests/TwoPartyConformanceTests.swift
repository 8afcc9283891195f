import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchTwoPartyPin
import NightlatchWire
import Testing

@Suite("The hardener of a two-party PIN between the real client and a real server", .timeLimit(.minutes(10)))
struct TwoPartyConformanceTests {
    /// Runs `check` on a device bound at a new server.
    private func withDevice(_ check: (HardenedTestDevice) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let options = ["--address-rate", "0", "--account-rate", "0", "--guess-limit", "4"]
        try await ServerProcess.run(in: folder, options: options) { server in
            let backend = HTTPBackend(issuer: server.issuer, key: try BackendKey(file: server.folder + "/backend.key"))
            let user = try #require(UserID(rawValue: "alice"))
            let keys = RememberedKeys(SoftwareDeviceKeys(folder: folder.path + "/keys"))
            let relyingParty = HTTPRelyingParty(issuer: server.issuer)
            let vault = Vault(
                store: MemoryStore(), clock: ManualClock(),
                configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
            let binding = try await DeviceBinder(relyingParty: relyingParty, keys: keys).bind(
                try await vault.create(with: TwoPartyPhone.pin(TwoPartyPhone.right)),
                code: try await backend.enrolmentCode(for: user).code,
                deviceName: try #require(DeviceName(rawValue: "Phone")))
            try await check(
                HardenedTestDevice(
                    HardenedDevice(binding), key: try #require(keys[binding.keys.deviceKey]),
                    makeHardener: { TwoPartyPin(relyingParty: relyingParty, keys: keys) },
                    makeCode: { try await backend.enrolmentCode(for: user).code }))
        }
    }

    @Test("It keeps the contract of a hardener", arguments: PinHardenerConformance.allCases)
    func conformance(promise: PinHardenerConformance) async throws {
        try await withDevice { device in try await promise.check(device) }
    }

    @Test(
        "It counts and requests like the hardener in memory that other tests use",
        arguments: PinCountConformance.allCases)
    func count(promise: PinCountConformance) async throws {
        try await withDevice { device in try await promise.check(device) }
    }
}
