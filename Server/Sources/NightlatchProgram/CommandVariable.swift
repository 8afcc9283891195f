import Foundation

/// An environment variable of the commands that is not a setting of `nightlatch serve`. The raw value is its name.
package enum CommandVariable: String, CaseIterable {
    /// A PEM file of further authorities, for the commands that send requests to a server.
    case caFile = "NIGHTLATCH_CA_FILE"
    /// The file of settings of `nightlatch serve`.
    case config = "NIGHTLATCH_CONFIG"
    /// The folder of a device's vault and keys.
    case home = "NIGHTLATCH_HOME"
    /// The key derivation for new PINs.
    case keyDerivation = "NIGHTLATCH_KEY_DERIVATION"
    /// The master key itself, instead of its file.
    case masterKey = "NIGHTLATCH_MASTER_KEY"
    /// The second master key itself, during a rotation, instead of its file.
    case otherMasterKey = "NIGHTLATCH_OTHER_MASTER_KEY"
    /// The admin key itself, instead of its file.
    case adminKey = "NIGHTLATCH_ADMIN_KEY"

    /// The value in the environment of this process; nil if the variable is not set.
    package var value: String? { ProcessInfo.processInfo.environment[rawValue] }
}
