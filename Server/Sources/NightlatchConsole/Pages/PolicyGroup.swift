import NightlatchRelyingParty
package import NightlatchServer
import NightlatchWire

/// A group of policy settings, for operators to read.
package struct PolicyGroup: Sendable {
    package let id: String
    package let title: String
    package let facts: [Fact]

    package static func all(of configuration: RelyingPartyConfiguration) -> [Self] {
        [
            Self(
                id: "names", title: "Names",
                facts: [
                    Fact("Relying party", configuration.issuer.rawValue),
                    Fact("Apps", configuration.clients.map(\.rawValue).sorted().joined(separator: ", ")),
                ]),
            Self(
                id: "devices", title: "Devices and passwords",
                facts: [
                    Fact("Devices of a user", devices(of: configuration)),
                    Fact("Enrolment code", "valid for \(configuration.enrolmentCodeLife.inWords)"),
                    Fact("Passwords", configuration.passwordHashing.inWords),
                ]),
            Self(
                id: "logins", title: "Logins and tokens",
                facts: [
                    Fact("Challenge", "valid for \(configuration.challengeLife.inWords)"),
                    Fact("Access token", "valid for \(configuration.accessTokenLife.inWords)"),
                    Fact("Refresh token", "valid for \(configuration.refreshTokenLife.inWords) without use"),
                    Fact(
                        "Signing key",
                        configuration.signingKeyLife.map { "signs for \($0.inWords)" } ?? "signs until changed"),
                ]),
            Self(
                id: "pins", title: "PINs",
                facts: [
                    Fact("Guesses at a two-party PIN", configuration.guessRounds.inWords),
                    Fact(
                        "PIN that the device alone checks",
                        configuration.localPin == .accepted ? "logs in" : "does not log in"),
                ]),
            Self(
                id: "transactions", title: "Transactions",
                facts: [Fact("Transaction", "pending for \(configuration.longestTransactionLife.inWords) at most")]),
            Self(id: "limits", title: "Limits", facts: facts(of: configuration.limits)),
            Self(
                id: "console", title: "Console",
                facts: [
                    Fact(
                        "Session",
                        "ends after \(ConsoleSession.longestLife.inWords), or after \(ConsoleSession.idleLife.inWords) without a click"
                    )
                ]),
        ]
    }

    private static func devices(of configuration: RelyingPartyConfiguration) -> String {
        switch configuration.devicePolicy {
        case .one: "one; the next binding replaces it"
        case .many: "at most \(configuration.activeDeviceLimit.count) that are not revoked"
        }
    }

    private static func facts(of limits: RequestLimits) -> [Fact] {
        let proxies = limits.trustedProxies.map(\.description).joined(separator: ", ")
        return [
            Fact("Requests from one address", limits.perAddress.inWords),
            Fact("Begun logins for one user", limits.perAccount.inWords),
            Fact("Sign-ins to the console from one address", limits.consoleSignIns.inWords),
            Fact("Requests at the same time", "\(limits.concurrentRequests)"),
            Fact("Trusted proxies", proxies.isEmpty ? "none" : proxies),
        ]
    }
}

extension GuessRounds {
    fileprivate var inWords: String {
        var steps = [String(guesses[0])]
        for (wait, count) in zip(waits, guesses.dropFirst()) { steps += ["a wait of \(wait.inWords)", String(count)] }
        return steps.joined(separator: ", ") + ", then its keys are destroyed"
    }
}

extension RateLimit? {
    fileprivate var inWords: String {
        guard let limit = self else { return "not limited" }
        return "\(limit.count) in \(limit.period.inWords), \(limit.burst) at once"
    }
}

extension PasswordHashing {
    fileprivate var inWords: String {
        "hashed with Argon2id, \(memoryKibibytes / 1024) MiB, \(passes) passes, \(lanes) \(lanes == 1 ? "lane" : "lanes")"
    }
}
