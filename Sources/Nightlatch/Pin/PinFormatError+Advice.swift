extension PinFormatError: AdvisedError {
    public var guidance: ErrorGuidance { ErrorGuidance(.notAPin, .tryAgain) }
}
