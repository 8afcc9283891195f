/// Where the parts of a pad stand in a place of a given size, in points.
public struct PinPadLayout: Hashable, Sendable {
    /// The smallest key that a finger hits well.
    public static let leastKeyHeight = 44.0
    public static let keySpacing = 12.0

    /// Whether the digits stand beside the text, as on a phone that lies on its side, and not below it.
    public let isSideBySide: Bool
    public let keyWidth: Double
    public let keyHeight: Double
    /// How wide what stands above or beside the keys may be.
    public let rowWidth: Double
    /// How much larger than usual the person's text is; one where it is smaller.
    private let growth: Double

    /// The width of three keys and what lies between them.
    public var gridWidth: Double { 3 * keyWidth + 2 * Self.keySpacing }
    /// The height of four keys and what lies between them.
    public var gridHeight: Double { 4 * keyHeight + 3 * Self.keySpacing }

    /// How wide each of so many circles is, and what lies between two. They grow with the text, and shrink where they do not fit.
    ///
    /// - Parameters:
    ///   - count: How many there are; at least one.
    ///   - usual: How wide one is at the usual size of text.
    public func circleDiameter(count: Int, usual: Double) -> Double {
        min(usual * growth, rowWidth / Double(2 * count - 1))
    }

    /// - Parameters:
    ///   - width: How wide the place is.
    ///   - height: How high it is.
    ///   - textHeight: How high the digits are written at the size of text that the person wants.
    public init(width: Double, height: Double, textHeight: Double) {
        isSideBySide = width > height && height < 500
        let margin = 24.0
        let forGrid = (isSideBySide ? width / 2 : width) - 2 * margin
        rowWidth = forGrid
        growth = max(1, textHeight / 28)
        // On a tablet or a desktop the pad stays as big as a hand reaches.
        let widest = max(96, 2.2 * textHeight)
        keyWidth = min(widest, max(Self.leastKeyHeight, (forGrid - 2 * Self.keySpacing) / 3))
        let readable = max(Self.leastKeyHeight, 1.4 * textHeight)
        let share = (isSideBySide ? height - 2 * margin : 0.52 * height) - 3 * Self.keySpacing
        keyHeight = max(readable, min(keyWidth * 0.8, share / 4))
    }
}
