import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// What `nightlatch serve` was told of what the relying party allows and for how long, by flags, environment and file, with defaults for
/// the rest. No key is in it, and reading it makes no file.
struct PolicySettings {
    let listening: ListeningAddress
    let issuer: Issuer
    /// How long a key signs access tokens; nil for as long as nobody asks for another.
    let signingKeyLife: Duration?
    let devicePolicy: DevicePolicy
    let activeDeviceLimit: ActiveDeviceLimit
    let guessLimit: GuessLimit
    let localPin: LocalPinPolicy
    let limits: RequestLimits
    /// Nil where the heads of the audit log are not exported.
    let auditHeadSchedule: AuditHeadSchedule?
    /// Journeys to serve beside its own protocol.
    let journeys: JourneyConfiguration?

    static let defaultListening = "127.0.0.1:8080"

    init(_ told: ToldSettings) throws(CommandFailure) {
        listening = try ListeningAddress(told[.listen, default: Self.defaultListening])
        let scheme = told[.tlsCertificate] == nil ? "http" : "https"
        issuer = try ServeSettings.issuer(told[.issuer], default: "\(scheme)://\(listening.text)")
        let signingKeyDays = try told[.signingKeyDays, default: "90"].number(of: "whole days", in: 0...3650)
        signingKeyLife = signingKeyDays == 0 ? nil : .seconds(signingKeyDays * 24 * 60 * 60)
        devicePolicy = try ServeSettings.devicePolicy(told[.devicePolicy])
        activeDeviceLimit = try ServeSettings.activeDeviceLimit(told[.activeDevices])
        guessLimit = try ServeSettings.guessLimit(told[.guessLimit])
        localPin = try ServeSettings.localPin(told[.localPin])
        limits = try RequestLimits(told)
        let auditHeadsMinutes = try told[.auditHeadsMinutes, default: "60"].number(of: "whole minutes", in: 1...10080)
        auditHeadSchedule = told[.auditHeadsFile].map { told in
            AuditHeadSchedule(file: AuditHeadFile(path: told.text), interval: .seconds(auditHeadsMinutes * 60))
        }
        journeys = try (told[.journeysFile]?.text).map(JourneysFile.configuration)
    }

    /// What the relying party is built with.
    var configuration: RelyingPartyConfiguration {
        var configuration = RelyingPartyConfiguration(issuer: issuer)
        configuration.limits = limits
        configuration.signingKeyLife = signingKeyLife
        configuration.auditHeadSchedule = auditHeadSchedule
        configuration.devicePolicy = devicePolicy
        configuration.activeDeviceLimit = activeDeviceLimit
        configuration.guessLimit = guessLimit
        configuration.localPin = localPin
        configuration.journeys = journeys
        return configuration
    }
}
