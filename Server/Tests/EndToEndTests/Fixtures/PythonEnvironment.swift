import Foundation

/// What `scripts/python-environment` makes.
enum PythonEnvironment {
    static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized.path
    static let python = root + "/.build/python/bin/python"
    static let isThere = FileManager.default.isExecutableFile(atPath: python)
}
