public import Nightlatch

extension PinPadModel {
    /// Shows how a decision on a transaction ended. Withdraws the question if the user cancelled or has to wait.
    public func show(_ outcome: TransactionOutcome) {
        switch outcome {
        case .decided: end(.unlocked)
        case .cancelled, .waiting: withdraw()
        case .blocked(let unblocking): end(.blocked(unblocking))
        case .erased: end(.erased)
        case .missing: end(.missing)
        }
    }

    /// Shows how setting a new PIN ended. Withdraws the question if the user cancelled or has to wait.
    public func show(_ outcome: NewPinOutcome) {
        switch outcome {
        case .changed: end(.pinSet)
        case .cancelled, .waiting: withdraw()
        case .blocked(let unblocking): end(.blocked(unblocking))
        case .erased: end(.erased)
        case .missing: end(.missing)
        }
    }
}
