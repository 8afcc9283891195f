package import Nightlatch

extension SecureEnclavePinSlotError: PinChipFailure {
    package var verdict: PinChipVerdict {
        switch self {
        case .wrongPin: .wrong(wait: nil)
        case .noSecureEnclave: .failed(.chip(.absent(reason: description)))
        case .key(let error): .failed(.chip(PinChipError(error)))
        case .store(let error): .failed(.chip(.store(error)))
        case .newerFormat: .failed(.chip(.newerFormat))
        // What is sealed is there and is of a size that fits: both would be faults of the record.
        case .absent, .secretByteCount, .corrupt: .failed(.chip(.corrupt))
        }
    }
}

extension PinChipError {
    fileprivate init(_ error: DeviceKeyError) {
        switch error.code {
        case .refused: self = .refused(reason: error.description)
        case .full: self = .store(StoreError(.full, systemStatus: error.systemStatus))
        case .newerFormat: self = .newerFormat
        // The chip does not know what it is said to have sealed: it has lost it, or another chip has sealed it. It does not tell which.
        case .corrupt, .absent: self = .corrupt
        // These keys have no tags, and a password that is not theirs is a wrong PIN.
        case .unavailable, .exists, .wrongAccess: self = .unavailable(reason: error.description)
        }
    }
}
