/// The value of a setting, and its source.
struct ToldValue {
    let setting: ServeSetting
    let text: String
    let source: Source

    /// The source of a value.
    enum Source {
        case flag
        case environment
        case file(path: String)
    }

    /// The name of the setting for messages, as the operator wrote it.
    var name: String {
        switch source {
        case .flag: setting.flag
        case .environment: setting.environmentName
        case .file(let path): "“\(setting.rawValue)” in \(path)"
        }
    }
}
