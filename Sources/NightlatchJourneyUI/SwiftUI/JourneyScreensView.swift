#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchUI
public import SwiftUI

extension View {
    /// Shows a journey's screens over the view: the pad, the list of keys, and the content to sign.
    public func journeyScreens(_ screens: JourneyScreens) -> some View {
        modifier(JourneySheets(screens: screens))
    }
}

private struct JourneySheets: ViewModifier {
    @Bindable var screens: JourneyScreens
    @Environment(\.pinPadStrings) private var strings

    func body(content: Content) -> some View {
        content
            .sheet(isPresented: $screens.isPadShown) {
                PinPadView(screens.pad)
                    .pinPadStrings(screens.pinPrompt.map(strings.asking) ?? strings)
                    .privacyCover()
            }
            .sheet(isPresented: $screens.isListShown) {
                if let choice = screens.keyChoice {
                    KeyList(choice: choice, select: screens.select).privacyCover()
                }
            }
            .sheet(isPresented: $screens.isApprovalShown) {
                if let approval = screens.approval {
                    SigningView(content: approval.content, sign: screens.sign).privacyCover()
                }
            }
    }
}

extension JourneyScreens {
    /// Dismissing a sheet cancels its question.
    fileprivate var isPadShown: Bool {
        get { pinPrompt != nil }
        set { if !newValue { pad.withdraw() } }
    }

    fileprivate var isListShown: Bool {
        get { keyChoice != nil }
        set { if !newValue { select(nil) } }
    }

    fileprivate var isApprovalShown: Bool {
        get { approval != nil }
        set { if !newValue { sign(false) } }
    }
}

/// The list of keys to sign with, each with its user.
private struct KeyList: View {
    let choice: JourneyScreens.KeyChoice
    let select: @MainActor (UserKey?) -> Void
    @Environment(\.pinPadStrings) private var strings
    @Environment(\.pinPadTheme) private var theme

    var body: some View {
        VStack(spacing: 16) {
            Text(verbatim: choice.prompt.title).font(theme.titleFont).accessibilityAddTraits(.isHeader)
            Text(verbatim: choice.prompt.description).font(theme.textFont).foregroundStyle(theme.secondaryText)
            List(choice.keys) { key in
                Button {
                    select(key)
                } label: {
                    VStack(alignment: .leading) {
                        Text(verbatim: key.ownerName).font(theme.textFont)
                        Text(verbatim: key.name).font(theme.textFont).foregroundStyle(theme.secondaryText)
                    }
                }
            }
            Button {
                select(nil)
            } label: {
                Text(verbatim: strings[.key(.cancel)]).frame(minHeight: 44).contentShape(.rect)
            }
            .buttonStyle(.borderless)
        }
        .padding()
    }
}
#endif
