import Foundation

/// The environment that `scripts/python-environment` makes as a part of `make test`.
///
/// Tests that need it fail without it.
enum PythonEnvironment {
    static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized.path
    static let python = root + "/.build/python/bin/python"
}
