extension Duration {
    /// The rounded duration in a unit that suits its size.
    var approximately: String {
        let seconds = self / .seconds(1)
        let (amount, unit) =
            switch seconds {
            case ..<0.1: (seconds * 1_000, "ms")
            case ..<120: (seconds, "s")
            case ..<7_200: (seconds / 60, "min")
            case ..<172_800: (seconds / 3_600, "hours")
            case ..<63_115_200: (seconds / 86_400, "days")
            default: (seconds / 31_557_600, "years")
            }
        return "\(amount.inTwoFigures) \(unit)"
    }
}

extension Double {
    /// The number, rounded to two decimals below 1, to one decimal below 10, and to a whole number from 10 up.
    fileprivate var inTwoFigures: String {
        let decimals = self < 0.995 ? 100.0 : self < 9.95 ? 10 : 1
        let rounded = (self * decimals).rounded() / decimals
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
