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

    /// Loads the master key. Does not create one.
    func masterKey() throws(CommandFailure) -> MasterKey {
        let file = ToldSettings.value(.masterKeyFile, flag: masterKeyFile, default: DataFolder.masterKey).text
        guard let key = try ServeSettings.masterKey(file: file) else {
            throw CommandFailure(SecretFileError.missing, path: file)
        }
        return key
    }
}
