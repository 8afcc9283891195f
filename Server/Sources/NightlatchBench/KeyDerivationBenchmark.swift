import Foundation
import Nightlatch
import NightlatchArgon2
import NightlatchPlatform
import NightlatchTesting

/// Measures the cost of stretching a PIN: with Argon2id and the default parameters, in alternation with the reference
/// implementation, and with PBKDF2.
struct KeyDerivationBenchmark: BenchmarkGroup {
    let names = [
        "argon2id_64MiB_t3_p1_ratio_to_libargon2", "argon2id_64MiB_t3_p1_cpu_ms", "argon2id_peak_over_m_MiB",
        "pbkdf2_600k_cpu_ms",
    ]

    private let rounds = 15
    private let memoryKibibytes = 64 * 1024
    private let passes = 3
    private let password = Array("295038".utf8)
    private let salt = [UInt8](repeating: 7, count: 32)

    struct DifferentKeys: Error {}

    func measure() async throws -> [Measurement] {
        // Measured first, before the reference implementation allocates memory.
        let peak = try peakOverMemory()
        let reference = try ReferenceArgon2()
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            let start = ProcessorTime.ofThisProcess()
            let theirKey = try reference.key(
                from: password, salt: salt, memoryKibibytes: memoryKibibytes, passes: passes, lanes: 1, byteCount: 32)
            let middle = ProcessorTime.ofThisProcess()
            let ourKey = try key()
            ours.append(ProcessorTime.ofThisProcess() - middle)
            theirs.append(middle - start)
            guard ourKey == theirKey else { throw DifferentKeys() }
        }
        return [
            Measurement(
                "argon2id_64MiB_t3_p1_ratio_to_libargon2", median(ours) / median(theirs), "", bar: 1.1, goal: 0.8,
                better: .lower),
            Measurement("argon2id_64MiB_t3_p1_cpu_ms", median(ours), "ms", better: .lower),
            Measurement("argon2id_peak_over_m_MiB", peak, "MiB", bar: 2, better: .lower),
            Measurement("pbkdf2_600k_cpu_ms", try await pbkdf2Time(), "ms", better: .lower),
        ]
    }

    private func key() throws -> [UInt8] {
        guard let parameters = Argon2id.Parameters(memoryKibibytes: memoryKibibytes, passes: passes, lanes: 1) else {
            throw CocoaError(.coderInvalidValue)
        }
        var memory = try Argon2id.Memory(for: parameters)
        var key = [UInt8](repeating: 0, count: 32)
        unsafe key.withUnsafeMutableBytes { key in
            unsafe password.withUnsafeBytes { password in
                unsafe salt.withUnsafeBytes { salt in unsafe memory.deriveKey(from: password, salt: salt, into: key) }
            }
        }
        return key
    }

    /// Returns how much memory a derivation uses beyond its memory parameter, in MiB.
    private func peakOverMemory() throws -> Double {
        let before = try ProcessorTime.resetPeakMemory()
        _ = try key()
        return try ProcessorTime.peakMemory(of: getpid()) - before - Double(memoryKibibytes) / 1024
    }

    /// Returns the processor time of PBKDF2 in milliseconds, measured with an unlock. The other parts of an unlock take
    /// less than a hundredth of the time.
    private func pbkdf2Time() async throws -> Double {
        let vault = Vault(
            store: MemoryStore(), clock: SystemLockoutClock(),
            configuration: VaultConfiguration(keyDerivation: .pbkdf2Default))
        _ = try await vault.create(with: try Pin(digits: SecretBytes(copying: password)))
        var times: [Double] = []
        for _ in 0..<5 {
            let start = ProcessorTime.ofThisProcess()
            _ = try await vault.unlock(with: try Pin(digits: SecretBytes(copying: password)))
            times.append(ProcessorTime.ofThisProcess() - start)
        }
        return median(times)
    }

    private func median(_ times: [Double]) -> Double {
        times.sorted()[times.count / 2]
    }
}
