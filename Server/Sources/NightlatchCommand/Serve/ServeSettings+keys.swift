import Foundation
import Logging
import NightlatchPKCS11
import NightlatchProgram
import NightlatchRelyingParty

/// Reading keys from files or from the environment. The configuration file contains no keys, because people who must
/// not know them are allowed to read that file.
extension ServeSettings {
    /// Returns the console's key and its file. Creates the file if it was named but does not exist.
    static func adminKey(
        file: String?,
        log: LineLog
    ) throws(CommandFailure) -> (key: AdminKey?, file: String?) {
        if let text = CommandVariable.adminKey.value {
            guard let key = AdminKey(text: text) else {
                throw CommandFailure(.usage, "NIGHTLATCH_ADMIN_KEY is not 32 bytes in base64url.")
            }
            return (key, nil)
        }
        guard let file else { return (nil, nil) }
        return (try keyOrNewOne(in: file, log: log, AdminKey.loadOrCreate(at:)), file)
    }

    /// Returns the master key from the environment, from `file`, or from the token that `file` names by a `pkcs11` URI;
    /// nil if the file does not exist. Never creates the file.
    static func masterKey(file: String) throws(CommandFailure) -> MasterKey? {
        if let key = try masterKey(in: .masterKey) { return key }
        if PKCS11URI.isMeant(by: file) { return try masterKey(inToken: file) }
        do {
            return try MasterKey.load(from: file)
        } catch .missing {
            return nil
        } catch {
            throw CommandFailure(error, path: file)
        }
    }

    private static func masterKey(inToken uri: String) throws(CommandFailure) -> MasterKey {
        do throws(PKCS11Error) {
            return try MasterKey.computed(by: PKCS11URI(uri))
        } catch {
            throw CommandFailure(error, uri: uri)
        }
    }

    /// Returns the second master key, from the environment or from `file`; nil if neither is set.
    ///
    /// - Throws: ``CommandFailure`` also if the file does not exist: a key that is needed for a rotation must not
    ///   silently be another one.
    static func otherMasterKey(file: String?) throws(CommandFailure) -> MasterKey? {
        if let key = try masterKey(in: .otherMasterKey) { return key }
        guard let file else { return nil }
        if PKCS11URI.isMeant(by: file) { return try masterKey(inToken: file) }
        do {
            return try MasterKey.load(from: file)
        } catch {
            throw CommandFailure(error, path: file)
        }
    }

    private static func masterKey(in variable: CommandVariable) throws(CommandFailure) -> MasterKey? {
        guard let text = variable.value else { return nil }
        guard let key = MasterKey(text: text) else {
            throw CommandFailure(.usage, "\(variable.rawValue) is not 32 bytes in base64url.")
        }
        return key
    }

    /// Returns the master key for `store`. Creates a missing master key, unless the store already has keys that are
    /// sealed under one.
    func masterKey(for store: any RelyingPartyStore) async throws(CommandFailure) -> MasterKey {
        if let masterKey { return masterKey }
        let isInUse: Bool
        do {
            isInUse = try await !store.signingKeys().isEmpty
        } catch {
            throw CommandFailure(error, database: database)
        }
        guard isInUse else {
            return try Self.keyOrNewOne(
                in: masterKeyFile, log: LineLog(label: "nightlatch", format: logFormat), MasterKey.loadOrCreate(at:))
        }
        // After this process looked for the file, another process may have created the file and then the keys.
        guard let key = try Self.masterKey(file: masterKeyFile) else {
            throw CommandFailure(missingMasterKey: masterKeyFile, database: database)
        }
        return key
    }

    /// Returns the key that `read` finds or creates in `file`. Logs the creation of a key, since it can mean that an
    /// existing key was lost.
    static func keyOrNewOne<Key>(
        in file: String,
        log: LineLog,
        _ read: (String) throws(SecretFileError) -> Key
    ) throws(CommandFailure) -> Key {
        let isThere = FileManager.default.fileExists(atPath: file)
        let key: Key
        do {
            key = try read(file)
        } catch {
            throw CommandFailure(error, path: file)
        }
        if !isThere { log.write(.notice, "Made a key", fields: [("file", .text(file))]) }
        return key
    }
}
