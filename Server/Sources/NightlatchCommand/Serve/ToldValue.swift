/// A setting as it was told, and by what.
struct ToldValue {
    let setting: ServeSetting
    let text: String
    let source: Source

    /// What says it.
    enum Source {
        case flag
        case environment
        case file(path: String)
    }

    /// What messages call it: the name under which whoever wrote it finds it again.
    var name: String {
        switch source {
        case .flag: setting.flag
        case .environment: setting.environmentName
        case .file(let path): "“\(setting.rawValue)” in \(path)"
        }
    }
}
