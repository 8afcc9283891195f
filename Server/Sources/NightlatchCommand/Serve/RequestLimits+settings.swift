import NightlatchServer

extension RequestLimits {
    /// The limits as they were told, by flag, environment or file; the defaults where nothing was.
    init(
        addressRate: String?,
        accountRate: String?,
        concurrentRequests: String?,
        arrivalSeconds: String?,
        connections: String?,
        addressConnections: String?,
        trustedProxies: String?
    ) throws(CommandFailure) {
        self.init()
        if let addressRate {
            let count = try ServeSettings.number(
                addressRate, of: "requests a second", in: 0...1_000_000, option: "--address-rate")
            perAddress = count == 0 ? nil : RateLimit(count: count, period: .seconds(1), burst: 10 * count)
        }
        if let accountRate {
            let count = try ServeSettings.number(
                accountRate, of: "logins a minute", in: 0...1_000_000, option: "--account-rate")
            perAccount = count == 0 ? nil : RateLimit(count: count, period: .seconds(60), burst: count)
        }
        if let concurrentRequests {
            self.concurrentRequests = try ServeSettings.number(
                concurrentRequests, of: "a number", in: 1...1_000_000, option: "--concurrent-requests")
        }
        if let arrivalSeconds {
            arrivalTime = .seconds(
                try ServeSettings.number(
                    arrivalSeconds, of: "whole seconds", in: 1...3600, option: "--arrival-seconds"))
        }
        if let connections {
            self.connections = try ServeSettings.number(
                connections, of: "a number", in: 1...1_000_000, option: "--connections")
        }
        if let addressConnections {
            connectionsPerAddress = try ServeSettings.number(
                addressConnections, of: "a number", in: 1...1_000_000, option: "--address-connections")
        }
        if let trustedProxies { self.trustedProxies = try Self.ranges(trustedProxies) }
    }

    private static func ranges(_ text: String) throws(CommandFailure) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for part in text.split(separator: ",") {
            let name = part.trimmingPrefix { $0 == " " }
            guard let range = AddressRange(String(name)) else {
                throw CommandFailure(
                    .usage, "--trusted-proxies takes addresses and ranges such as 10.0.0.0/8, not “\(name)”.")
            }
            ranges.append(range)
        }
        return ranges
    }
}
