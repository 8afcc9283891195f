public import Nightlatch

extension BackendKeyFileError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .missing: ErrorGuidance(.keyUnavailable, .defect(code: "backend-key-missing"))
        case .refused: ErrorGuidance(.keyUnavailable, .defect(code: "backend-key-refused"))
        case .malformed: ErrorGuidance(.keyUnavailable, .defect(code: "backend-key-malformed"))
        case .tooShort: ErrorGuidance(.keyUnavailable, .defect(code: "backend-key-too-short"))
        case .unreadable(let error): .caused(by: error)
        }
    }
}
