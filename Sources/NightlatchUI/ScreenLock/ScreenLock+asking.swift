import Nightlatch

/// Asks, withdraws and finishes one question at a time.
extension ScreenLock {
    func ask() {
        end = nil
        events = []
        error = nil
        questionCount += 1
        question = questionCount
        asking = Task { [weak self, service, reason, asking, questionCount] in
            // A withdrawn question may still be running, and there is only one pad.
            await asking?.value
            let result: UnlockResult
            do throws(LocalAuthError) {
                result = try await service.unlock(reason: reason)
            } catch {
                guard self?.question == questionCount else { return }
                self?.finish(.failed, error: error)
                return
            }
            self?.finish(result, of: questionCount)
        }
    }

    /// Discards the typed digits at once and cancels the pending call.
    func withdraw() {
        question = nil
        end = .cancelled
        pad.withdraw()
        asking?.cancel()
    }

    private func finish(_ result: UnlockResult, of number: Int) {
        // Includes the events of a withdrawn question, because the library reports them only once.
        events += result.events
        guard question == number else {
            if case .unlocked(let vault, by: _) = result.outcome { tell { await vault.lock() } }
            return
        }
        switch result.outcome {
        case .unlocked(let vault, by: _):
            show(vault)
            // The vault may have ended already, for example after a PIN change in another window.
            guard isOpen else { return finish(.cancelled) }
            end = .unlocked
            pad.end(.unlocked)
        case .cancelled, .waiting: finish(.cancelled)
        case .blocked(let unblocking): finish(.blocked(unblocking))
        case .erased: finish(.erased)
        case .missing: finish(.missing)
        }
    }

    private func finish(_ end: PinPadEnd, error: LocalAuthError? = nil) {
        self.error = error
        self.end = end
        // A user who cancelled sees the locked screen, without a message.
        if end == .cancelled { pad.withdraw() } else { pad.end(end) }
        handle(.refused)
    }
}
