import NightlatchUI
import SwiftUI

/// Takes an enrolment code from the camera or the keyboard.
struct EnrolmentCodeSection: View {
    @Binding var code: String
    /// Takes the text of a QR code.
    let take: @MainActor (String) -> Void
    @State private var isScanning = false

    var body: some View {
        Section {
            TextField("Enrolment code", text: $code)
                .font(.system(.body, design: .monospaced))
                .textInputAutocapitalization(.characters)
                .autocorrectionDisabled()
            Button("Scan QR code", systemImage: "qrcode.viewfinder") { isScanning = true }
                .sheet(isPresented: $isScanning) { ScannerScreen(take: take).privacyCover() }
        } footer: {
            Text("Your bank gives you this code. It registers one device, within ten minutes.")
        }
    }
}
