/// Finds parameters of Argon2id that take about a wished time on this device.
package struct KeyDerivationCalibration {
    let target: Duration
    let bounds: Argon2idBounds
    /// No more memory than this is chosen; passes are raised instead.
    let memoryCeilingKibibytes: Int

    package init(target: Duration, bounds: Argon2idBounds, memoryCeilingKibibytes: Int) {
        self.target = target
        self.bounds = bounds
        self.memoryCeilingKibibytes = memoryCeilingKibibytes
    }

    /// A small run tells how long a KiB takes; memory is scaled up first, since it is what costs a guesser most, then passes.
    ///
    /// The result never lies below the floor nor above the ceiling, however slow or fast the device.
    ///
    /// - Parameter measure: How long a derivation with these parameters takes.
    package func parameters(
        measuring measure: (KeyDerivationParameters) throws(KeyDerivationFailure) -> Duration
    ) throws(KeyDerivationFailure) -> KeyDerivationParameters {
        let probe = bounds.memoryKibibytes.lowerBound
        let time = try measure(.argon2id(memoryKibibytes: probe, passes: 1, lanes: 1))
        // A clock that saw no time pass is taken for a very fast device.
        let secondsPerKibibyte = max(time / .seconds(1), 1e-9) / Double(probe)
        let wished = min(max(target / .seconds(1), 0) / secondsPerKibibyte, Double(bounds.filledKibibytes.upperBound))
        let filled = max(Int(wished), bounds.filledKibibytes.lowerBound)
        let ceiling = min(max(memoryCeilingKibibytes, probe), bounds.memoryKibibytes.upperBound)
        let memory = min(max(filled / Self.fewestPasses, probe), ceiling)
        // Rounded down for the time's sake, but never below the floor.
        let passesOfFloor = (bounds.filledKibibytes.lowerBound + memory - 1) / memory
        return .argon2id(memoryKibibytes: memory, passes: max(filled / memory, passesOfFloor), lanes: 1)
    }

    /// With fewer passes an attacker can do with less memory at little cost (RFC 9106, section 7).
    private static let fewestPasses = 3
}

extension KeyDerivationParameters {
    /// Parameters of Argon2id with which stretching a PIN takes about `target` on this device, within
    /// ``KeyDerivationBounds/standard``.
    ///
    /// It measures one small derivation. Measure once, at the first start of a release build, and keep the result: what else the
    /// device does at the time counts as slowness. Where nothing less than the floor will do, a slow device takes longer.
    ///
    /// - Parameters:
    ///   - target: How long an unlock may take.
    ///   - memoryCeilingKibibytes: The most memory that a derivation may take, in KiB; 256 MiB unless told otherwise.
    /// - Throws: ``KeyDerivationFailure/memoryUnavailable(byteCount:)`` if not even the small derivation's memory can be had.
    @concurrent
    public static func calibrated(
        for target: Duration = .milliseconds(300),
        memoryCeilingKibibytes: Int = 256 * 1024
    ) async throws(KeyDerivationFailure) -> KeyDerivationParameters {
        let calibration = KeyDerivationCalibration(
            target: target, bounds: .standard, memoryCeilingKibibytes: memoryCeilingKibibytes)
        return try calibration.parameters { parameters throws(KeyDerivationFailure) in
            try parameters.timeOfOneDerivation()
        }
    }
}

extension KeyDerivationParameters {
    /// The shortest of three, since what else the device does makes a derivation longer and never shorter.
    fileprivate func timeOfOneDerivation() throws(KeyDerivationFailure) -> Duration {
        let clock = ContinuousClock()
        let digits = SecretBytes(copying: Array("000000".utf8))
        let salt = [UInt8](repeating: 0, count: 32)
        var shortest: Duration?
        for _ in 0..<3 {
            let start = clock.now
            _ = try prepareNow().stretchNow(digits, salt: salt)
            let time = start.duration(to: clock.now)
            shortest = min(shortest ?? time, time)
        }
        return shortest ?? .zero
    }
}
