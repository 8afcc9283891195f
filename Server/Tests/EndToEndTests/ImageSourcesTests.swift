import Foundation
import Testing

@Suite("The sources of the container image")
struct ImageSourcesTests {
    @Test(
        """
        Every folder with targets of the manifest is copied into the image, because the manifest is invalid without \
        them
        """)
    func folders() throws {
        let root = PythonEnvironment.root
        let containerfile = try String(contentsOfFile: root + "/Containerfile", encoding: .utf8)
        let manifest = try String(contentsOfFile: root + "/Package.swift", encoding: .utf8)
        let paths = manifest.matches(of: /path: "([^"\/]+)\//).map { String($0.1) }
        #expect(Set(paths).isSuperset(of: ["Fuzz", "Tests"]))
        // The manifest does not give the paths of targets in `Sources`, nor that of the server.
        for folder in Set(paths).union(["Sources", "Server"]) {
            #expect(containerfile.contains("\nCOPY \(folder) \(folder)\n"), "\(folder)")
        }
    }
}
