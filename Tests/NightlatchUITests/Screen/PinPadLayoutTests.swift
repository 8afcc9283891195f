import NightlatchUI
import Testing

@Suite("Layout of a pad")
struct PinPadLayoutTests {
    /// Phones in portrait and landscape, a tablet, half a tablet, and windows of a desktop.
    static let places: [(width: Double, height: Double)] = [
        (320, 568), (375, 667), (393, 852), (430, 932), (568, 320), (852, 393), (507, 1024), (820, 1180), (1366, 1024),
        (400, 500), (1600, 900),
    ]

    @Test("Keys are never smaller than a finger, fit the width, and hold the text at every size", arguments: places)
    func fits(place: (width: Double, height: Double)) {
        for textHeight in [20.0, 28, 34, 48, 60] {
            let layout = PinPadLayout(width: place.width, height: place.height, textHeight: textHeight)
            #expect(layout.keyWidth >= 44 && layout.keyHeight >= 44)
            #expect(layout.keyHeight >= 1.3 * textHeight)
            #expect(layout.gridWidth <= (layout.isSideBySide ? place.width / 2 : place.width) - 40)
        }
    }

    @Test(
        "The row of circles fits the narrowest place, grows with the text, and otherwise follows the theme",
        arguments: places)
    func circles(place: (width: Double, height: Double)) {
        for count in 1...12 {
            for textHeight in [20.0, 28, 34, 48, 60] {
                let layout = PinPadLayout(width: place.width, height: place.height, textHeight: textHeight)
                let diameter = layout.circleDiameter(count: count, usual: 14)
                #expect(Double(2 * count - 1) * diameter <= layout.rowWidth && diameter >= 8)
                #expect(layout.rowWidth <= (layout.isSideBySide ? place.width / 2 : place.width) - 40)
                if count <= 4 { #expect(diameter == 14 * max(1, textHeight / 28)) }
            }
        }
    }

    @Test(
        "The digits are beside the text only on a phone in landscape",
        arguments: [
            ((568.0, 320.0), true), ((852, 393), true), ((320, 568), false), ((1366, 1024), false),
            ((1600, 900), false),
        ])
    func sides(place: (Double, Double), isSideBySide: Bool) {
        #expect(PinPadLayout(width: place.0, height: place.1, textHeight: 28).isSideBySide == isSideBySide)
    }

    @Test("On a tablet and a desktop the pad keeps the size of a hand")
    func large() {
        for place in Self.places.suffix(4) {
            #expect(PinPadLayout(width: place.width, height: place.height, textHeight: 28).gridWidth <= 320)
        }
    }

    @Test("At the default text size a phone shows all four rows without scrolling")
    func noScrolling() {
        for place in Self.places where place.width < place.height {
            let layout = PinPadLayout(width: place.width, height: place.height, textHeight: 28)
            #expect(layout.gridHeight <= 0.55 * place.height)
        }
    }
}
