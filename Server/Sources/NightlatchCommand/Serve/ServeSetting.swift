/// A value that `nightlatch serve` takes from its environment or from the file of `--config`, by the name that it has there.
package enum ServeSetting: String, CaseIterable {
    case database
    case databaseConnections
    case listen
    case issuer
    case masterKeyFile
    case backendKeyFile
    case adminKeyFile
    case shutdownSeconds
    case signingKeyDays
    case devicePolicy
    case activeDevices
    case guessLimit
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
    case metricsAddress
    case tlsCertificate
    case tlsKey
    case logFormat

    /// Whether it is a number in the file.
    var isNumber: Bool {
        [
            .databaseConnections, .shutdownSeconds, .signingKeyDays, .guessLimit, .addressRate, .accountRate,
            .concurrentRequests, .arrivalSeconds, .connections, .addressConnections, .auditHeadsMinutes, .activeDevices,
        ].contains(self)
    }

    /// Its name in the environment.
    package var environmentName: String { "NIGHTLATCH_" + words(joinedBy: "_").uppercased() }

    /// Its flag.
    package var flag: String { self == .journeysFile ? "--journeys" : "--" + words(joinedBy: "-") }

    /// The words of its name, in small letters.
    private func words(joinedBy separator: String) -> String {
        rawValue.reduce(into: "") { words, letter in
            if letter.isUppercase { words.append(separator) }
            words.append(letter.lowercased())
        }
    }
}
