/// The positions and sizes of a pad's parts in an area of a given size, in points.
public struct PinPadLayout: Hashable, Sendable {
    /// The smallest height of a key that a finger hits reliably.
    public static let leastKeyHeight = 44.0
    public static let keySpacing = 12.0

    /// Whether the digits are beside the text, as on a phone in landscape, and not below it.
    public let isSideBySide: Bool
    public let keyWidth: Double
    public let keyHeight: Double
    /// The maximum width of the parts above or beside the keys.
    public let rowWidth: Double
    /// The ratio of the user's text size to the usual one, at least 1.
    private let growth: Double

    /// The width of three keys and the gaps between them.
    public var gridWidth: Double { 3 * keyWidth + 2 * Self.keySpacing }
    /// The height of four keys and the gaps between them.
    public var gridHeight: Double { 4 * keyHeight + 3 * Self.keySpacing }

    /// The diameter of a circle, which is also the gap between two circles. Circles grow with the text size, and shrink
    /// to fit.
    ///
    /// - Parameters:
    ///   - count: The number of circles, at least one.
    ///   - usual: The diameter at the usual text size.
    public func circleDiameter(count: Int, usual: Double) -> Double {
        min(usual * growth, rowWidth / Double(2 * count - 1))
    }

    /// Computes the layout.
    ///
    /// - Parameters:
    ///   - width: The width of the area.
    ///   - height: The height of the area.
    ///   - textHeight: The height of the digits at the user's text size.
    public init(width: Double, height: Double, textHeight: Double) {
        isSideBySide = width > height && height < 500
        let margin = 24.0
        let forGrid = (isSideBySide ? width / 2 : width) - 2 * margin
        rowWidth = forGrid
        growth = max(1, textHeight / 28)
        // On a tablet or a desktop, the pad stays small enough for one hand.
        let widest = max(96, 2.2 * textHeight)
        keyWidth = min(widest, max(Self.leastKeyHeight, (forGrid - 2 * Self.keySpacing) / 3))
        let readable = max(Self.leastKeyHeight, 1.4 * textHeight)
        let share = (isSideBySide ? height - 2 * margin : 0.52 * height) - 3 * Self.keySpacing
        keyHeight = max(readable, min(keyWidth * 0.8, share / 4))
    }
}
