import NightlatchWire

extension ImportedPasswordHash.Recipe {
    /// The longest text, in bytes.
    private static let longestText = 512

    init(parsing text: String) throws(ImportedPasswordHashError) {
        guard text.utf8.count <= Self.longestText, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .unknownForm
        }
        // The first field is empty if the text begins with the separator.
        let fields = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard fields.count > 1 else { throw .unknownForm }
        switch (fields[0], fields[1]) {
        case ("", "argon2id"): self = .argon2id(try Self.argon2id(Array(fields[2...])))
        case ("", "2a"), ("", "2b"), ("", "2y"): self = .bcrypt(try Self.bcrypt(Array(fields[2...])))
        case ("", "pbkdf2"): self = .pbkdf2(try Self.passlib(Array(fields[2...]), .sha1))
        case ("", "pbkdf2-sha256"): self = .pbkdf2(try Self.passlib(Array(fields[2...]), .sha256))
        case ("", "pbkdf2-sha512"): self = .pbkdf2(try Self.passlib(Array(fields[2...]), .sha512))
        case ("pbkdf2_sha1", _): self = .pbkdf2(try Self.django(Array(fields[1...]), .sha1))
        case ("pbkdf2_sha256", _): self = .pbkdf2(try Self.django(Array(fields[1...]), .sha256))
        default: throw .unknownForm
        }
    }

    private static func argon2id(
        _ fields: [String]
    ) throws(ImportedPasswordHashError) -> ImportedPasswordHash.Argon2idHash {
        // Version 1.0 (`v=16`, or no version) is another function.
        guard fields.count == 4, fields[0] == "v=19" else { throw .malformed(.argon2id) }
        let costs = fields[1].split(separator: ",", omittingEmptySubsequences: false)
        guard costs.count == 3, let memory = number(costs[0], after: "m="), let passes = number(costs[1], after: "t="),
            let lanes = number(costs[2], after: "p="), passes >= 1, lanes >= 1, memory >= 8 * lanes,
            let salt = base64(fields[2]), (8...64).contains(salt.count), let hash = base64(fields[3]),
            (16...64).contains(hash.count)
        else { throw .malformed(.argon2id) }
        guard memory <= 64 * 1024, passes <= 64, lanes <= 16, memory * passes <= 192 * 1024 else {
            throw .tooCostly(.argon2id)
        }
        return ImportedPasswordHash.Argon2idHash(
            memoryKibibytes: memory, passes: passes, lanes: lanes, salt: salt, hash: hash)
    }

    private static func bcrypt(_ fields: [String]) throws(ImportedPasswordHashError) -> ImportedPasswordHash.BcryptHash
    {
        let alphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8
        guard fields.count == 2, fields[0].utf8.count == 2, let cost = Int(fields[0]), (4...31).contains(cost),
            fields[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), fields[1].utf8.count == 53,
            fields[1].utf8.allSatisfy(alphabet.contains),
            // The last character has two bits that belong to no byte. They are zero.
            fields[1].utf8.last.map(".CGKOSWaeimquy26".utf8.contains) == true
        else { throw .malformed(.bcrypt) }
        guard cost <= 12 else { throw .tooCostly(.bcrypt) }
        return ImportedPasswordHash.BcryptHash(
            cost: fields[0], salt: String(fields[1].prefix(22)), hash: String(fields[1].dropFirst(22)))
    }

    /// `ITERATIONS$SALT$HASH`, in Base64 with a dot for the plus sign and without padding.
    private static func passlib(
        _ fields: [String], _ function: ImportedPasswordHash.PBKDF2Hash.Function
    ) throws(ImportedPasswordHashError) -> ImportedPasswordHash.PBKDF2Hash {
        guard fields.count == 3, !fields.joined().utf8.contains(UInt8(ascii: "+")) else { throw .malformed(.pbkdf2) }
        return try pbkdf2(
            function, iterations: fields[0], salt: base64(fields[1].replacing(".", with: "+")),
            hash: base64(fields[2].replacing(".", with: "+")))
    }

    /// `ITERATIONS$SALT$HASH`, with the salt as text and the hash in padded Base64.
    private static func django(
        _ fields: [String], _ function: ImportedPasswordHash.PBKDF2Hash.Function
    ) throws(ImportedPasswordHashError) -> ImportedPasswordHash.PBKDF2Hash {
        guard fields.count == 3, fields[2].utf8.count.isMultiple(of: 4) else { throw .malformed(.pbkdf2) }
        let unpadded =
            fields[2].hasSuffix("==")
            ? fields[2].dropLast(2) : fields[2].hasSuffix("=") ? fields[2].dropLast() : fields[2][...]
        return try pbkdf2(function, iterations: fields[0], salt: Array(fields[1].utf8), hash: base64(String(unpadded)))
    }

    private static func pbkdf2(
        _ function: ImportedPasswordHash.PBKDF2Hash.Function, iterations text: String, salt: [UInt8]?, hash: [UInt8]?
    ) throws(ImportedPasswordHashError) -> ImportedPasswordHash.PBKDF2Hash {
        guard let iterations = number(text[...], after: ""), iterations >= 1, let salt, (1...64).contains(salt.count),
            let hash, hash.count == function.byteCount
        else { throw .malformed(.pbkdf2) }
        guard iterations <= (function == .sha512 ? 400_000 : 1_000_000) else { throw .tooCostly(.pbkdf2) }
        return ImportedPasswordHash.PBKDF2Hash(function: function, iterations: iterations, salt: salt, hash: hash)
    }

    /// Reads a decimal number of at most ten digits, without leading zeros.
    private static func number(_ text: Substring, after prefix: String) -> Int? {
        guard text.hasPrefix(prefix) else { return nil }
        let digits = text.dropFirst(prefix.count)
        guard (1...10).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            digits == "0" || digits.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return Int(digits)
    }

    /// Reads Base64 without padding. Each value has one text.
    private static func base64(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return nil }
        return Base64URL.decode(text.replacing("+", with: "-").replacing("/", with: "_")).map(Array.init)
    }
}

extension ImportedPasswordHash.PBKDF2Hash.Function {
    /// The length of the function's output, in bytes.
    var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }
}
