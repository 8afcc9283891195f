extension RecoveryPhraseError: AdvisedError {
    public var guidance: ErrorGuidance { ErrorGuidance(.phraseMistyped, .tryAgain) }
}
