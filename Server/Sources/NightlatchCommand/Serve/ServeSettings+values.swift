import Logging
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// Parsing of settings. Each function throws a usage error for an invalid value.
extension ServeSettings {
    static func tls(certificate: String?, key: String?) throws(CommandFailure) -> ServerTLS? {
        guard certificate != nil || key != nil else { return nil }
        guard let certificate, let key else {
            throw CommandFailure(.usage, "--tls-certificate and --tls-key need each other.")
        }
        do {
            return try ServerTLS(certificatePath: certificate, keyPath: key)
        } catch {
            throw CommandFailure(error, certificate: certificate, key: key)
        }
    }

    /// Returns the issuer from the setting, or from `name` if it is not set.
    static func issuer(_ told: ToldValue?, default name: String) throws(CommandFailure) -> Issuer {
        let text = told?.text ?? name
        guard let issuer = Issuer(rawValue: text) else {
            let way = told.map { "It comes from \($0.name)." } ?? "Use --issuer."
            throw CommandFailure(
                .usage, "“\(text)” cannot name a relying party: \(Issuer.objection(to: text)). \(way)")
        }
        return issuer
    }

    static func logFormat(_ told: ToldValue?) throws(CommandFailure) -> LogFormat {
        guard let told else { return .text }
        guard let format = LogFormat(rawValue: told.text) else {
            throw CommandFailure(.usage, "\(told.name) takes text or json, not “\(told.text)”.")
        }
        return format
    }

    static func logLevel(_ told: ToldValue?) throws(CommandFailure) -> Logger.Level {
        guard let told else { return .info }
        guard let level = ProcessLogLevel.choices.first(where: { $0.rawValue == told.text }) else {
            let choices = ProcessLogLevel.choices.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.usage, "\(told.name) takes one of \(choices), not “\(told.text)”.")
        }
        return level
    }

    static func devicePolicy(_ told: ToldValue?) throws(CommandFailure) -> DevicePolicy {
        guard let told else { return .many }
        guard let policy = DevicePolicy(rawValue: told.text) else {
            let policies = DevicePolicy.allCases.map(\.rawValue).joined(separator: " or ")
            throw CommandFailure(.usage, "\(told.name) takes \(policies), not “\(told.text)”.")
        }
        return policy
    }

    static func activeDeviceLimit(_ told: ToldValue?) throws(CommandFailure) -> ActiveDeviceLimit {
        guard let told else { return .default }
        return ActiveDeviceLimit(try told.number(of: "whole devices", in: ActiveDeviceLimit.range)) ?? .default
    }

    static func guessLimit(_ told: ToldValue?) throws(CommandFailure) -> GuessLimit {
        guard let told else { return .default }
        return GuessLimit(try told.number(of: "whole guesses", in: GuessLimit.range)) ?? .default
    }

    static func localPin(_ told: ToldValue?) throws(CommandFailure) -> LocalPinPolicy {
        guard let told else { return .accepted }
        guard let policy = LocalPinPolicy(rawValue: told.text) else {
            let policies = LocalPinPolicy.allCases.map(\.rawValue).joined(separator: " or ")
            throw CommandFailure(.usage, "\(told.name) takes \(policies), not “\(told.text)”.")
        }
        return policy
    }
}

extension ToldValue {
    /// Parses a whole number within `range`. `unit` names the quantity in the error message.
    func number(of unit: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw CommandFailure(
                .usage, "\(name) takes \(unit) from \(range.lowerBound) to \(range.upperBound), not “\(text)”.")
        }
        return number
    }
}
