import ArgumentParser

/// The flags of `nightlatch serve`.
struct ServeOptions: ParsableArguments {
    @Option(help: "The store, as sqlite:PATH. (default: sqlite:nightlatch-data/nightlatch.sqlite)")
    var database: String?

    @Option(help: "HOST:PORT to listen on; port 0 takes a free one. (default: 127.0.0.1:8080)")
    var listen: String?

    @Option(help: "The URL by which clients know this relying party. (default: http://HOST:PORT)")
    var issuer: String?

    @Option(help: "The file of the master key. (default: nightlatch-data/master.key)")
    var masterKeyFile: String?

    @Option(help: "The file of the key for the app's backend. (default: nightlatch-data/backend.key)")
    var backendKeyFile: String?

    @Option(help: "How long requests under way may take once the relying party was asked to stop. (default: 10)")
    var shutdownSeconds: Int?

    @Option(
        help: "How many days a key signs access tokens before another takes its place; 0: until asked. (default: 90)")
    var signingKeyDays: Int?

    @Option(help: "A JSON file with any of these values.")
    var config: String?

    @Flag(help: "Stop when standard input ends: for programs that start this one.")
    var untilStdinEnds = false
}
