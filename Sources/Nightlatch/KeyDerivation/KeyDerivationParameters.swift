/// The function that turns a PIN into a key, and its cost. A slot stores both beside its salt and authenticates them.
public enum KeyDerivationParameters: Hashable, Sendable {
    /// Argon2id version 1.3 ([RFC 9106](https://www.rfc-editor.org/rfc/rfc9106)): `memoryKibibytes` KiB of memory,
    /// `passes` passes over it, and `lanes` lanes.
    case argon2id(memoryKibibytes: Int, passes: Int, lanes: Int)
    /// PBKDF2 with HMAC-SHA256 ([RFC 8018](https://www.rfc-editor.org/rfc/rfc8018#section-5.2)). It needs no memory, so
    /// a graphics card tries PINs far faster than with Argon2id.
    case pbkdf2(iterations: Int)

    /// The parameters for a new PIN: Argon2id with 64 MiB, three passes and one lane.
    public static let `default` = KeyDerivationParameters.argon2id(memoryKibibytes: 64 * 1024, passes: 3, lanes: 1)

    /// 600,000 iterations of PBKDF2 (OWASP Password Storage Cheat Sheet), for devices without the memory for Argon2id.
    public static let pbkdf2Default = KeyDerivationParameters.pbkdf2(iterations: 600_000)
}

extension KeyDerivationParameters: Codable {
    private enum Algorithm: String, Codable {
        case argon2id
        case pbkdf2 = "pbkdf2-hmac-sha256"
    }

    private enum CodingKeys: String, CodingKey {
        case algorithm, iterations, lanes, passes
        case memoryKibibytes = "memory_kib"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Algorithm.self, forKey: .algorithm) {
        case .argon2id:
            self = .argon2id(
                memoryKibibytes: try container.decode(Int.self, forKey: .memoryKibibytes),
                passes: try container.decode(Int.self, forKey: .passes),
                lanes: try container.decode(Int.self, forKey: .lanes))
        case .pbkdf2:
            self = .pbkdf2(iterations: try container.decode(Int.self, forKey: .iterations))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .argon2id(let memoryKibibytes, let passes, let lanes):
            try container.encode(Algorithm.argon2id, forKey: .algorithm)
            try container.encode(memoryKibibytes, forKey: .memoryKibibytes)
            try container.encode(passes, forKey: .passes)
            try container.encode(lanes, forKey: .lanes)
        case .pbkdf2(let iterations):
            try container.encode(Algorithm.pbkdf2, forKey: .algorithm)
            try container.encode(iterations, forKey: .iterations)
        }
    }
}
