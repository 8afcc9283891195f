import NightlatchServer
import NightlatchWire

/// What a text says, or the usage error that it is.
extension ServeSettings {
    static func tls(certificate: String?, key: String?) throws(CommandFailure) -> ServerTLS? {
        guard certificate != nil || key != nil else { return nil }
        guard let certificate, let key else {
            throw CommandFailure(.usage, "--tls-certificate and --tls-key go together.")
        }
        do {
            return try ServerTLS(certificatePath: certificate, keyPath: key)
        } catch {
            throw CommandFailure(error, certificate: certificate, key: key)
        }
    }

    static func issuer(_ name: String) throws(CommandFailure) -> Issuer {
        guard let issuer = Issuer(rawValue: name) else {
            throw CommandFailure(
                .usage,
                "“\(name)” cannot name a relying party: it takes https, or http on a loopback address. Use --issuer.")
        }
        return issuer
    }

    static func devicePolicy(_ text: String) throws(CommandFailure) -> DevicePolicy {
        guard let policy = DevicePolicy(rawValue: text) else {
            let policies = DevicePolicy.allCases.map(\.rawValue).joined(separator: " or ")
            throw CommandFailure(.usage, "--device-policy takes \(policies), not “\(text)”.")
        }
        return policy
    }

    static func activeDeviceLimit(_ text: String?) throws(CommandFailure) -> ActiveDeviceLimit {
        guard let text else { return .default }
        let count = try number(
            text, of: "whole devices", in: ActiveDeviceLimit.range, option: "--active-devices")
        return ActiveDeviceLimit(count) ?? .default
    }

    static func guessLimit(_ text: String?) throws(CommandFailure) -> GuessLimit {
        guard let text else { return .default }
        let count = try number(text, of: "whole guesses", in: GuessLimit.range, option: "--guess-limit")
        return GuessLimit(count) ?? .default
    }

    static func localPin(_ text: String?) throws(CommandFailure) -> LocalPinPolicy {
        guard let text else { return .accepted }
        guard let policy = LocalPinPolicy(rawValue: text) else {
            let policies = LocalPinPolicy.allCases.map(\.rawValue).joined(separator: " or ")
            throw CommandFailure(.usage, "--local-pin takes \(policies), not “\(text)”.")
        }
        return policy
    }

    /// A whole number, `unit` of what it counts.
    static func number(
        _ text: String,
        of unit: String,
        in range: ClosedRange<Int>,
        option: String
    ) throws(CommandFailure) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw CommandFailure(
                .usage, "\(option) takes \(unit) from \(range.lowerBound) to \(range.upperBound), not “\(text)”.")
        }
        return number
    }
}
