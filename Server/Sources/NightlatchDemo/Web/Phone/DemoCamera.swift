import Foundation
import Synchronization

/// The camera of the demonstration's phone. It sees the QR code of the login page that a browser has loaded last.
final class DemoCamera: Sendable {
    private let seen = Mutex<String?>(nil)

    /// The text of the code; nil if no login page has shown one.
    var scannedText: String? { seen.withLock(\.self) }

    /// Looks at an answer that a browser gets. The login page has the text of its code also in a link.
    func look(at exchange: Exchange) {
        guard exchange.sender == .browser, exchange.status == 200,
            let link = String(decoding: exchange.answer, as: UTF8.self).firstMatch(of: /href="([^"]*\/login#[^"]*)"/)
        else { return }
        seen.withLock { $0 = String(link.1) }
    }
}
