import Foundation
import Logging
import NightlatchRelyingParty

/// Keys come from a file, or from the environment.
extension ServeSettings {
    /// The key of the console, and its file; a file that was named is made if there is none.
    static func adminKey(
        file: String?,
        log: LineLog
    ) throws(CommandFailure) -> (key: AdminKey?, file: String?) {
        if let text = ToldSettings.secret("adminKey") {
            guard let key = AdminKey(text: text) else {
                throw CommandFailure(.usage, "NIGHTLATCH_ADMIN_KEY is not 32 bytes in base64url.")
            }
            return (key, nil)
        }
        guard let file else { return (nil, nil) }
        return (try keyOrNewOne(in: file, log: log, AdminKey.loadOrCreate(at:)), file)
    }

    /// The master key: from the environment, or from `file`, which is not made; nil if there is no such file.
    static func masterKey(file: String) throws(CommandFailure) -> MasterKey? {
        if let text = ToldSettings.secret("masterKey") {
            guard let key = MasterKey(text: text) else {
                throw CommandFailure(.usage, "NIGHTLATCH_MASTER_KEY is not 32 bytes in base64url.")
            }
            return key
        }
        do {
            return try MasterKey.load(from: file)
        } catch .missing {
            return nil
        } catch {
            throw CommandFailure(error, path: file)
        }
    }

    /// The master key to serve `store` with. One that is missing is made, unless keys in the store are sealed under it.
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
        // Another process may have made both, the file before what it seals, since this one has looked.
        guard let key = try Self.masterKey(file: masterKeyFile) else {
            throw CommandFailure(missingMasterKey: masterKeyFile, database: database)
        }
        return key
    }

    /// What `read` finds in `file`, or makes there. The log tells of a key that was made: another may have been lost.
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
        if !isThere { log.write(.notice, "Made a key", fields: [("file", file)]) }
        return key
    }
}
