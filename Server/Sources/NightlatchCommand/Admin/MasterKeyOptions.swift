import ArgumentParser
import NightlatchProgram
import NightlatchRelyingParty

/// The options of commands that need the master key of an existing server.
struct MasterKeyOptions: ParsableArguments {
    @Option(
        help: """
            The file of the master key, or the pkcs11: URI of a key in a token. NIGHTLATCH_MASTER_KEY takes precedence, if it is set. \
            (default: NIGHTLATCH_MASTER_KEY_FILE, else nightlatch-data/master.key)
            """)
    var masterKeyFile: String?

    @Option(
        help: """
            The file of a second master key, during a rotation. NIGHTLATCH_OTHER_MASTER_KEY takes precedence, if it is \
            set. (default: NIGHTLATCH_OTHER_MASTER_KEY_FILE, else none)
            """)
    var otherMasterKeyFile: String?

    /// Loads the master key. Does not create one.
    func masterKey() throws(CommandFailure) -> MasterKey {
        guard let key = try ServeSettings.masterKey(file: file) else {
            throw CommandFailure(SecretFileError.missing, path: file)
        }
        return key
    }

    /// The file of the master key.
    var file: String { ToldSettings.value(.masterKeyFile, flag: masterKeyFile, default: DataFolder.masterKey).text }

    /// Loads the master keys. Creates none.
    func keyring() throws(CommandFailure) -> MasterKeyring {
        let other = ToldSettings.value(.otherMasterKeyFile, flag: otherMasterKeyFile, default: "").text
        return MasterKeyring(
            try masterKey(), other: try ServeSettings.otherMasterKey(file: other.isEmpty ? nil : other))
    }

    /// The secrets of the server whose database is open. Writes nothing.
    func secrets(
        in opened: OpenDatabase, at database: DatabaseAddress
    ) async throws(CommandFailure) -> RelyingPartySecrets {
        do {
            return try await MasterKeyStart(keyring(), in: opened.store).secrets
        } catch let error as CommandFailure {
            throw error
        } catch let error as RelyingPartyStartError {
            throw CommandFailure(error, database: database)
        } catch {
            throw CommandFailure(.defect, "\(error)")
        }
    }
}
