import Synchronization

/// Names requests, so that an answer's `X-Request-Id` leads to its lines in the log: 16 hexadecimal digits that stand for the process,
/// and 16 that count, from anywhere on.
final class RequestNames: Sendable {
    private static let digits = Array("0123456789abcdef".utf8)

    private let process = UInt64.random(in: .min ... .max)
    private let count = Atomic(UInt64.random(in: .min ... .max))

    func next() -> String {
        let digits = Self.digits
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        return unsafe String(unsafeUninitializedCapacity: 32) { text in
            for place in 0..<16 {
                let shift = 60 - 4 * place
                unsafe text[place] = digits[Int(truncatingIfNeeded: process >> shift) & 15]
                unsafe text[16 + place] = digits[Int(truncatingIfNeeded: number >> shift) & 15]
            }
            return 32
        }
    }
}
