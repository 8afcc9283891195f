import Foundation
import NightlatchProgram
import NightlatchWire

/// The file of `--config`: a JSON object with settings and no other members.
struct ServeFile {
    let path: String
    /// The settings, in the format of environment variables.
    let values: [ServeSetting: String]

    /// Reads the file at `path` strictly: an unknown setting or a value of the wrong type is an error.
    init(path: String) throws(CommandFailure) {
        self.path = path
        let bytes = try Self.bytes(path: path)
        do {
            values = try StrictJSON.decode(Members.self, from: bytes).values
        } catch {
            throw CommandFailure(.usage, "the configuration \(path) \(Self.sentence(for: error))")
        }
    }

    private static func bytes(path: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        do {
            guard descriptor >= 0 else { throw SystemError(number: errno) }
            let file = ByteReader(descriptor: descriptor)
            // Reading one byte more than the limit shows that the file is too large.
            while bytes.count <= JSONLimits.message.byteCount, let byte = try file.next() { bytes.append(byte) }
        } catch {
            throw CommandFailure(.usage, "cannot read the configuration \(path): \(error).")
        }
        return bytes
    }

    private static func sentence(for error: StrictJSONError) -> String {
        let settings = ServeSetting.allCases.map(\.rawValue).joined(separator: ", ")
        return switch error {
        case .unexpectedShape(path: ""): "is not a JSON object."
        case .unexpectedShape(let member) where ServeSetting(rawValue: member)?.isNumber == true:
            "must have a number for “\(member)”."
        case .unexpectedShape(let member) where ServeSetting(rawValue: member) != nil:
            "must have a text for “\(member)”."
        case .unexpectedShape(let member): "has an unknown setting “\(member)”. The settings are: \(settings)."
        case .duplicateMember(let member): "contains “\(member)” twice."
        case .malformed(let offset): "is not valid JSON at byte \(offset)."
        case .tooLarge, .tooDeep: "is too large or too deeply nested."
        }
    }

    private struct Members: Decodable {
        let values: [ServeSetting: String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            values = try container.allKeys.reduce(into: [:]) { values, name in
                guard let setting = ServeSetting(rawValue: name.stringValue) else {
                    throw DecodingError.keyNotFound(name, .init(codingPath: [], debugDescription: "no setting"))
                }
                values[setting] =
                    setting.isNumber
                    ? String(try container.decode(Int.self, forKey: name))
                    : try container.decode(String.self, forKey: name)
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
