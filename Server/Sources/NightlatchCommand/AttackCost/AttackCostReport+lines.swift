import Foundation
import Nightlatch

extension AttackCostReport {
    /// The whole report, for people.
    var lines: [String] {
        let benchmark = cost.benchmark
        var lines = vault.map { ["Vault: \($0)"] } ?? []
        if let thieves { lines += thieves.sentences + [""] }
        lines += [
            "Key derivation: \(cost.keyDerivation.name)",
            "Guess rate: \(Int(cost.guessesPerSecond).grouped) a second on one \(benchmark.hardware), with a copy",
            "  scaled from \(benchmark.guessesPerSecond.grouped) a second at \(benchmark.setting)",
            "  (\(benchmark.source), \(benchmark.address))",
            "",
            "                 all PINs                only PINs that the policy allows",
            row(["digits", "half of them", "all", "refused", "half", "all"]),
        ]
        lines += PinSpace.usual.map { space in
            let (every, allowed) = (cost.time(toTry: space.pinCount), cost.time(toTry: space.allowedPinCount))
            return row([
                "\(space.digitCount)", every.expected.approximately, every.whole.approximately, space.refusedShare,
                allowed.expected.approximately, allowed.whole.approximately,
            ])
        }
        lines += ["", "A random PIN is found on average when half of them are tried. Not in these figures:"]
        lines += notIncluded.map { "* \($0)" }
        return lines
    }

    private func row(_ cells: [String]) -> String {
        zip(cells, [6, 14, 12, 10, 12, 12]).map { cell, width in
            String(repeating: " ", count: max(0, width - cell.count)) + cell
        }.joined()
    }
}

extension PinSpace {
    /// The percentage of PINs that the policy refuses.
    fileprivate var refusedShare: String {
        let tenths = (commonPinCount * 1_000 + pinCount / 2) / pinCount
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension KeyDerivationParameters {
    /// The key derivation function and its parameters.
    var name: String {
        switch self {
        case .argon2id(let memoryKibibytes, let passes, let lanes):
            "Argon2id, \(memoryKibibytes.grouped) KiB, \(passes) \(passes == 1 ? "pass" : "passes"), "
                + "\(lanes) \(lanes == 1 ? "lane" : "lanes")"
        case .pbkdf2(let iterations): "PBKDF2-HMAC-SHA256, \(iterations.grouped) iterations"
        }
    }
}

extension Int {
    /// The number with a comma between thousands.
    var grouped: String { formatted(.number.locale(Locale(identifier: "en_US")).grouping(.automatic)) }
}
