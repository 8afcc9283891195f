import Configuration
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

    /// - Parameters:
    ///   - options: What flags say.
    ///   - told: What environment and file say.
    init(_ options: ServeOptions, told: ConfigReader) throws(CommandFailure) {
        func value(_ setting: ServeSetting) -> String? { told.string(forKey: ConfigKey(setting.rawValue)) }

        listening = try ListeningAddress(options.listen ?? value(.listen) ?? Self.defaultListening)
        let scheme = (options.tlsCertificate ?? value(.tlsCertificate)) == nil ? "http" : "https"
        issuer = try ServeSettings.issuer(options.issuer ?? value(.issuer) ?? "\(scheme)://\(listening.text)")
        let signingKeyDays = try ServeSettings.number(
            options.signingKeyDays.map(String.init) ?? value(.signingKeyDays) ?? "90", of: "whole days",
            in: 0...3650, option: "--signing-key-days")
        signingKeyLife = signingKeyDays == 0 ? nil : .seconds(signingKeyDays * 24 * 60 * 60)
        devicePolicy = try ServeSettings.devicePolicy(
            options.devicePolicy ?? value(.devicePolicy) ?? DevicePolicy.many.rawValue)
        activeDeviceLimit = try ServeSettings.activeDeviceLimit(
            options.activeDevices.map(String.init) ?? value(.activeDevices))
        guessLimit = try ServeSettings.guessLimit(options.guessLimit.map(String.init) ?? value(.guessLimit))
        localPin = try ServeSettings.localPin(options.localPin ?? value(.localPin))
        limits = try RequestLimits(
            addressRate: options.addressRate.map(String.init) ?? value(.addressRate),
            accountRate: options.accountRate.map(String.init) ?? value(.accountRate),
            concurrentRequests: options.concurrentRequests.map(String.init) ?? value(.concurrentRequests),
            arrivalSeconds: options.arrivalSeconds.map(String.init) ?? value(.arrivalSeconds),
            connections: options.connections.map(String.init) ?? value(.connections),
            addressConnections: options.addressConnections.map(String.init) ?? value(.addressConnections),
            trustedProxies: options.trustedProxies ?? value(.trustedProxies))
        let auditHeadsMinutes = try ServeSettings.number(
            options.auditHeadsMinutes.map(String.init) ?? value(.auditHeadsMinutes) ?? "60", of: "whole minutes",
            in: 1...10080, option: "--audit-heads-minutes")
        auditHeadSchedule = (options.auditHeadsFile ?? value(.auditHeadsFile)).map { path in
            AuditHeadSchedule(file: AuditHeadFile(path: path), interval: .seconds(auditHeadsMinutes * 60))
        }
        journeys = try (options.journeysFile ?? value(.journeysFile)).map(JourneysFile.configuration)
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
