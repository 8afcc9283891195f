/// The number of a relying party's key for one device, from 1. None is given twice.
public typealias PinEpoch = SequenceNumber<PinEpochRule>

public enum PinEpochRule: SequenceNumberRule {
    public static let name = "epoch"
    public static let first = 1
}

/// How often the count of guesses was cleared, from 0. A guess is made in a window, and counts in that one.
public typealias PinWindow = SequenceNumber<PinWindowRule>

public enum PinWindowRule: SequenceNumberRule {
    public static let name = "window"
    public static let first = 0
}
