/// The number of a relying party's key for one device, from 1. No number is used twice.
public typealias PinEpoch = SequenceNumber<PinEpochRule>

public enum PinEpochRule: SequenceNumberRule {
    public static let name = "epoch"
    public static let first = 1
}

/// The number of times that the count of guesses was cleared, from 0. A guess belongs to one window and counts in it.
public typealias PinWindow = SequenceNumber<PinWindowRule>

public enum PinWindowRule: SequenceNumberRule {
    public static let name = "window"
    public static let first = 0
}
