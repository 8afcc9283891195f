import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// A key file, and what `doctor` can find out about it without a PIN.
struct FoundKey {
    let name: String
    /// The protection of the key, as far as `doctor` can find it out.
    let sentences: [String]

    /// All keys of `home`, sorted by name.
    static func all(in home: ClientHome) async throws(CommandFailure) -> [FoundKey] {
        guard FileManager.default.fileExists(atPath: home.keysPath) else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: home.keysPath)
        } catch {
            throw CommandFailure(.unavailable, "The folder \(home.keysPath) cannot be read.")
        }
        var keys: [FoundKey] = []
        for name in names.sorted() where name.hasSuffix(suffix) {
            let access = try FileAccess(path: home.keysPath + "/" + name)
            keys.append(FoundKey(name: name, sentences: [await protection(of: name, in: home.keys), access.sentence]))
        }
        return keys
    }

    private static let suffix = ".key"

    /// Returns a sentence about the key's protection.
    ///
    /// Tries to open the key without a password. If that succeeds, every program that can read the file can use the
    /// key.
    private static func protection(of name: String, in keys: some DeviceKeys) async -> String {
        guard let tag = KeyTag(rawValue: String(name.dropLast(suffix.count))) else {
            return "Not a key of this command, by its name."
        }
        do {
            guard let key = try await keys.find(tag, access: .unattended) else { return "It was removed just now." }
            switch key.protection {
            case .software: return "Software, open: a program that can read the file can copy the key."
            case .hardware: return "Hardware: the key cannot be copied."
            }
        } catch {
            switch error.code {
            case .wrongAccess:
                return "Software, sealed under a password in the vault: a copy is useless without the PIN."
            case .absent: return "It was removed just now."
            case .newerFormat: return "WARNING: written by a newer version of this command: update the command."
            case .corrupt: return "WARNING: damaged. Remove it and bind the device again."
            case .exists, .unavailable, .full, .refused, .notProvided: return "WARNING: it cannot be read: \(error)."
            }
        }
    }
}
