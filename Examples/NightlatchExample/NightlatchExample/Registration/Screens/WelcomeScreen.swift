import NightlatchUI
import SwiftUI

/// Registers the user of this device.
struct WelcomeScreen: View {
    @State private var registration: Registration

    init(in bank: Bank) {
        _registration = State(initialValue: Registration(in: bank))
    }

    var body: some View {
        if registration.pad.isShown {
            PinPadView(registration.pad)
        } else {
            NavigationStack { form.navigationTitle("Night Bank") }
        }
    }

    private var form: some View {
        Form {
            NoticeSection(work: registration.work)
            Section { TextField("Your name", text: $registration.name) }
            DeviceSections(device: registration.device)
            Section {
                Button("Choose a PIN") { Task { await registration.register() } }
                    .disabled(!registration.isComplete || registration.work.isRunning)
            } footer: {
                Text("The PIN stays on this device. Nobody at the bank knows it.")
            }
        }
    }
}
