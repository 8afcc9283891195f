import SwiftUI
import VisionKit

/// The camera's picture. Gives the text of the first code that it finds.
struct QRScanner: UIViewControllerRepresentable {
    let found: @MainActor (String) -> Void
    let failed: @MainActor () -> Void

    func makeCoordinator() -> Coordinator { Coordinator(found: found, failed: failed) }

    func makeUIViewController(context: Context) -> DataScannerViewController {
        let scanner = DataScannerViewController(recognizedDataTypes: [.barcode()], isHighlightingEnabled: true)
        scanner.delegate = context.coordinator
        return scanner
    }

    /// Starts here and not when the scanner is made: it must be on the screen.
    func updateUIViewController(_ scanner: DataScannerViewController, context: Context) {
        guard !scanner.isScanning else { return }
        do {
            try scanner.startScanning()
        } catch {
            context.coordinator.fail()
        }
    }

    static func dismantleUIViewController(_ scanner: DataScannerViewController, coordinator: Coordinator) {
        scanner.stopScanning()
    }

    @MainActor
    final class Coordinator: DataScannerViewControllerDelegate {
        private let failed: @MainActor () -> Void
        /// Nil after the first code.
        private var found: (@MainActor (String) -> Void)?

        init(found: @escaping @MainActor (String) -> Void, failed: @escaping @MainActor () -> Void) {
            self.found = found
            self.failed = failed
        }

        /// Reports that the camera cannot be used, after SwiftUI has finished the current update.
        func fail() {
            Task { failed() }
        }

        func dataScanner(
            _ dataScanner: DataScannerViewController, didAdd addedItems: [RecognizedItem], allItems: [RecognizedItem]
        ) {
            for item in addedItems {
                guard case .barcode(let code) = item, let text = code.payloadStringValue, let found else { continue }
                self.found = nil
                found(text)
            }
        }

        func dataScanner(
            _ dataScanner: DataScannerViewController,
            becameUnavailableWithError error: DataScannerViewController.ScanningUnavailable
        ) {
            fail()
        }
    }
}
