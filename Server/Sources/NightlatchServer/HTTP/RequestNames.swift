import Synchronization

/// Generates request ids. The same id is in an answer's `X-Request-Id` and in the request's log lines.
///
/// An id is 16 random hexadecimal digits for the process, followed by 16 hexadecimal digits of a counter with a random
/// start.
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
