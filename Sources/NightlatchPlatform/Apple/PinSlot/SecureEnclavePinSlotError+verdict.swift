package import Nightlatch

extension SecureEnclavePinSlotError: PinChipFailure {
    package var verdict: PinChipVerdict {
        switch self {
        case .wrongPin: .wrong(wait: nil)
        case .noSecureEnclave: .failed(.chip(.absent(reason: description)))
        case .key(let error): .failed(PinHardenerError(error))
        case .store(let error): .failed(.store(error))
        case .newerFormat: .failed(.chip(.newerFormat))
        // The sealed record exists and has a valid size, so the first two errors would mean a damaged record.
        case .absent, .secretByteCount, .corrupt: .failed(.chip(.corrupt))
        }
    }
}

extension PinHardenerError {
    fileprivate init(_ error: DeviceKeyError) {
        switch error.code {
        case .refused: self = .chip(.refused(reason: error.description))
        case .full: self = .store(StoreError(.full, systemStatus: error.systemStatus))
        case .newerFormat: self = .chip(.newerFormat)
        // The chip does not know the key: the chip lost it, or another chip made it. The error is the same.
        case .corrupt, .absent: self = .chip(.corrupt)
        // The last three do not occur: these keys have no tags and come from no `Profiles`, and a wrong password is
        // reported as a wrong PIN.
        case .unavailable, .exists, .wrongAccess, .notProvided: self = .chip(.unavailable(reason: error.description))
        }
    }
}
