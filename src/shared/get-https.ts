import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type RequestOptions, request } from "node:https";
import type { LookupFunction, TcpNetConnectOpts } from "node:net";
import { type PeerCertificate, rootCertificates } from "node:tls";

/** A checked address, to which a connection is allowed. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface GetHttpsOptions {
  readonly url: URL;
  /** Addresses of the URL's host. Connections go only to these. */
  readonly addresses: readonly CheckedAddress[];
  /** Accepted media types. */
  readonly accept: string;
  /** Maximum size of the body. The rest is not read. */
  readonly maxBytes: number;
  /** PEM of an authority that is trusted in addition to those of Node.js. */
  readonly extraCa?: string | undefined;
  /** Missing: the function of Node.js. */
  readonly checkServerIdentity?: (host: string, certificate: PeerCertificate) => Error | undefined;
  /** Limits the complete request. */
  readonly signal: AbortSignal;
}

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body of a response with status 200. Other bodies are not read. */
  readonly body: Buffer;
  /** Whether the body is complete. */
  readonly isWhole: boolean;
}

/** Time until the next address is tried in parallel to a slow one. */
const ADDRESS_ATTEMPT_MS = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Fetches a URL of an untrusted server, at checked addresses: no redirects, no cookies, no proxy, no compression, no
 * shared connection.
 * @throws Error if there is no response
 */
export async function getHttps(options: GetHttpsOptions): Promise<HttpsAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(requestOptions(options));
    asked.on("response", resolve).on("error", reject).end();
    // The socket does not keep the process alive.
    asked.on("socket", (socket) => socket.unref());
  });
  // The reader also receives its error. After the read, no listener is left.
  response.on("error", () => undefined);
  try {
    const { statusCode: status = 0, headers } = response;
    if (status !== 200) return { status, headers, body: Buffer.alloc(0), isWhole: true };
    return { status, headers, ...(await readBody(response, options.maxBytes)) };
  } finally {
    response.destroy();
  }
}

/** Node.js declares the socket options in separate types. */
function requestOptions({
  url,
  addresses,
  accept,
  extraCa,
  checkServerIdentity,
  signal,
}: GetHttpsOptions): RequestOptions &
  Pick<TcpNetConnectOpts, "autoSelectFamily" | "autoSelectFamilyAttemptTimeout"> {
  const host = hostOf(url);
  return {
    host,
    servername: host,
    port: url.port || 443,
    path: `${url.pathname}${url.search}`,
    headers: { accept, "user-agent": "hermod" },
    // A separate connection, without state of earlier ones.
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    lookup: lookupAmong(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED does not turn it off here.
    rejectUnauthorized: true,
    ...(checkServerIdentity && { checkServerIdentity }),
    ...(extraCa !== undefined && { ca: [...rootCertificates, extraCa] }),
    signal,
  };
}

/** Host of a URL. An IPv6 address has no brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

async function readBody(
  response: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<Pick<HttpsAnswer, "body" | "isWhole">> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: sizeBytes <= maxBytes };
}

/** Returns only the checked addresses, so that the connection cannot use another one. */
function lookupAmong(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}
