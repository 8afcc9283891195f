/// Finds parameters of Argon2id that take about a given time on this device.
package struct KeyDerivationCalibration {
    let target: Duration
    let bounds: Argon2idBounds
    /// The maximum memory to choose, in KiB. If the time allows more, the number of passes is raised instead.
    let memoryCeilingKibibytes: Int

    package init(target: Duration, bounds: Argon2idBounds, memoryCeilingKibibytes: Int) {
        self.target = target
        self.bounds = bounds
        self.memoryCeilingKibibytes = memoryCeilingKibibytes
    }

    /// Measures one small derivation and scales it: first the memory, since it costs an attacker most, then the passes.
    ///
    /// The result is never below the floor or above the ceiling, however slow or fast the device is.
    ///
    /// - Parameter measure: Returns the time of a derivation with these parameters.
    package func parameters(
        measuring measure: (KeyDerivationParameters) throws(KeyDerivationFailure) -> Duration
    ) throws(KeyDerivationFailure) -> KeyDerivationParameters {
        let probe = bounds.memoryKibibytes.lowerBound
        let time = try measure(.argon2id(memoryKibibytes: probe, passes: 1, lanes: 1))
        // A clock that shows no elapsed time counts as a very fast device.
        let secondsPerKibibyte = max(time / .seconds(1), 1e-9) / Double(probe)
        let wished = min(max(target / .seconds(1), 0) / secondsPerKibibyte, Double(bounds.filledKibibytes.upperBound))
        let filled = max(Int(wished), bounds.filledKibibytes.lowerBound)
        let ceiling = min(max(memoryCeilingKibibytes, probe), bounds.memoryKibibytes.upperBound)
        let memory = min(max(filled / Self.fewestPasses, probe), ceiling)
        // Passes are rounded down to keep to the time, but never below the floor.
        let passesOfFloor = (bounds.filledKibibytes.lowerBound + memory - 1) / memory
        return .argon2id(memoryKibibytes: memory, passes: max(filled / memory, passesOfFloor), lanes: 1)
    }

    /// With fewer passes, an attacker can use less memory at little cost (RFC 9106, section 7).
    private static let fewestPasses = 3
}

extension KeyDerivationParameters {
    /// Returns parameters of Argon2id with which stretching a PIN takes about `target` on this device, within
    /// ``KeyDerivationBounds/standard``.
    ///
    /// It measures one small derivation. Measure once, at the first start of a release build, and keep the result.
    /// Other work during the measurement makes the device look slower. On a slow device, the floor of the bounds may
    /// take longer than `target`.
    ///
    /// - Parameters:
    ///   - target: The time that an unlock may take.
    ///   - memoryCeilingKibibytes: The most memory that a derivation may take, in KiB; 256 MiB by default.
    /// - Throws: ``KeyDerivationFailure/memoryUnavailable(byteCount:)`` if not even the memory of the small derivation
    ///   is available.
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
    /// Returns the shortest time of three, since other work of the device makes a derivation longer and never shorter.
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
