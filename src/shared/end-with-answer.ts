import { constants, type ServerHttp2Stream } from "node:http2";

/**
 * Ends an HTTP/2 stream with its response, regardless of the rest of the request (RFC 9113 section 8.1). Must be called
 * before the response. Node.js ends a response in a setImmediate after this event, and clients interpret an earlier
 * reset as a failure. A stream must also not be reset while Node.js reads from its connection, because it would
 * continue with freed memory.
 */
export function endWithAnswer(stream: ServerHttp2Stream): void {
  stream.once("wantTrailers", () => setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR)));
}
