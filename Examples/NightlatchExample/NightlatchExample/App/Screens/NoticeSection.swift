import Accessibility
import Foundation
import SwiftUI
import UIKit

/// The notice of a screen's latest task, at the top of its list. VoiceOver speaks it when it appears.
struct NoticeSection: View {
    let work: Work
    /// Carries out a remedy other than opening the system's settings.
    var carryOut: @MainActor (Notice.Remedy) -> Void = { _ in }
    @Environment(\.openURL) private var openURL

    var body: some View {
        if let notice = work.notice {
            Section {
                Label {
                    Text(verbatim: notice.text)
                } icon: {
                    Image(systemName: "info.circle").accessibilityHidden(true)
                }
                .onChange(of: notice.id, initial: true) { _, _ in
                    AccessibilityNotification.Announcement(notice.text).post()
                }
                if let title = notice.remedy.title {
                    Button(title) {
                        work.notice = nil
                        perform(notice.remedy)
                    }
                }
                Button("Dismiss") { work.notice = nil }
            }
        }
    }

    private func perform(_ remedy: Notice.Remedy) {
        if remedy == .openSettings {
            if let settings = URL(string: UIApplication.openSettingsURLString) { openURL(settings) }
        } else {
            carryOut(remedy)
        }
    }
}

extension Notice.Remedy {
    /// The title of its button. Nil if there is none.
    fileprivate var title: LocalizedStringKey? {
        switch self {
        case .none: nil
        case .openSettings: "Open Settings"
        case .unlockAgain: "Unlock again"
        case .enterPhrase: "Enter recovery phrase"
        case .enterNewCode: "Enter a new code"
        }
    }
}
