import NightlatchRelyingParty

extension PrometheusMetrics {
    /// The media type of the answer of `/metrics`.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// All metrics in the text format 0.0.4
    /// ([exposition formats](https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format)),
    /// grouped by name.
    package var text: String {
        var text = ""
        let byName = Dictionary(grouping: snapshot, by: \.key.name)
        for (name, group) in byName.sorted(by: { $0.key < $1.key }) {
            guard let kind = group.first?.kind else { continue }
            if let help = MetricName(rawValue: name)?.help { text += "# HELP \(name) \(help)\n" }
            text += "# TYPE \(name) \(kind.rawValue)\n"
            let lines = group.map { series in
                (
                    order: Self.labels(series.key.labels),
                    text: series.samples.map { sample in
                        let labels = series.key.labels + (sample.label.map { [$0] } ?? [])
                        return "\(name)\(sample.suffix)\(Self.labels(labels)) \(sample.value)\n"
                    }.joined()
                )
            }
            for line in lines.sorted(by: { $0.order < $1.order }) { text += line.text }
        }
        return text
    }

    private static func labels(_ labels: [PrometheusLabel]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    /// Returns `text` as a name that Prometheus accepts. Names from libraries may contain other characters.
    static func name(_ text: String) -> String {
        let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" ? $0 : "_" })
        return name.first?.isNumber ?? true ? "_" + name : name
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("\n", with: #"\n"#)
    }
}
