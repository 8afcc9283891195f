import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// Runs the article's code against a real server.
@Suite("A two-party PIN in your app", .timeLimit(.minutes(10)))
struct TwoPartyWalletTests {
    @Test("A vault that the article sets up needs the server, and the same call continues after a crash")
    func setUp() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let rehearsal = try Phone(at: server, in: folder)
            _ = try await rehearsal.setUp(try await server.code())
            let callCount = rehearsal.store.callCount
            for call in stride(from: 1, to: callCount, by: max(callCount / 5, 1)) {
                let phone = try Phone(at: server, in: folder)
                let code = try await server.code(for: "user-\(call)")
                phone.store.fail(at: call, .after)
                await #expect(throws: (any Error).self, "call \(call)") { try await phone.setUp(code) }
                phone.store.repair()
                #expect(try await phone.setUp(code).pinTier == .hardened, "call \(call)")
            }
        }
    }

    @Test("The app tells a wrong PIN from a right one, and both from a server that does not answer")
    func unlock() async throws {
        let folder = try TemporaryFolder()
        let wallet = try await ServerProcess.run(in: folder) { server in
            let phone = try Phone(at: server, in: folder)
            _ = try await phone.setUp(try await server.code())
            guard case .refused(.wrong) = try await phone.wallet.unlock(with: TwoPartyPhone.pin("860527")),
                case .open(_, warning: nil) = try await phone.wallet.unlock(with: TwoPartyPhone.pin("295038"))
            else { throw Unexpected() }
            return phone.wallet
        }.value
        guard case .offline = try await wallet.unlock(with: TwoPartyPhone.pin("295038")) else { throw Unexpected() }
    }

    @Test("A local vault moves under a new PIN")
    func move() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let phone = try Phone(at: server, in: folder)
            let local = Vault(store: phone.store, clock: SystemLockoutClock())
            let open = try await local.create(with: TwoPartyPhone.pin("295038"))
            _ = try await DeviceBinder(relyingParty: phone.wallet.server, keys: phone.wallet.keys).bind(
                open, code: try #require(EnrolmentCode(try await server.code())), deviceName: phone.name)
            let moved = try await phone.wallet.move(
                from: TwoPartyPhone.pin("295038"), to: TwoPartyPhone.pin("714906"))
            #expect(await moved.pinTier == .hardened)
        }
    }

    private struct Unexpected: Error {}

    /// The article's wallet on a phone of its own.
    private struct Phone {
        let store = FaultyStore(MemoryStore())
        let name: DeviceName
        let wallet: Wallet

        init(at server: ServerProcess, in folder: TemporaryFolder) throws {
            name = try #require(DeviceName(rawValue: "Phone"))
            let keys = SoftwareDeviceKeys(folder: "\(folder.path)/keys-\(UUID().uuidString)")
            wallet = Wallet(at: server.issuer, keys: keys, store: store)
        }

        func setUp(_ code: String) async throws -> OpenVault {
            try await wallet.setUp(
                TwoPartyPhone.pin("295038"), code: try #require(EnrolmentCode(code)), deviceName: name)
        }
    }
}
