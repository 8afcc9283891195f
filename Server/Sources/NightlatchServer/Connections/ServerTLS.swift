import Foundation
import NIOSSL
public import NightlatchRelyingParty
import Synchronization

/// The certificate of a relying party that serves TLS itself, version 1.2 or later
/// ([RFC 9325](https://www.rfc-editor.org/rfc/rfc9325)).
///
/// It can be replaced while connections are open. Each connection keeps the certificate with which it began.
public final class ServerTLS: Sendable {
    private let certificatePath: String
    private let keyPath: String
    private let current: Mutex<NIOSSLContext>

    /// The TLS context of new connections.
    var context: NIOSSLContext { current.withLock { $0 } }

    /// Reads the certificate and its key.
    ///
    /// - Parameters:
    ///   - certificatePath: A PEM file with the server's certificate, followed by the intermediate certificates up to a
    ///     root that clients trust.
    ///   - keyPath: A PEM file with the certificate's private key. Only its owner may have access to it.
    /// - Throws: ``ServerTLSError``.
    public init(certificatePath: String, keyPath: String) throws(ServerTLSError) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        current = Mutex(try Self.load(certificatePath: certificatePath, keyPath: keyPath))
    }

    /// Reads both files again, for new connections.
    ///
    /// - Throws: ``ServerTLSError``. The previous certificate then stays in use.
    public func reload() throws(ServerTLSError) {
        let new = try Self.load(certificatePath: certificatePath, keyPath: keyPath)
        current.withLock { $0 = new }
    }

    private static func load(certificatePath: String, keyPath: String) throws(ServerTLSError) -> NIOSSLContext {
        let keyText: String
        do {
            keyText = try SecretFile(path: keyPath).read()
        } catch {
            throw .key(error)
        }
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(certificatePath)
        } catch {
            throw .certificateUnreadable
        }
        guard !chain.isEmpty else { throw .certificateUnreadable }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(bytes: Array(keyText.utf8), format: .pem)
        } catch {
            throw .key(.malformed)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // For TLS 1.2, only suites with forward secrecy and authenticated encryption.
        configuration.cipherSuiteValues = [
            .TLS_AES_128_GCM_SHA256, .TLS_AES_256_GCM_SHA384, .TLS_CHACHA20_POLY1305_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .keyDoesNotFit
        }
    }
}

/// An error in setting up TLS. The current certificate, if any, stays in use.
public enum ServerTLSError: Error, Hashable, Sendable {
    /// The certificate file does not exist, or contains no PEM certificate.
    case certificateUnreadable
    /// The private key could not be read.
    case key(SecretFileError)
    /// The private key does not belong to the certificate.
    case keyDoesNotFit
}
