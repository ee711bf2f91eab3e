import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type RequestOptions, request } from "node:https";
import type { LookupFunction, TcpNetConnectOpts } from "node:net";
import { type PeerCertificate, rootCertificates } from "node:tls";

/** An address that was checked: it may be connected to. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface GetHttpsOptions {
  readonly url: URL;
  /** Of the URL's host; only these are connected to. */
  readonly addresses: readonly CheckedAddress[];
  /** The media types that are wanted. */
  readonly accept: string;
  /** Of the body; what is beyond is not read. */
  readonly maxBytes: number;
  /** PEM of an authority that is trusted besides those of Node. */
  readonly extraCa?: string | undefined;
  /** Node's own when missing. */
  readonly checkServerIdentity?: (host: string, certificate: PeerCertificate) => Error | undefined;
  /** Bound of the whole. */
  readonly signal: AbortSignal;
}

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of 200 alone; of others nothing is read. */
  readonly body: Buffer;
  /** The body is no longer than was asked for. */
  readonly isWhole: boolean;
}

/** Before the next address is tried beside a slow one. */
const ADDRESS_ATTEMPT_MS = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Gets what a stranger's server has, at addresses that were checked: no redirects, no cookies, no proxy, no compression, no
 * connection that others use.
 * @throws Error when there is no answer
 */
export async function getHttps(options: GetHttpsOptions): Promise<HttpsAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(requestOptions(options));
    asked.on("response", resolve).on("error", reject).end();
    // A process may end without it.
    asked.on("socket", (socket) => socket.unref());
  });
  // Its reader hears of its failure too; after that nobody does.
  response.on("error", () => undefined);
  try {
    const { statusCode: status = 0, headers } = response;
    if (status !== 200) return { status, headers, body: Buffer.alloc(0), isWhole: true };
    return { status, headers, ...(await readBody(response, options.maxBytes)) };
  } finally {
    response.destroy();
  }
}

/** What Node hands on to the socket stands in types of its own. */
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
    // A connection of its own: nothing about an earlier one is remembered.
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    lookup: lookupAmong(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    // Said once more: NODE_TLS_REJECT_UNAUTHORIZED shall not turn it off here.
    rejectUnauthorized: true,
    ...(checkServerIdentity && { checkServerIdentity }),
    ...(extraCa !== undefined && { ca: [...rootCertificates, extraCa] }),
    signal,
  };
}

/** The host of a URL; an IPv6 address without its brackets. */
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

/** The addresses that were found and checked already, so that none can be another one when it is connected to. */
function lookupAmong(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}
