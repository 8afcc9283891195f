import Foundation

/// An error of one of Apple's frameworks.
public struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let domain: String
    public let code: Int

    public init(_ error: any Error) {
        if let failure = error as? Self {
            self = failure
        } else {
            let error = error as NSError
            self.init(domain: error.domain, code: error.code)
        }
    }

    public init(domain: String, code: Int) {
        self.domain = domain
        self.code = code
    }

    public var description: String { "\(domain) \(code)" }
}
