package import Nightlatch
import NightlatchWire

extension KeyDerivationParameters {
    package static let argumentExample = "argon2id,memory_kib=65536,passes=3,lanes=1"

    /// Parses the parameters in `argument`.
    ///
    /// `argument` is an algorithm with its parameters, named as in a vault record. The algorithm alone means its
    /// default parameters.
    ///
    /// - Throws: A usage error if a vault record cannot contain exactly these parameters, or if they exceed the allowed
    ///   bounds.
    package init(argument: String) throws(CommandFailure) {
        if let usual = Self.usual.first(where: { $0.algorithm == argument }) {
            self = usual
            return
        }
        guard let record = Self.record(argument), let parameters = Self.decode(record) else {
            throw CommandFailure(
                .usage, "'\(argument)' is not a key derivation. Write it as \(Self.argumentExample).")
        }
        guard KeyDerivationBounds.standard.contain(parameters) else {
            throw CommandFailure(.usage, "'\(argument)' is outside the range that a vault allows.")
        }
        self = parameters
    }

    private static let usual = [KeyDerivationParameters.default, .pbkdf2Default]

    private var algorithm: String {
        switch self {
        case .argon2id: "argon2id"
        case .pbkdf2: "pbkdf2-hmac-sha256"
        }
    }

    /// Returns the parameters in `record`; nil unless it has exactly the members of its algorithm.
    private static func decode(_ record: [String: Member]) -> KeyDerivationParameters? {
        let bytes = StrictJSON.encode(record)
        do throws(StrictJSONError) {
            let parameters = try StrictJSON.decode(KeyDerivationParameters.self, from: bytes)
            return StrictJSON.encode(parameters) == bytes ? parameters : nil
        } catch {
            return nil
        }
    }

    private static func record(_ argument: String) -> [String: Member]? {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        var record = ["algorithm": Member.text(String(parts[0]))]
        for part in parts.dropFirst() {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, let number = Int(sides[1]),
                record.updateValue(.number(number), forKey: String(sides[0])) == nil
            else { return nil }
        }
        return record
    }

    private enum Member: Encodable {
        case text(String)
        case number(Int)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }
}
