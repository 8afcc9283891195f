/// How a PIN becomes a key: the function and what it costs. Stored beside the salt and authenticated with it.
public enum KeyDerivationParameters: Hashable, Sendable {
    /// PBKDF2 with HMAC-SHA256 ([RFC 8018](https://www.rfc-editor.org/rfc/rfc8018#section-5.2)).
    case pbkdf2(iterations: Int)

    /// What a new PIN is stretched with: 600,000 iterations of PBKDF2 (OWASP Password Storage Cheat Sheet).
    public static let `default` = KeyDerivationParameters.pbkdf2(iterations: 600_000)

    /// Whether a guess costs less than with `other`.
    func isWeaker(than other: Self) -> Bool {
        switch (self, other) {
        case (.pbkdf2(let own), .pbkdf2(let others)): own < others
        }
    }
}

extension KeyDerivationParameters: Codable {
    private enum Algorithm: String, Codable {
        case pbkdf2 = "pbkdf2-hmac-sha256"
    }

    private enum CodingKeys: CodingKey {
        case algorithm, iterations
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Algorithm.self, forKey: .algorithm) {
        case .pbkdf2: self = .pbkdf2(iterations: try container.decode(Int.self, forKey: .iterations))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .pbkdf2(let iterations):
            try container.encode(Algorithm.pbkdf2, forKey: .algorithm)
            try container.encode(iterations, forKey: .iterations)
        }
    }
}
