public import Nightlatch

extension SecureEnclavePinSlotError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .absent: ErrorGuidance(.nothingFound, .signIn)
        case .wrongPin: ErrorGuidance(.wrongPin(triesLeft: nil), .tryAgain)
        case .noSecureEnclave: ErrorGuidance(.unsupported, .nothing)
        case .key(let error): .caused(by: error)
        case .store(let error): .caused(by: error)
        case .corrupt: ErrorGuidance(.damaged, .signIn)
        case .newerFormat: ErrorGuidance(.newerVersion, .updateApp)
        case .secretByteCount: ErrorGuidance(.internalFault, .defect(code: "enclave-secret-size"))
        }
    }
}
