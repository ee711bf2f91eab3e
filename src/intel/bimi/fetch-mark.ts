import { gunzipSync } from "node:zlib";
import { NoAddressError } from "../../dns/checked-addresses.ts";
import { createFetchHttps, type FetchHttpsOptions } from "../../dns/fetch-https.ts";
import { followRedirects } from "../../dns/follow-redirects.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import type { Clock } from "../../shared/clock.ts";
import { firstCharacters } from "../../shared/first-characters.ts";
import type { Evidence } from "../check-result.ts";

export interface FetchMarkOptions extends FetchHttpsOptions {
  readonly clock: Pick<Clock, "now">;
  /** Bound of one fetch, with its redirects. */
  readonly timeoutMs?: number;
}

/** What a BIMI record names: the image, or the certificate for it. */
export type MarkPart = "image" | "certificate";

/**
 * What came of a fetch.
 *
 * - `body`: this, without its compression
 * - `wrong`: it is not there, or nobody would take it
 * - `unknown`: nothing was learned
 */
export type FetchedMark = { readonly evidence: Evidence } & (
  | { readonly kind: "body"; readonly body: Buffer }
  | {
      readonly kind: "wrong" | "unknown";
      /** Safe to show. */
      readonly reason: string;
    }
);

/** Fetches over HTTPS, from public addresses only. Never rejects. */
export type FetchMark = (url: URL, part: MarkPart) => Promise<FetchedMark>;

const TIMEOUT_MS = 20_000;
/** CDNs have one or two. */
const MAX_REDIRECTS = 3;
/** Images have 32 KB at most, as receivers want them; certificates have some 10 KB with the image in them. */
const PARTS: Readonly<Record<MarkPart, { readonly accept: string; readonly maxBytes: number }>> = {
  image: { accept: "image/svg+xml", maxBytes: 256 * 1024 },
  certificate: {
    accept: "application/pem-certificate-chain, application/x-pem-file;q=0.9",
    maxBytes: 1024 * 1024,
  },
};
/** The server says that there is nothing. Other refusals may mean Hermod alone: some keep out whatever is no browser. */
const ABSENT = [404, 410];
/** Nothing is asked for, and yet there are servers that compress; what is compressed by gzip shows it by itself. */
const READABLE = ["identity", "gzip", "x-gzip", ""];
/** A record may have one of 64 KB. */
const MAX_URL_SHOWN = 500;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

class MarkError extends Error {
  override readonly name = "MarkError";
}

export function createFetchMark({ clock, timeoutMs = TIMEOUT_MS, ...options }: FetchMarkOptions): FetchMark {
  const fetch = createFetchHttps(options);

  return async (url, part) => {
    const { maxBytes, accept } = PARTS[part];
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = { name: firstCharacters(url.href, MAX_URL_SHOWN), type: "HTTPS" } as const;
    try {
      const answer = await followRedirects(fetch, url, { accept, maxBytes, signal }, MAX_REDIRECTS);
      const { status, isWhole, host, headers } = answer;
      if (ABSENT.includes(status)) throw new MarkError(`the server answers ${status}`);
      if (status !== 200) throw new Error(`the server answers ${status}`);
      if (!isWhole) throw tooLong(maxBytes);
      const { "content-encoding": encoding = "identity", "content-type": type = "no media type" } = headers;
      if (!READABLE.includes(encoding.trim().toLowerCase()))
        throw new Error(`it comes in an encoding that was not asked for (${encoding})`);
      const body = unpacked(answer.body, maxBytes);
      const evidence = {
        ...asked,
        rcode: "NOERROR",
        data: [`${body.length} octets`, safeDetail(type)],
        server: host,
        at: clock.now(),
      } as const;
      return { kind: "body", body, evidence };
    } catch (error) {
      const isKnown = error instanceof MarkError || (error instanceof NoAddressError && error.isKnown);
      const reason = signal.aborted
        ? `no whole answer within ${timeoutMs / 1_000} seconds`
        : safeDetail(error instanceof Error ? error.message : String(error));
      const evidence = { ...asked, rcode: "ERROR", data: [], at: clock.now(), reason } as const;
      return { kind: isKnown ? "wrong" : "unknown", reason, evidence };
    }
  };
}

/** Images may be compressed (svgz), and so are the answers of servers that do not ask what is understood. @throws MarkError */
export function unpacked(body: Buffer, maxBytes: number): Buffer {
  if (!body.subarray(0, 2).equals(GZIP_MAGIC)) return body;
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLong(maxBytes);
    throw new MarkError("its compression is broken");
  }
}

function tooLong(maxBytes: number): MarkError {
  return new MarkError(`it is longer than ${maxBytes / 1024} KB`);
}
