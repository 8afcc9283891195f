/// The version of an app: one to four numbers of at most nine digits, joined by dots, such as `2.10.1`.
///
/// Versions are compared number by number, and missing numbers are 0. So `1.2` and `1.2.0` are equal.
public struct AppVersion: RawRepresentable, Sendable {
    /// The version as it was written.
    public let rawValue: String
    private let numbers: [Int]

    static let requirement = "1 to 4 numbers of at most 9 digits, joined by dots"

    /// Creates a version. Returns nil unless `rawValue` is one.
    public init?(rawValue: String) {
        guard rawValue.utf8.count <= 39 else { return nil }
        let parts = rawValue.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...9).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part), String(number) == part
            else { return nil }
            numbers.append(number)
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.rawValue = rawValue
        self.numbers = numbers
    }
}

extension AppVersion: Hashable, Comparable {
    public static func == (one: Self, other: Self) -> Bool { one.numbers == other.numbers }

    // Without this operator, `!=` would be that of `RawRepresentable`, which compares texts.
    public static func != (one: Self, other: Self) -> Bool { !(one == other) }

    public static func < (one: Self, other: Self) -> Bool { one.numbers.lexicographicallyPrecedes(other.numbers) }

    public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
}

extension AppVersion: CustomStringConvertible {
    public var description: String { rawValue }
}

extension AppVersion: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let rule = "must be a string: " + Self.requirement
        guard let version = Self(rawValue: try container.decode(String.self, rule: rule)) else {
            throw DecodingError.broken(rule, at: container.codingPath)
        }
        self = version
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
