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
        var text: [UInt8] = []
        text.reserveCapacity(32)
        for word in [process, number] {
            for place in 1...16 { text.append(digits[Int(truncatingIfNeeded: word >> (64 - 4 * place)) & 15]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
