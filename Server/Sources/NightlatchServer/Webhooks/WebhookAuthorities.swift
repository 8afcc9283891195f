package import NIOSSL

/// Certificate authorities that sign for receivers of webhooks, in addition to the system's.
public struct WebhookAuthorities: Hashable, Sendable {
    package let certificates: [NIOSSLCertificate]

    /// Reads the certificates of a file in PEM. Returns nil if it has none or cannot be read.
    public init?(path: String) {
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(path)
        } catch {
            return nil
        }
        if certificates.isEmpty { return nil }
    }
}
