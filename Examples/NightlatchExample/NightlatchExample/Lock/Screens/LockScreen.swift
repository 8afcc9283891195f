import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchUI
import NightlatchWire
import SwiftUI

/// A window of the profile, which its own lock protects. One window may be in front while another is not.
struct LockScreen: View {
    private let profile: Profile
    private let bank: Bank
    @State private var lock: ScreenLock
    @State private var work = Work()
    @State private var isEnteringPhrase = false
    @State private var isStartingAgain = false

    init(_ profile: Profile, in bank: Bank) {
        let pad = PinPadModel()
        let service = bank.service(of: profile, asking: pad)
        self.profile = profile
        self.bank = bank
        _lock = State(
            initialValue: ScreenLock(service, pad: pad, reason: "Open Night Bank", clock: SystemLockoutClock()))
    }

    var body: some View {
        HomeScreen(profile: profile, bank: bank, lock: lock)
            .lockedBehind(lock)
            .safeAreaInset(edge: .bottom) {
                if !lock.isOpen, !lock.isAsking { help(LockHelp(after: lock.end)) }
            }
            .sheet(isPresented: $isEnteringPhrase) {
                PhraseEntryScreen(profile, in: bank) { lock.unlock() }.privacyCover()
            }
            .confirmationDialog(
                "Start again with a new code?", isPresented: $isStartingAgain, titleVisibility: .visible
            ) {
                Button("Remove my data from this device", role: .destructive) {
                    Task { await work.run { try await bank.remove(profile) } }
                }
            } message: {
                Text("Secrets that only this device has are lost. Then register with a new code from your bank.")
            }
    }

    /// Explains a lock that the pad cannot open, and offers the ways on.
    private func help(_ help: LockHelp) -> some View {
        VStack(spacing: 12) {
            if let notice = lock.error.flatMap({ Notice(of: $0) }) ?? work.notice {
                Text(verbatim: notice.text).multilineTextAlignment(.center)
            }
            if help.offersPhrase {
                Button("Enter recovery phrase") { isEnteringPhrase = true }
                    .buttonStyle(.borderedProminent)
                    .controlSize(.large)
            }
            if help.offersNewStart {
                Button("Start again with a new code", role: .destructive) { isStartingAgain = true }
                    .disabled(work.isRunning)
            }
        }
        .padding()
    }
}
