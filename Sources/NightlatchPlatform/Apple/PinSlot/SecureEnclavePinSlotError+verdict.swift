package import Nightlatch

extension SecureEnclavePinSlotError: PinChipFailure {
    package var verdict: PinChipVerdict {
        switch self {
        case .wrongPin: .wrong(wait: nil)
        case .noSecureEnclave: .failed(.chip(.absent(reason: description)))
        case .key(let error): .failed(.chip(PinChipError(error)))
        case .store(let error): .failed(.chip(.store(error)))
        case .newerFormat: .failed(.chip(.newerFormat))
        // The sealed record exists and has a valid size, so both errors would be damage to the record.
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
        // The chip does not know the key: it lost it, or another chip made it. The chip does not say which.
        case .corrupt, .absent: self = .corrupt
        // These keys have no tags, and a wrong password is a wrong PIN.
        case .unavailable, .exists, .wrongAccess: self = .unavailable(reason: error.description)
        }
    }
}
