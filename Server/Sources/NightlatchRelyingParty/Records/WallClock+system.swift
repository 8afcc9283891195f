import Foundation
import NightlatchWire

extension WallClock {
    /// The machine's own clock.
    public static let system = WallClock { NumericDate(Date()) }
}
