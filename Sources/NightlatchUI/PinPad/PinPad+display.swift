/// What is drawn.
extension PinPad {
    /// What is to be drawn now.
    public var display: PinPadDisplay {
        var display = PinPadDisplay()
        display.title = stage.title
        display.message = message
        display.typedCount = typed.count
        display.digitCount = stage.digitCount
        display.order = order
        display.keys = keys
        display.offeredKeys = stage.offeredKeys
        display.countdown = wait
        display.triesLeft = stage.triesLeft
        if case .busy = stage { display.isBusy = true }
        return display
    }

    var keys: Set<PinPadKey> {
        var keys = stage.offeredKeys
        if typed.count == 0 { keys.remove(.delete) }
        guard let lengths = stage.lengths, wait == nil else { return keys.subtracting([.submit]) }
        if !lengths.contains(typed.count) { keys.remove(.submit) }
        if typed.count < lengths.upperBound { keys.formUnion(PinDigit.allCases.map(PinPadKey.digit)) }
        return keys
    }
}
