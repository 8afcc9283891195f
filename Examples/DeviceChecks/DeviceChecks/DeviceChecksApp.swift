import SwiftUI

/// Checks on the device in hand what the adapters for Apple systems assume. See README.md.
@main @MainActor
struct DeviceChecksApp: App {
    @State private var model = ChecksModel()

    var body: some Scene {
        WindowGroup {
            ChecksView(model: model).task { await model.start() }
        }
    }
}
