import NightlatchUI

/// The lines of a pad, before they are placed in the window.
struct PadLayout {
    /// The styles of the keys, from the largest to the smallest.
    enum Keys: CaseIterable {
        case framed, open, none
    }

    private typealias Line = [PadSpan]

    /// The maximum width of text, also in a wide window.
    private static let widestText = 60

    let display: PinPadDisplay
    let focus: PadGrid.Place?
    let columns: Int
    let keys: Keys
    let glyphs: PadGlyphs

    var lines: [[PadSpan]] {
        let asksForDigits = display.title.asksForDigits
        let parts = [
            head, asksForDigits ? [circles] : [], asksForDigits ? grid : [], message, hints,
        ].filter { !$0.isEmpty }
        return Array(parts.joined(separator: keys == .none ? [] : [[]]))
    }

    private var words: PadWords { PadWords(display) }
    private var textColumns: Int { max(1, min(columns, Self.widestText)) }

    private func text(_ paragraphs: [String], _ role: PadSpan.Role) -> [Line] {
        let lines = paragraphs.flatMap { TerminalText($0).wrapped(to: textColumns) }
        // The lines form one block, aligned at the left.
        let width = lines.map { TerminalText($0).width }.max() ?? 0
        return lines.map { [PadSpan($0, role), PadSpan(blank(width - TerminalText($0).width))] }
    }

    private var head: [Line] { text([words.title], .title) + text(words.reason, .plain) }

    private var message: [Line] {
        text([words.message].compactMap(\.self), display.message == nil ? .countdown : .wrong)
            + text([words.countdown].compactMap(\.self), .countdown)
    }

    private var circles: Line {
        let moment = "One moment"
        if display.isBusy, display.typedCount == 0 { return [PadSpan(moment, .faint)] }
        let mayTypeMore = display.keys.contains { if case .digit = $0 { true } else { false } }
        let open =
            display.digitCount.map { $0 - display.typedCount } ?? (mayTypeMore || display.typedCount == 0 ? 1 : 0)
        let all =
            Array(repeating: glyphs.filledCircle, count: display.typedCount)
            + Array(repeating: glyphs.openCircle, count: max(0, open))
        // The circles stay while the PIN is tried, so that the user sees the last circle filled.
        let beside = blank(2) + moment
        let saysSo = display.isBusy && all.count + beside.count <= columns
        let room = saysSo ? columns - beside.count : columns
        let gap = [2, 1].first { all.count * ($0 + 1) - $0 <= room } ?? 0
        return [PadSpan(all.joined(separator: blank(gap)), .circle)] + (saysSo ? [PadSpan(beside, .faint)] : [])
    }

    // MARK: The keys

    private var grid: [Line] {
        let rows = (0..<PadGrid.rowCount).map(row)
        switch keys {
        case .none: return []
        case .open: return rows
        case .framed:
            let frames = [rule(glyphs.top)] + Array(repeating: rule(glyphs.between), count: rows.count - 1)
            return Array(zip(frames, rows).flatMap { [$0, $1] }) + [rule(glyphs.bottom)]
        }
    }

    private func row(_ row: Int) -> Line {
        let cells = (0..<PadGrid.columnCount).map { cell(PadGrid.Place(row: row, column: $0)) }
        guard keys == .framed else { return cells }
        let edge = PadSpan(glyphs.vertical, .faint)
        return [edge] + cells.flatMap { [$0, edge] }
    }

    private func cell(_ place: PadGrid.Place) -> PadSpan {
        let key = PadGrid(display.order)[place]
        let label: String =
            switch key {
            case .digit(let digit): " \(digit.rawValue) "
            case .delete: glyphs.delete
            case .submit: display.offeredKeys.contains(.submit) ? glyphs.submit : blank(3)
            default: blank(3)
            }
        if place == focus { return PadSpan("[\(label)]", .focus) }
        return PadSpan(" \(label) ", display.keys.contains(key) ? .plain : .faint)
    }

    private func rule(_ rule: PadGlyphs.Rule) -> Line {
        let width = TerminalText(" \(glyphs.delete) ").width
        let part = String(repeating: glyphs.horizontal, count: width)
        let parts = Array(repeating: part, count: PadGrid.columnCount).joined(separator: rule.middle)
        return [PadSpan(rule.left + parts + rule.right, .faint)]
    }

    // MARK: Keyboard hints

    private var hints: [Line] {
        // Keeps an empty line, so that the pad does not move.
        guard !display.isBusy else { return [[]] }
        var items: [String] = []
        if display.keys.contains(.giveUp) { items += ["y: give it up", "n: back"] }
        if display.title.asksForDigits, keys != .none { items.append("type, or arrows and Return") }
        if display.title.asksForDigits, keys == .none, display.offeredKeys.contains(.submit) {
            items.append("Return: done")
        }
        if display.keys.contains(.biometrics) { items.append("b: biometrics") }
        if display.keys.contains(.forgotten) { items.append("f: forgotten") }
        if display.keys.contains(.cancel) { items.append("\(glyphs.control)C: cancel") }
        var lines: [String] = []
        for item in items {
            if let last = lines.last, last.count + 3 + item.count <= textColumns {
                lines[lines.count - 1] = last + blank(3) + item
            } else {
                lines.append(item)
            }
        }
        return lines.map { [PadSpan($0, .faint)] }
    }

    private func blank(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension PinPadDisplay.Title {
    /// Whether digits are typed in this state.
    fileprivate var asksForDigits: Bool {
        switch self {
        case .enterPin, .choosePin, .repeatPin: true
        case .idle, .reallyForgotten, .ended: false
        }
    }
}
