import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session's delegate that passes on each answer in pieces, so that the reader can stop at any time.
///
/// It follows no redirects.
final class HTTPAnswers: NSObject, URLSessionDataDelegate {
    typealias Pieces = AsyncThrowingStream<Piece, any Error>

    enum Piece: Sendable {
        case head(URLResponse)
        case body(Data)
    }

    // Safe: it is used only on the session's delegate queue, which is serial.
    nonisolated(unsafe) private var readers: [Int: Pieces.Continuation] = [:]

    /// Sends `message`. The stream ends with the answer or with an error. If the reader stops early, the request is
    /// cancelled.
    static func pieces(of message: URLRequest, in session: URLSession) -> Pieces {
        let (pieces, reader) = Pieces.makeStream()
        let task = session.dataTask(with: message)
        reader.onTermination = { _ in task.cancel() }
        session.delegateQueue.addOperation {
            guard let answers = session.delegate as? HTTPAnswers else { return reader.finish() }
            unsafe answers.readers[task.taskIdentifier] = reader
            task.resume()
        }
        return pieces
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        unsafe readers[dataTask.taskIdentifier]?.yield(.head(response))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        unsafe readers[dataTask.taskIdentifier]?.yield(.body(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        unsafe readers.removeValue(forKey: task.taskIdentifier)?.finish(throwing: error)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
