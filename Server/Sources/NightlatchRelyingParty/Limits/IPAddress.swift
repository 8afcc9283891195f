import Foundation

/// An IPv6 address, or an IPv4 address mapped to IPv6 ([RFC 4291, section
/// 2.5.5.2](https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2)).
public struct IPAddress: Hashable, Sendable {
    private static let mappedPrefix: UInt64 = 0xFFFF

    let high: UInt64
    let low: UInt64

    /// Parses an address without port, zone or brackets; returns nil for anything else.
    public init?(_ text: String) {
        // The C function would ignore the text after a zero byte.
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
            high = Self.word(bytes[0..<8])
            low = Self.word(bytes[8..<16])
        } else if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            high = 0
            low = Self.mappedPrefix << 32 | Self.word(bytes[0..<4])
        } else {
            return nil
        }
    }

    /// Parses an address from `X-Forwarded-For`.
    ///
    /// Some proxies add the client's port, `203.0.113.1:50001` or `[2001:db8::1]:443`, and some write brackets without
    /// a port.
    package static func forwarded(_ text: String) -> IPAddress? {
        if let address = IPAddress(text) { return address }
        let isBracketed = text.hasPrefix("[")
        guard let end = text.firstIndex(of: isBracketed ? "]" : ":"),
            let address = IPAddress(String(text[..<end].dropFirst(isBracketed ? 1 : 0))),
            text[..<end].contains(":") == isBracketed
        else { return nil }
        let port = text[end...].dropFirst(isBracketed ? 1 : 0)
        guard port.isEmpty || port.first == ":" && (2...6).contains(port.utf8.count),
            port.utf8.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return address
    }

    fileprivate init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    var isIPv4: Bool { high == 0 && low >> 32 == Self.mappedPrefix }

    /// The smallest address range that a provider assigns to one customer: a single IPv4 address, or an IPv6 /64.
    package var customer: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// A range of addresses with a common prefix, such as `10.0.0.0/8`, or a single address.
public struct AddressRange: Hashable, Sendable {
    private let first: IPAddress
    /// The length of the common prefix in bits. For IPv4, it includes the 96 bits of the mapping to IPv6.
    private let prefixLength: Int

    /// Parses `ADDRESS` or `ADDRESS/LENGTH`; returns nil for anything else, and if bits beyond the length are set.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { return nil }
        first = address
        guard parts.count == 2 else {
            prefixLength = 128
            return
        }
        let mapping = address.isIPv4 ? 96 : 0
        guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let length = Int(parts[1]), (0...(128 - mapping)).contains(length)
        else { return nil }
        prefixLength = mapping + length
        guard Self.masked(address, prefixLength) == address else { return nil }
    }

    /// Whether the range contains `address`.
    public func contains(_ address: IPAddress) -> Bool { Self.masked(address, prefixLength) == first }

    private static func masked(_ address: IPAddress, _ length: Int) -> IPAddress {
        IPAddress(
            high: address.high & ~UInt64.zero << (64 - min(length, 64)),
            low: address.low & (length <= 64 ? 0 : ~UInt64.zero << (128 - length)))
    }
}

extension IPAddress: CustomStringConvertible {
    /// The textual form; an IPv4 address is written without its mapping.
    public var description: String {
        let words = [high, low].flatMap { half in (0..<4).reversed().map { half >> ($0 * 16) & 0xFFFF } }
        guard isIPv4 else { return words.map { String($0, radix: 16) }.joined(separator: ":") }
        return words.suffix(2).map { "\($0 >> 8).\($0 & 0xFF)" }.joined(separator: ".")
    }
}

extension AddressRange: CustomStringConvertible {
    /// The form that ``init(_:)`` parses.
    public var description: String {
        let (length, whole) = first.isIPv4 ? (prefixLength - 96, 32) : (prefixLength, 128)
        return length == whole ? first.description : "\(first)/\(length)"
    }
}
