import NightlatchWire

extension Issuer {
    /// Where `nightlatch serve` listens on this machine.
    static var example: Issuer {
        guard let issuer = Issuer(rawValue: "http://127.0.0.1:8080") else {
            preconditionFailure("a constant is no issuer")
        }
        return issuer
    }
}
