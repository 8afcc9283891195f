import Configuration
import NightlatchServer

/// Keys come from a file, or from the environment.
extension ServeSettings {
    /// The key of the console, and its file; a file that was named is made if there is none.
    static func adminKey(
        text: String?,
        file: String?
    ) throws(CommandFailure) -> (key: AdminKey?, file: String?) {
        if let text {
            guard let key = AdminKey(text: text) else {
                throw CommandFailure(.usage, "NIGHTLATCH_ADMIN_KEY is not 32 bytes in base64url.")
            }
            return (key, nil)
        }
        guard let file else { return (nil, nil) }
        do {
            return (try AdminKey.loadOrCreate(at: file), file)
        } catch {
            throw CommandFailure(error, path: file)
        }
    }

    /// The master key of a server that has run: from the environment, or from `file`, which is not made.
    static func existingMasterKey(file: String) throws(CommandFailure) -> MasterKey {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "nightlatch")
        if let text = ConfigReader(provider: environment).string(forKey: "masterKey", isSecret: true) {
            return try masterKey(text: text)
        }
        do {
            return try MasterKey.load(from: file)
        } catch {
            throw CommandFailure(error, path: file)
        }
    }

    static func masterKey(text: String) throws(CommandFailure) -> MasterKey {
        guard let key = MasterKey(text: text) else {
            throw CommandFailure(.usage, "NIGHTLATCH_MASTER_KEY is not 32 bytes in base64url.")
        }
        return key
    }

    static func masterKey(text: String?, file: String) throws(CommandFailure) -> MasterKey {
        if let text { return try masterKey(text: text) }
        do {
            return try MasterKey.loadOrCreate(at: file)
        } catch {
            throw CommandFailure(error, path: file)
        }
    }
}
