import NightlatchProgram
import NightlatchRelyingParty
import NightlatchServer

extension RequestLimits {
    /// Creates the limits from the settings, with defaults for those that are not set.
    init(_ told: ToldSettings) throws(CommandFailure) {
        self.init()
        if let rate = told[.addressRate] {
            let count = try rate.number(of: "requests a second", in: 0...1_000_000)
            perAddress = count == 0 ? nil : RateLimit(count: count, period: .seconds(1), burst: 10 * count)
        }
        if let rate = told[.accountRate] {
            let count = try rate.number(of: "logins a minute", in: 0...1_000_000)
            perAccount = count == 0 ? nil : RateLimit(count: count, period: .seconds(60), burst: count)
        }
        if let count = told[.concurrentRequests] {
            concurrentRequests = try count.number(of: "a number", in: 1...1_000_000)
        }
        if let seconds = told[.arrivalSeconds] {
            arrivalTime = .seconds(try seconds.number(of: "whole seconds", in: 1...3600))
        }
        if let count = told[.connections] { connections = try count.number(of: "a number", in: 1...1_000_000) }
        if let count = told[.addressConnections] {
            connectionsPerAddress = try count.number(of: "a number", in: 1...1_000_000)
        }
        if let proxies = told[.trustedProxies] { trustedProxies = try Self.ranges(proxies) }
    }

    private static func ranges(_ told: ToldValue) throws(CommandFailure) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for part in told.text.split(separator: ",") {
            let name = part.trimmingPrefix { $0 == " " }
            guard let range = AddressRange(String(name)) else {
                throw CommandFailure(
                    .usage, "\(told.name) takes addresses and ranges such as 10.0.0.0/8, not “\(name)”.")
            }
            ranges.append(range)
        }
        return ranges
    }
}
