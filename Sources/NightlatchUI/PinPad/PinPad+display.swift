extension PinPad {
    /// The data that a view draws now.
    public var display: PinPadDisplay {
        var display = PinPadDisplay()
        display.title = stage.title
        display.message = message
        display.typedCount = typed.count
        display.digitCount = stage.digitCount
        display.order = order
        display.keys = keys
        display.offeredKeys = offeredKeys
        display.countdown = wait
        display.triesLeft = stage.triesLeft
        display.lastAttempt = stage.lastAttempt
        if case .busy(_, let typedCount) = stage {
            display.isBusy = true
            display.typedCount = typedCount
        }
        return display
    }

    /// The keys beside the digits. A complete PIN that was typed ahead is tried only when the user presses `submit`, so
    /// that key is added.
    private var offeredKeys: Set<PinPadKey> {
        typed.count > 0 && typed.count == stage.digitCount ? stage.offeredKeys.union([.submit]) : stage.offeredKeys
    }

    var keys: Set<PinPadKey> {
        var keys = offeredKeys
        if typed.count == 0 { keys.remove(.delete) }
        guard let lengths = stage.lengths, wait == nil else { return keys.subtracting([.submit]) }
        if !lengths.contains(typed.count) { keys.remove(.submit) }
        if typed.count < lengths.upperBound { keys.formUnion(PinDigit.allCases.map(PinPadKey.digit)) }
        return keys
    }
}
