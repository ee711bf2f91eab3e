import { constants, type ServerHttp2Stream } from "node:http2";

/**
 * Ends a stream of HTTP/2 with its answer, whatever is still on its way of the request (RFC 9113 section 8.1); to be
 * called before the answer. Node ends an answer in a setImmediate after this event, and clients take a reset that comes
 * before its end for a failure. Nor may a stream be reset while Node reads from its connection: it would go on with
 * memory that it has freed.
 */
export function endWithAnswer(stream: ServerHttp2Stream): void {
  stream.once("wantTrailers", () => setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR)));
}
