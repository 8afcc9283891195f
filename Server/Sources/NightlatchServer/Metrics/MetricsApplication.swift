import HTTPTypes
public import Hummingbird
public import Logging
import Metrics
import NightlatchRelyingParty

/// Builds the server that Prometheus scrapes. It listens on a separate address, because metrics are for the operator
/// only.
///
/// - Parameters:
///   - metrics: The metrics to serve.
///   - database: The kind of database, as a word for `nightlatch_build_info`.
///   - address: The address to listen on.
///   - logger: The log.
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
