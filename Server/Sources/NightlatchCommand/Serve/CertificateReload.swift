import Logging
import NightlatchServer
import ServiceLifecycle
import UnixSignals

/// Reads the certificate again on each SIGHUP, so that a renewed certificate needs no restart.
struct CertificateReload: Service {
    let tls: ServerTLS
    let logger: Logger

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            for await _ in signals {
                do {
                    try tls.reload()
                    logger.notice("Reloaded the certificate")
                } catch {
                    logger.error("Failed to reload the certificate", metadata: ["reason": .string("\(error)")])
                }
            }
        }
    }
}
