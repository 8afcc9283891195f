public import Nightlatch

/// The promises of every `RecordKey`. Run them on every adapter, as with ``SecureStoreConformance``.
public enum RecordKeyConformance: String, CaseIterable, Sendable {
    case aMACIs32Bytes
    case theSameBytesHaveTheSameMAC
    case aSecondOwnerOfTheKeyMakesTheSameMAC
    case otherBytesHaveAnotherMAC

    /// Checks this promise.
    ///
    /// - Parameter makeKey: Returns the device's key, the same at each call.
    /// - Throws: ``ConformanceFailure``, or the key's error.
    public func check(_ makeKey: () -> any RecordKey) async throws {
        let key = makeKey()
        func require(_ condition: Bool) throws { try ConformanceFailure.require(condition, rawValue) }
        let zeros: [UInt8] = Array(repeating: 0, count: 300)

        switch self {
        case .aMACIs32Bytes:
            for length in [0, 1, 32, 300] {
                try require(try await key.mac(over: Array(zeros.prefix(length))).count == 32)
            }
        case .theSameBytesHaveTheSameMAC:
            try require(try await key.mac(over: zeros) == key.mac(over: zeros))
        case .aSecondOwnerOfTheKeyMakesTheSameMAC:
            try require(try await key.mac(over: zeros) == makeKey().mac(over: zeros))
        case .otherBytesHaveAnotherMAC:
            // Longer, shorter, and with one bit changed in each byte.
            var inputs = [[], Array(zeros.dropLast()), zeros, zeros + [0]]
            for index in zeros.indices {
                var changed = zeros
                changed[index] = 1
                inputs.append(changed)
            }
            var macs: Set<[UInt8]> = []
            for input in inputs { macs.insert(try await key.mac(over: input)) }
            try require(macs.count == inputs.count)
        }
    }
}
