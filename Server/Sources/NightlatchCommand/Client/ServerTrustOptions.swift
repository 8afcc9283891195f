import ArgumentParser
import Nightlatch
import NightlatchProgram

/// The option of all commands that send requests to a server: the authorities that may certify it.
struct ServerTrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A PEM file of certificate authorities to trust in addition to the system's.",
            discussion: "By default NIGHTLATCH_CA_FILE. Use it for a server with a certificate of a private authority.",
            valueName: "file"))
    var caFile: String?

    /// Returns the transport that trusts these authorities, too; nil if neither the option nor the environment names a
    /// file.
    ///
    /// - Throws: The errors of ``TrustingTransport/init(caFile:)``.
    func transport() throws(CommandFailure) -> (any HTTPTransport)? {
        guard let file = caFile ?? CommandVariable.caFile.value else { return nil }
        return try TrustingTransport(caFile: file)
    }
}
