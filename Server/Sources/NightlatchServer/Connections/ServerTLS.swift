import Foundation
import NIOSSL
public import NightlatchRelyingParty
import Synchronization

/// The certificate with which a relying party speaks TLS by itself, 1.2 at least
/// ([RFC 9325](https://www.rfc-editor.org/rfc/rfc9325)). It can be exchanged while connections are open: each keeps what it began with.
public final class ServerTLS: Sendable {
    private let certificatePath: String
    private let keyPath: String
    private let current: Mutex<NIOSSLContext>

    /// What new connections speak with.
    var context: NIOSSLContext { current.withLock { $0 } }

    /// - Parameters:
    ///   - certificatePath: A file in PEM: the server's certificate, then those that lead to one that clients know.
    ///   - keyPath: A file in PEM with the certificate's private key, which its owner alone may read.
    /// - Throws: ``ServerTLSError``.
    public init(certificatePath: String, keyPath: String) throws(ServerTLSError) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        current = Mutex(try Self.load(certificatePath: certificatePath, keyPath: keyPath))
    }

    /// Reads both files anew, for the connections to come.
    ///
    /// - Throws: ``ServerTLSError``; what was there serves on.
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
        // Of 1.2 what keeps a recording secret when the key is lost, and what nobody can change on the way.
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

/// Why a relying party cannot speak TLS. Nothing was changed.
public enum ServerTLSError: Error, Hashable, Sendable {
    /// There is no such file, or it holds no certificate in PEM.
    case certificateUnreadable
    /// The file of the key gave none.
    case key(SecretFileError)
    /// The key is not the certificate's.
    case keyDoesNotFit
}
