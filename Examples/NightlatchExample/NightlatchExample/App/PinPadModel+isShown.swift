import NightlatchUI

extension PinPadModel {
    /// Whether the pad has something to show.
    var isShown: Bool { display.title != .idle }
}
