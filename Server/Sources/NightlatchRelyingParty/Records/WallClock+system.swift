import Foundation
import NightlatchWire

extension WallClock {
    /// The system clock.
    public static let system = WallClock { NumericDate(Date()) }
}
