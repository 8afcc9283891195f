import Foundation

/// Metrics in Prometheus's text format 0.0.4, parsed strictly.
struct ScrapedMetrics {
    /// Each number by its series, which is the name with the labels as written.
    private(set) var values: [String: Double] = [:]
    private(set) var types: [String: String] = [:]

    struct Malformed: Error {
        let line: String
        let reason: String
    }

    /// Parses the text.
    ///
    /// - Throws: ``Malformed`` for a malformed line, a duplicate series, a metric without a type, and a histogram
    ///   whose buckets do not grow up to its count.
    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Malformed(line: text.suffix(80).description, reason: "no end of line") }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            try read(String(line))
        }
        try checkHistograms()
    }

    /// Returns the number of a series; nil if there is none.
    func value(_ series: String) -> Double? { values[series] }

    private mutating func read(_ line: String) throws {
        if let type = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/) {
            guard types.updateValue(String(type.2), forKey: String(type.1)) == nil else {
                throw Malformed(line: line, reason: "a second type")
            }
        } else if line.wholeMatch(of: /# HELP [a-zA-Z_:][a-zA-Z0-9_:]* .+/) != nil {
            return
        } else {
            let label = #/[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"/#
            let sample = #/([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? ([0-9.e+-]+|\+Inf|NaN)/#
            guard let match = line.wholeMatch(of: sample), let number = Double(match.3) else {
                throw Malformed(line: line, reason: "no sample")
            }
            if let labels = match.2?.dropFirst().dropLast() {
                let rest = labels.replacing(label, with: "")
                guard rest.allSatisfy({ $0 == "," }), !labels.hasSuffix(",") else {
                    throw Malformed(line: line, reason: "no labels")
                }
            }
            let bare = String(match.1).replacing(#/_(bucket|sum|count)$/#, with: "")
            guard types[String(match.1)] != nil || types[bare] == "histogram" else {
                throw Malformed(line: line, reason: "no type before it")
            }
            let series = String(match.1) + (match.2.map(String.init) ?? "")
            guard values.updateValue(number, forKey: series) == nil else {
                throw Malformed(line: line, reason: "a second time")
            }
        }
    }

    private func checkHistograms() throws {
        let buckets = values.filter { $0.key.contains("_bucket{") }
        let histograms = Dictionary(grouping: buckets) { $0.key.replacing(#/,?le="[^"]*"/#, with: "") }
        for (name, buckets) in histograms {
            let counts = buckets.map { bucket -> (bound: Double, count: Double) in
                let bound = bucket.key.firstMatch(of: #/le="([^"]*)"/#).map { String($0.1) } ?? ""
                return (bound == "+Inf" ? .infinity : Double(bound) ?? .nan, bucket.value)
            }.sorted { $0.bound < $1.bound }.map(\.count)
            let total = name.replacing("_bucket{}", with: "_count").replacing("_bucket{", with: "_count{")
            guard counts == counts.sorted(), counts.last == values[total], counts.count > 2 else {
                throw Malformed(line: name, reason: "buckets do not grow up to the count")
            }
        }
    }
}
