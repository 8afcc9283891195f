import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
package import NightlatchRelyingParty

/// Where requests come from, if the proxies that are trusted say the truth.
package struct ClientAddress: Sendable {
    let trustedProxies: [AddressRange]

    package init(trustedProxies: [AddressRange]) {
        self.trustedProxies = trustedProxies
    }

    /// The address that `request` came from; nil if it came over no network.
    ///
    /// `X-Forwarded-For` counts only if the connection is a trusted proxy's. It is read from its end, to which each proxy adds
    /// the address that it got the request from: the first that is no trusted proxy is the client. What stands before that is
    /// the client's own word.
    package func address(of request: Request, from peer: SocketAddress?) -> IPAddress? {
        guard var address = peer?.ipAddress.flatMap(IPAddress.init), isTrusted(address) else {
            return peer?.ipAddress.flatMap(IPAddress.init)
        }
        let forwarded = request.headers[values: .xForwardedFor].joined(separator: ",").split(separator: ",")
        for text in forwarded.reversed() {
            guard let next = IPAddress.forwarded(text.trimmingCharacters(in: .whitespaces)) else { break }
            address = next
            if !isTrusted(address) { break }
        }
        return address
    }

    /// The customer that `request` counts for; nil if it came over no network.
    func customer(of request: Request, _ context: RelyingPartyRequestContext) -> IPAddress? {
        address(of: request, from: context.remoteAddress)?.customer
    }

    /// Whose connection it is that comes from `peer`; nil for that of a trusted proxy, which brings everybody's requests, and for one that
    /// came over no network.
    func customer(connectedFrom peer: SocketAddress?) -> IPAddress? {
        guard let address = peer?.ipAddress.flatMap(IPAddress.init), !isTrusted(address) else { return nil }
        return address.customer
    }

    private func isTrusted(_ address: IPAddress) -> Bool { trustedProxies.contains { $0.contains(address) } }
}
