import NightlatchProgram
import NightlatchWire

extension Identifier where Rule == IssuerRule {
    /// Returns why `text` is not a valid issuer, without a full stop.
    static func objection(to text: String) -> String {
        var name = text[...]
        while name.hasSuffix("/") { name.removeLast() }
        if name.count < text.count, Issuer(rawValue: String(name)) != nil {
            return "it must not end with a slash: use \(name)"
        }
        return "it must use https, or http on a loopback address, and have no user, query, fragment or slash at its end"
    }

    /// Parses a relying party's URL from the command line.
    static func parse(server text: String) throws(CommandFailure) -> Issuer {
        guard let server = Issuer(rawValue: text) else {
            throw CommandFailure(.usage, "“\(text)” cannot be a relying party: \(objection(to: text)).")
        }
        return server
    }
}
