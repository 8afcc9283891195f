import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchRelyingParty
import NightlatchServerProcess
import NightlatchTesting
import NightlatchTwoPartyPin
import NightlatchWire

/// Measures unlocks of a vault with a two-party PIN: the number of requests to the server, and the time.
///
/// The key derivation costs almost nothing. Each unlock uses a new `Vault`, which has no cached state, and a connection
/// that is already open.
struct TwoPartyUnlockBenchmark: BenchmarkGroup {
    let names = ["two_party_unlock_round_trips", "two_party_unlock_loopback_ms", "two_party_unlock_50ms_delay_ms"]

    func measure() async throws -> [Measurement] {
        let servers = try BenchmarkServers(["server"])
        defer { servers.clearAway() }
        let (server, folder) = (servers.processes[0], servers.folders[0])
        let party = HTTPRelyingParty(issuer: try server.start(port: 0))
        let keys = SoftwareDeviceKeys(folder: folder + "/keys")
        let store = FileStore(path: folder + "/vault")
        try await bind(in: store, keys: keys, with: party, server)
        // Moves the vault to a two-party PIN, and opens the connection.
        _ = try await unlock(store, keys, party, delay: .zero)
        let near = try await unlocks(40, store, keys, party, delay: .zero)
        let far = try await unlocks(10, store, keys, party, delay: .milliseconds(50))
        return [
            Measurement(
                "two_party_unlock_round_trips", Double((near + far).map(\.requests).max() ?? 0), "requests", bar: 2,
                better: .lower),
            Measurement("two_party_unlock_loopback_ms", median(near), "ms", better: .lower),
            Measurement("two_party_unlock_50ms_delay_ms", median(far), "ms", better: .lower),
        ]
    }

    private struct Unlock {
        let requests: Int
        let time: Duration
    }

    private func bind(
        in store: FileStore,
        keys: SoftwareDeviceKeys,
        with party: HTTPRelyingParty,
        _ server: ServerProcess
    ) async throws {
        guard let user = UserID(rawValue: "alice"), let name = DeviceName(rawValue: "Phone") else {
            throw CocoaError(.coderInvalidValue)
        }
        let backend = HTTPBackend(issuer: party.issuer, key: try .load(from: server.backendKeyPath))
        let open = try await vault(in: store, hardener: nil).create(with: try pin())
        _ = try await DeviceBinder(relyingParty: party, keys: keys).bind(
            open, code: try await backend.enrolmentCode(for: user).code, deviceName: name)
        await open.lock()
    }

    private func unlocks(
        _ count: Int,
        _ store: FileStore,
        _ keys: SoftwareDeviceKeys,
        _ party: HTTPRelyingParty,
        delay: Duration
    ) async throws -> [Unlock] {
        var unlocks: [Unlock] = []
        for _ in 0..<count { unlocks.append(try await unlock(store, keys, party, delay: delay)) }
        return unlocks
    }

    private func unlock(
        _ store: FileStore,
        _ keys: SoftwareDeviceKeys,
        _ party: HTTPRelyingParty,
        delay: Duration
    ) async throws -> Unlock {
        let way = InterceptedPinParty(party) { _ async throws(RelyingPartyError) in
            do {
                try await Task.sleep(for: delay)
            } catch {
                throw .cancelled
            }
            return nil
        }
        let clock = ContinuousClock()
        let start = clock.now
        _ = try await vault(in: store, hardener: TwoPartyPin(relyingParty: way, keys: keys)).unlock(with: try pin())
        return Unlock(requests: await way.callCount, time: clock.now - start)
    }

    private func vault(in store: FileStore, hardener: TwoPartyPin?) -> Vault {
        Vault(
            store: store, clock: SystemLockoutClock(), hardener: hardener,
            configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
    }

    private func pin() throws -> Pin { try Pin(digits: SecretBytes(copying: Array("295038".utf8))) }

    private func median(_ unlocks: [Unlock]) -> Double {
        let times = unlocks.map(\.time).sorted()
        return times[times.count / 2] / .milliseconds(1)
    }
}
