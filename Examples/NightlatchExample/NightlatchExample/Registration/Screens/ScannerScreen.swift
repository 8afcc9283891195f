import AVFoundation
import Foundation
import SwiftUI
import UIKit
import VisionKit

/// Scans one QR code. If there is no camera for that, says so: each code can also be typed.
struct ScannerScreen: View {
    private enum Camera {
        /// The system asks whether the app may use the camera.
        case asked, ready, denied, missing
    }

    /// Takes the text of the code, after the screen has gone.
    let take: @MainActor (String) -> Void
    @State private var camera = Camera.asked
    @Environment(\.dismiss) private var dismiss
    @Environment(\.openURL) private var openURL

    var body: some View {
        NavigationStack {
            content
                .navigationTitle("Scan QR code")
                .navigationBarTitleDisplayMode(.inline)
                .toolbar {
                    ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
                }
        }
        .task { camera = await preparedCamera() }
    }

    @ViewBuilder
    private var content: some View {
        switch camera {
        case .asked:
            ProgressView("Waiting for the camera")
        case .ready:
            QRScanner { text in
                dismiss()
                take(text)
            } failed: {
                camera = .missing
            }
            .ignoresSafeArea()
            .accessibilityLabel(Text("Camera. Point it at the QR code."))
        case .denied:
            ContentUnavailableView {
                Label("No access to the camera", systemImage: "camera")
            } description: {
                Text("Allow it in Settings, or type the code.")
            } actions: {
                Button("Open Settings") {
                    if let settings = URL(string: UIApplication.openSettingsURLString) { openURL(settings) }
                }
            }
        case .missing:
            ContentUnavailableView(
                "The camera cannot scan codes", systemImage: "camera", description: Text("Type the code instead."))
        }
    }

    private func preparedCamera() async -> Camera {
        guard DataScannerViewController.isSupported else { return .missing }
        guard await AVCaptureDevice.requestAccess(for: .video) else { return .denied }
        return DataScannerViewController.isAvailable ? .ready : .missing
    }
}
