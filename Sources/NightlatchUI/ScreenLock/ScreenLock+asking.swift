import Nightlatch

/// One question at a time: it is put, withdrawn, and ends.
extension ScreenLock {
    func ask() {
        end = nil
        events = []
        error = nil
        questionCount += 1
        question = questionCount
        asking = Task { [weak self, service, reason, asking, questionCount] in
            // One that was withdrawn may be at work still, and the pad is one.
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

    /// What was typed goes at once; what the service has begun it ends as a call that was cancelled.
    func withdraw() {
        question = nil
        end = .cancelled
        pad.withdraw()
        asking?.cancel()
    }

    private func finish(_ result: UnlockResult, of number: Int) {
        // Also what happened on the way of a question that was withdrawn: it is told once.
        events += result.events
        guard question == number else {
            if case .unlocked(let vault, by: _) = result.outcome { tell { await vault.lock() } }
            return
        }
        switch result.outcome {
        case .unlocked(let vault, by: _):
            show(vault)
            // The vault may have ended already: another window has changed the PIN.
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
        // Who has cancelled is told that the screen is locked, and not what they know.
        if end == .cancelled { pad.withdraw() } else { pad.end(end) }
        handle(.refused)
    }
}
