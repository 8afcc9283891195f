import NightlatchUI
import SwiftUI

/// Takes the name of this device, and an enrolment code from the camera or the keyboard.
struct DeviceSections: View {
    @Bindable var device: DeviceEntry
    @State private var isScanning = false

    var body: some View {
        Section {
            TextField("Name of this device", text: $device.name)
        } footer: {
            Text("Your other devices show the name of this one.")
        }
        Section {
            TextField("Enrolment code", text: $device.code)
                .font(.system(.body, design: .monospaced))
                .textInputAutocapitalization(.characters)
                .autocorrectionDisabled()
            Button("Scan QR code", systemImage: "qrcode.viewfinder") { isScanning = true }
                .sheet(isPresented: $isScanning) { ScannerScreen { device.take(scanned: $0) }.privacyCover() }
        } footer: {
            Text("Your bank gives you this code. It registers one device, within ten minutes.")
        }
    }
}
