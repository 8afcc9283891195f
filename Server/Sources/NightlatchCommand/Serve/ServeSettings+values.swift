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

    /// Returns the rounds of guesses from one of the two settings.
    static func guessRounds(_ told: ToldValue?, limit: ToldValue?) throws(CommandFailure) -> GuessRounds {
        guard let told else {
            guard let limit else { return .default }
            let count = try limit.number(of: "whole guesses", in: GuessLimit.range)
            return GuessRounds(GuessLimit(count) ?? .default)
        }
        if let limit {
            throw CommandFailure(
                .usage,
                "--guess-rounds and --guess-limit exclude each other. They come from \(told.name) and \(limit.name).")
        }
        do {
            return try GuessRounds(text: told.text)
        } catch {
            throw CommandFailure(.usage, "\(told.name) takes \(rule(of: error)), not “\(told.text)”.")
        }
    }

    /// Returns the rule that a text for rounds of guesses breaks.
    private static func rule(of error: GuessRoundsError) -> String {
        switch error {
        case .rounds:
            """
            \(GuessRounds.roundRange.lowerBound) to \(GuessRounds.roundRange.upperBound) rounds with a wait between \
            each two, such as 4,1m,4,5m,4,1h,4
            """
        case .guesses: "rounds of at least one guess and \(GuessLimit.range.upperBound) guesses together"
        case .waits: "waits from 1s to 24h, in whole seconds (s), minutes (m) or hours (h)"
        case .shrinkingWaits: "waits of which none is shorter than the previous one"
        }
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
