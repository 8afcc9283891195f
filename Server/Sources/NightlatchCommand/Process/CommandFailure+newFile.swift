import NightlatchProgram
import NightlatchRelyingParty

extension CommandFailure {
    init(_ error: NewFileError) {
        switch error {
        case .exists(let path):
            self.init(.usage, "\(path) exists, and is not overwritten. Name another file, or move this one away.")
        case .failed(let path, let errno):
            self.init(.unavailable, "cannot read or write \(path): \(SystemError(number: errno)).")
        }
    }
}
