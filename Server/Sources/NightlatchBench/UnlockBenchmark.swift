import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire

/// Unlocks a vault of ten secrets in the file store. Measures the cost beyond the key derivation, and the number of
/// writes.
struct UnlockBenchmark: BenchmarkGroup {
    let names = ["unlock_cpu_beyond_kdf_ms", "unlock_durable_writes", "unlock_default_kdf_cpu_ms"]

    private let rounds = 300

    func measure() async throws -> [Measurement] {
        let folder = FileManager.default.temporaryDirectory.path + "/nightlatch-bench-\(UUID().uuidString)"
        defer {
            // If this fails, the files stay in a temporary folder.
            try? FileManager.default.removeItem(atPath: folder)
        }
        // Uses a key derivation that costs almost nothing, so that the other costs remain.
        let store = CountingStore(FileStore(path: folder + "/cheap"))
        let cheap = Vault(
            store: store, clock: SystemLockoutClock(),
            configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
        try await fill(cheap)
        _ = try await cheap.unlock(with: try pin())
        let (writesBefore, timeBefore) = (store.writeCount, ProcessorTime.ofThisProcess())
        for _ in 0..<rounds { _ = try await cheap.unlock(with: try pin()) }
        let beyond = (ProcessorTime.ofThisProcess() - timeBefore) / Double(rounds)
        let writes = Double(store.writeCount - writesBefore) / Double(rounds)

        let real = Vault(store: FileStore(path: folder + "/real"), clock: SystemLockoutClock())
        try await fill(real)
        let start = ProcessorTime.ofThisProcess()
        for _ in 0..<5 { _ = try await real.unlock(with: try pin()) }
        let whole = (ProcessorTime.ofThisProcess() - start) / 5
        return [
            Measurement("unlock_cpu_beyond_kdf_ms", beyond, "ms", goal: 1, better: .lower),
            Measurement("unlock_durable_writes", writes, "writes", bar: 2, better: .lower),
            Measurement("unlock_default_kdf_cpu_ms", whole, "ms", better: .lower),
        ]
    }

    private func pin() throws -> Pin {
        try Pin(digits: SecretBytes(copying: Array("295038".utf8)))
    }

    private func fill(_ vault: Vault) async throws {
        let open = try await vault.create(with: try pin())
        for index in 0..<10 {
            guard let name = SecretName(rawValue: "secret-\(index)") else { continue }
            try await open.set(.random(byteCount: 64), named: name)
        }
    }
}
