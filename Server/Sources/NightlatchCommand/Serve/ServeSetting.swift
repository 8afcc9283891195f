/// A value that `nightlatch serve` takes from its environment or from the file of `--config`, by the name that it has there.
enum ServeSetting: String, CaseIterable {
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
    var environmentName: String {
        "NIGHTLATCH_"
            + rawValue.reduce(into: "") { name, letter in
                if letter.isUppercase { name.append("_") }
                name.append(letter.uppercased())
            }
    }
}
