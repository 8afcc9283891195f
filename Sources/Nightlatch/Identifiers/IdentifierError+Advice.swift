public import NightlatchWire

extension IdentifierError: AdvisedError {
    public var guidance: ErrorGuidance { ErrorGuidance(.invalidInput, .tryAgain) }
}
