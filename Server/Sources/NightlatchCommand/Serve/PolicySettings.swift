import NightlatchProgram
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// The policy settings of `nightlatch serve`, from flags, environment and configuration file, with defaults. They
/// contain no key, and reading them creates no file.
struct PolicySettings {
    let listening: ListeningAddress
    let issuer: Issuer
    /// How long a key signs access tokens; nil for no scheduled rotation.
    let signingKeyLife: Duration?
    let devicePolicy: DevicePolicy
    let activeDeviceLimit: ActiveDeviceLimit
    let guessRounds: GuessRounds
    let localPin: LocalPinPolicy
    let limits: RequestLimits
    /// The schedule for exports of the audit log's heads; nil if they are not exported.
    let auditHeadSchedule: AuditHeadSchedule?
    /// The journeys to serve in addition to Nightlatch's own protocol.
    let journeys: JourneyConfiguration?
    /// The authorities of webhooks' receivers, besides the system's.
    let webhookAuthorities: WebhookAuthorities?

    static let defaultListening = "127.0.0.1:8080"

    init(_ told: ToldSettings) throws(CommandFailure) {
        listening = try ListeningAddress(told[.listen, default: Self.defaultListening])
        let scheme = told[.tlsCertificate] == nil ? "http" : "https"
        issuer = try ServeSettings.issuer(told[.issuer], default: "\(scheme)://\(listening.text)")
        let signingKeyDays = try told[.signingKeyDays, default: "90"].number(of: "whole days", in: 0...3650)
        signingKeyLife = signingKeyDays == 0 ? nil : .seconds(signingKeyDays * 24 * 60 * 60)
        devicePolicy = try ServeSettings.devicePolicy(told[.devicePolicy])
        activeDeviceLimit = try ServeSettings.activeDeviceLimit(told[.activeDevices])
        guessRounds = try ServeSettings.guessRounds(told[.guessRounds], limit: told[.guessLimit])
        localPin = try ServeSettings.localPin(told[.localPin])
        limits = try RequestLimits(told)
        let auditHeadsMinutes = try told[.auditHeadsMinutes, default: "60"].number(of: "whole minutes", in: 1...10080)
        auditHeadSchedule = told[.auditHeadsFile].map { told in
            AuditHeadSchedule(file: AuditHeadFile(path: told.text), interval: .seconds(auditHeadsMinutes * 60))
        }
        journeys = try (told[.journeysFile]?.text).map(JourneysFile.configuration)
        webhookAuthorities = try told[.webhookCaFile].map { told throws(CommandFailure) in
            guard let authorities = WebhookAuthorities(path: told.text) else {
                throw CommandFailure(
                    .usage, "\(told.name): “\(told.text)” contains no certificate in PEM, or cannot be read.")
            }
            return authorities
        }
    }

    /// The configuration of the relying party.
    var configuration: RelyingPartyConfiguration {
        var configuration = RelyingPartyConfiguration(issuer: issuer)
        configuration.limits = limits
        configuration.signingKeyLife = signingKeyLife
        configuration.auditHeadSchedule = auditHeadSchedule
        configuration.devicePolicy = devicePolicy
        configuration.activeDeviceLimit = activeDeviceLimit
        configuration.guessRounds = guessRounds
        configuration.localPin = localPin
        configuration.journeys = journeys
        configuration.webhookAuthorities = webhookAuthorities
        return configuration
    }
}
