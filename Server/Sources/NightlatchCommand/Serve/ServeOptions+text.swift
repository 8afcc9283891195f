extension ServeOptions {
    /// Returns the value of the flag for `setting`, in the format of environment variables; nil if the flag was not
    /// given.
    func text(of setting: ServeSetting) -> String? {
        switch setting {
        case .database: database
        case .databaseConnections: databaseConnections.map(String.init)
        case .listen: listen
        case .issuer: issuer
        case .masterKeyFile: masterKeyFile
        case .otherMasterKeyFile: otherMasterKeyFile
        case .backendKeyFile: backendKeyFile
        case .adminKeyFile: adminKeyFile
        case .shutdownSeconds: shutdownSeconds.map(String.init)
        case .signingKeyDays: signingKeyDays.map(String.init)
        case .devicePolicy: devicePolicy
        case .activeDevices: activeDevices.map(String.init)
        case .guessLimit: guessLimit.map(String.init)
        case .guessRounds: guessRounds
        case .localPin: localPin
        case .addressRate: addressRate.map(String.init)
        case .accountRate: accountRate.map(String.init)
        case .concurrentRequests: concurrentRequests.map(String.init)
        case .arrivalSeconds: arrivalSeconds.map(String.init)
        case .connections: connections.map(String.init)
        case .addressConnections: addressConnections.map(String.init)
        case .trustedProxies: trustedProxies
        case .auditHeadsFile: auditHeadsFile
        case .auditHeadsMinutes: auditHeadsMinutes.map(String.init)
        case .journeysFile: journeysFile
        case .webhookCaFile: webhookCaFile
        case .metricsAddress: metricsAddress
        case .tlsCertificate: tlsCertificate
        case .tlsKey: tlsKey
        case .logFormat: logFormat
        case .logLevel: logLevel
        }
    }
}
