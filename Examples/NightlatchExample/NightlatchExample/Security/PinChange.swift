import Nightlatch

extension Account {
    /// Asks for the old PIN and a new one. The open vault stays open with the new PIN.
    func changePin() async {
        await work.run(asking: pad) {
            switch try await service().changePin(in: vault).outcome {
            case .changed: work.notice = Notice("Your PIN is changed.")
            // The pad shows waits, so `waiting` does not occur.
            case .cancelled, .waiting: break
            case .blocked, .erased, .missing: unlockAgain()
            }
        }
    }
}
