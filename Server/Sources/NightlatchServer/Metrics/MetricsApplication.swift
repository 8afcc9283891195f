import HTTPTypes
public import Hummingbird
public import Logging
import Metrics
import NightlatchRelyingParty

/// Builds the server that Prometheus asks. It has an address of its own, because what it tells is nobody's business but the
/// operator's.
///
/// - Parameters:
///   - metrics: What was measured.
///   - database: What is in use, as a word for `nightlatch_build_info`.
///   - address: Where it listens.
///   - logger: What it writes to.
public func buildMetricsApplication(
    _ metrics: PrometheusMetrics,
    database: String,
    address: BindAddress,
    logger: Logger = Logger(label: "nightlatch.metrics")
) -> some ApplicationProtocol {
    let process = ProcessMetrics()
    metrics.makeMeter(
        label: MetricName.buildInfo.rawValue,
        dimensions: [("configuration", buildConfiguration), ("database", database)]
    ).set(Int64(1))
    let router = Router()
    router.get("metrics") { _, _ in
        Response(
            status: .ok, headers: [.contentType: PrometheusMetrics.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text + process.text)))
    }
    return Application(
        router: router, configuration: ApplicationConfiguration(address: address), logger: logger)
}

#if DEBUG
private let buildConfiguration = "debug"
#else
private let buildConfiguration = "release"
#endif
