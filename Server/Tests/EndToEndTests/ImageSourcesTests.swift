import Foundation
import Testing

@Suite("What the image is built of")
struct ImageSourcesTests {
    @Test("every folder that the manifest has targets in is copied into the image; without one it could not be read")
    func folders() throws {
        let root = PythonEnvironment.root
        let containerfile = try String(contentsOfFile: root + "/Containerfile", encoding: .utf8)
        let manifest = try String(contentsOfFile: root + "/Package.swift", encoding: .utf8)
        let paths = manifest.matches(of: /path: "([^"\/]+)\//).map { String($0.1) }
        #expect(Set(paths).isSuperset(of: ["Fuzz", "Tests"]))
        // The other two: where targets lie whose place the manifest does not name, and the server.
        for folder in Set(paths).union(["Sources", "Server"]) {
            #expect(containerfile.contains("\nCOPY \(folder) \(folder)\n"), "\(folder)")
        }
    }
}
