import Nightlatch
import Testing

/// Calibration on devices that fill a given number of KiB a second.
@Suite("Calibration of the key derivation")
struct KeyDerivationCalibrationTests {
    @Test(
        "A device of any speed gets parameters for the requested time: first memory, at its ceiling passes",
        arguments: [
            // 192 MiB in 300 ms: three passes over 64 MiB.
            (655_360.0, 300, 256, 65_536, 3),
            // The same device with more time, and with less.
            (655_360, 1200, 256, 262_144, 3), (655_360, 2400, 256, 262_144, 6), (655_360, 150, 256, 32_768, 3),
            // Less memory is allowed: more passes.
            (655_360, 300, 32, 32_768, 6),
            // Slow devices get the minimum, and not less.
            (1000, 300, 256, 11_946, 4), (0.001, 300, 256, 11_946, 4), (655_360, 0, 256, 11_946, 4),
            // A ceiling below the minimum or above the standard one has no effect.
            (655_360, 300, 1, 7168, 27), (1e9, 30_000, 1_000_000, 1_048_576, 16), (.infinity, 300, 256, 262_144, 64),
        ])
    func calibrated(
        kibibytesPerSecond: Double, milliseconds: Int, ceilingMebibytes: Int, memoryKibibytes: Int, passes: Int
    ) throws {
        let calibration = KeyDerivationCalibration(
            target: .milliseconds(milliseconds), bounds: .standard, memoryCeilingKibibytes: ceilingMebibytes * 1024)
        var measured: [KeyDerivationParameters] = []
        let parameters = try calibration.parameters { probe throws(KeyDerivationFailure) in
            measured.append(probe)
            guard case .argon2id(let memory, let passes, _) = probe else { return .zero }
            return .seconds(Double(memory * passes) / kibibytesPerSecond)
        }
        #expect(parameters == .argon2id(memoryKibibytes: memoryKibibytes, passes: passes, lanes: 1))
        #expect(KeyDerivationBounds.standard.contain(parameters))
        #expect(measured == [.argon2id(memoryKibibytes: 7168, passes: 1, lanes: 1)])
    }

    @Test("Missing memory for the probe is reported")
    func noMemory() {
        let calibration = KeyDerivationCalibration(
            target: .milliseconds(300), bounds: .standard, memoryCeilingKibibytes: 65_536)
        #expect(throws: KeyDerivationFailure.memoryUnavailable(byteCount: 5)) {
            try calibration.parameters { _ throws(KeyDerivationFailure) in throw .memoryUnavailable(byteCount: 5) }
        }
    }

    @Test("Calibration on this device gives parameters that vaults accept")
    func here() async throws {
        // Requests only the minimum, so that the test is quick.
        let parameters = try await KeyDerivationParameters.calibrated(for: .zero)
        #expect(KeyDerivationBounds.standard.contain(parameters))
        #expect(parameters.isWeaker(than: .default))
    }
}
