import ArgumentParser
import NightlatchRelyingParty

/// What commands take that need the master key of a server that has run.
struct MasterKeyOptions: ParsableArguments {
    @Option(
        help: """
            The file of the master key. NIGHTLATCH_MASTER_KEY goes before it, if that is set. \
            (default: NIGHTLATCH_MASTER_KEY_FILE, else nightlatch-data/master.key)
            """)
    var masterKeyFile: String?

    /// The key, of which no new one is made.
    func masterKey() throws(CommandFailure) -> MasterKey {
        let file = ToldSettings.value(.masterKeyFile, flag: masterKeyFile, default: DataFolder.masterKey).text
        guard let key = try ServeSettings.masterKey(file: file) else {
            throw CommandFailure(SecretFileError.missing, path: file)
        }
        return key
    }
}
