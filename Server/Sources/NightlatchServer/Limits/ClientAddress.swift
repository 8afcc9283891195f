import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
package import NightlatchRelyingParty

/// Finds the client address of a request behind trusted proxies.
package struct ClientAddress: Sendable {
    let trustedProxies: [AddressRange]

    package init(trustedProxies: [AddressRange]) {
        self.trustedProxies = trustedProxies
    }

    /// Returns the address from which `request` came; nil if it did not come over a network.
    ///
    /// `X-Forwarded-For` counts only on a connection from a trusted proxy. Each proxy appends the address from which it
    /// got the request. So the header is read from its end, and the first address that is not a trusted proxy's is the
    /// client. Earlier entries come from the client itself and are ignored.
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

    /// Returns the `IPAddress.customer` that `request` counts for; nil if it did not come over a network.
    func customer(of request: Request, _ context: RelyingPartyRequestContext) -> IPAddress? {
        address(of: request, from: context.remoteAddress)?.customer
    }

    /// Returns the `IPAddress.customer` that a connection from `peer` counts for.
    ///
    /// Returns nil for a trusted proxy, which forwards the requests of all clients, and for a connection that does not
    /// use a network.
    func customer(connectedFrom peer: SocketAddress?) -> IPAddress? {
        guard let address = peer?.ipAddress.flatMap(IPAddress.init), !isTrusted(address) else { return nil }
        return address.customer
    }

    private func isTrusted(_ address: IPAddress) -> Bool { trustedProxies.contains { $0.contains(address) } }
}
