#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// Circles that fill from the left, as numbers are written in every script. A screen reader treats them as one element
/// and speaks a count.
struct PinPadCircles: View {
    let circles: PinPadScreen.Circles?
    let busy: String?
    /// A counter that increases with every shake.
    let shakeCount: Int
    let layout: PinPadLayout
    @Environment(\.pinPadTheme) private var theme
    @Environment(\.accessibilityReduceMotion) private var reducesMotion

    var body: some View {
        VStack(spacing: 8) {
            if let circles {
                row(circles)
                    .environment(\.layoutDirection, .leftToRight)
                    .phaseAnimator([0, -9, 8, -6, 4], trigger: shakeCount) { row, offset in
                        row.offset(x: offset)
                    } animation: { _ in
                        .linear(duration: 0.06)
                    }
                    .accessibilityElement(children: .ignore)
                    .accessibilityLabel(Text(verbatim: circles.label))
                    .accessibilityValue(Text(verbatim: circles.value))
            }
            // The hidden indicator keeps its space, so that the layout does not jump.
            ProgressView()
                .opacity(busy == nil ? 0 : 1)
                .accessibilityHidden(busy == nil)
                .accessibilityLabel(Text(verbatim: busy ?? ""))
        }
        // The height is the same with and without circles, so that the layout does not jump.
        .frame(minHeight: layout.circleDiameter(count: 1, usual: theme.circleDiameter) + 8)
    }

    private func row(_ circles: PinPadScreen.Circles) -> some View {
        let diameter = layout.circleDiameter(count: circles.count, usual: theme.circleDiameter)
        return HStack(spacing: diameter) {
            ForEach(0..<circles.count, id: \.self) { place in
                Circle()
                    .strokeBorder(theme.accent, lineWidth: 1.5)
                    .background(Circle().fill(place < circles.filledCount ? theme.accent : .clear))
                    .frame(width: diameter, height: diameter)
            }
        }
        .animation(reducesMotion ? nil : .easeOut(duration: 0.12), value: circles.filledCount)
    }
}
#endif
