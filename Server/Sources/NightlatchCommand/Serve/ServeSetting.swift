/// A setting of `nightlatch serve`. The raw value is its name in the file of `--config`.
package enum ServeSetting: String, CaseIterable {
    case database
    case databaseConnections
    case listen
    case issuer
    case masterKeyFile
    case otherMasterKeyFile
    case backendKeyFile
    case adminKeyFile
    case shutdownSeconds
    case signingKeyDays
    case devicePolicy
    case activeDevices
    case guessLimit
    case guessRounds
    case localPin
    case addressRate
    case accountRate
    case concurrentRequests
    case arrivalSeconds
    case connections
    case addressConnections
    case trustedProxies
    case auditHeadsFile
    case auditHeadsMinutes
    case journeysFile
    case webhookCaFile
    case metricsAddress
    case tlsCertificate
    case tlsKey
    case logFormat
    case logLevel

    /// Whether the value in the file is a number.
    var isNumber: Bool {
        [
            .databaseConnections, .shutdownSeconds, .signingKeyDays, .guessLimit, .addressRate, .accountRate,
            .concurrentRequests, .arrivalSeconds, .connections, .addressConnections, .auditHeadsMinutes, .activeDevices,
        ].contains(self)
    }

    /// The name of the environment variable.
    package var environmentName: String { "NIGHTLATCH_" + words(joinedBy: "_").uppercased() }

    /// The name of the flag.
    package var flag: String { self == .journeysFile ? "--journeys" : "--" + words(joinedBy: "-") }

    /// Splits the name into lowercase words and joins them with `separator`.
    private func words(joinedBy separator: String) -> String {
        rawValue.reduce(into: "") { words, letter in
            if letter.isUppercase { words.append(separator) }
            words.append(letter.lowercased())
        }
    }
}
