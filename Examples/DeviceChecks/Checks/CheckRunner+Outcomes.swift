import Nightlatch

extension CheckRunner {
    /// Carries out an action that the check's state offers.
    func outcome(
        of action: CheckAction,
        on assumption: Assumption,
        _ state: CheckState,
        _ notes: Facts
    ) async throws(StoreError) -> CheckOutcome {
        let (biometrics, installation) = (BiometricChecks(system: system), InstallationChecks(system: system))
        switch (action, state) {
        case (.run, _): return try await outcome(ofRunning: assumption)
        case (.yes, _), (.no, _): return biometrics.promptsWereTwo(action == .yes, notes)
        case (.proceed, .waiting(.changeEnrolment)): return await biometrics.afterEnrolment(notes)
        case (.proceed, _): return try await installation.beforeRestore()
        case (.itemsAreGone, _): return .done(.didNotHold, ["item": "none"])
        }
    }

    private func outcome(ofRunning assumption: Assumption) async throws(StoreError) -> CheckOutcome {
        let (keychain, swaps, chip) = (
            KeychainChecks(system: system), SwapChecks(system: system), ChipChecks(system: system)
        )
        return switch assumption {
        case .keychainSwap: try await swaps.swap()
        case .keychainProcesses: try await swaps.swapOfProcesses()
        case .keychainGenericAttribute: try await keychain.genericAttribute()
        case .keychainSize: try await keychain.size()
        case .silentPassword: await chip.silentPassword()
        case .wrongPassword: await chip.wrongPassword()
        case .hpkeKeyType: await chip.hpkeKeyType()
        case .onePrompt: await BiometricChecks(system: system).onePrompt()
        case .changedEnrolment: await BiometricChecks(system: system).beforeEnrolment()
        case .reinstall: try await InstallationChecks(system: system).beforeRemoval()
        case .restore: try await InstallationChecks(system: system).beforeBackup()
        }
    }
}
