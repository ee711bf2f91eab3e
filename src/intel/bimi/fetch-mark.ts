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
  /** Time limit of one fetch, including redirects. */
  readonly timeoutMs?: number;
}

/** Part of a BIMI record: the image, or the certificate for it. */
export type MarkPart = "image" | "certificate";

/**
 * Result of a fetch.
 *
 * - `body`: the decompressed contents
 * - `wrong`: the file is missing, or receivers would not accept it
 * - `unknown`: the fetch was inconclusive
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
/** CDNs use one or two. */
const MAX_REDIRECTS = 3;
/** Receivers accept images of at most 32 KB. Certificates have about 10 KB, including the image. */
const PARTS: Readonly<Record<MarkPart, { readonly accept: string; readonly maxBytes: number }>> = {
  image: { accept: "image/svg+xml", maxBytes: 256 * 1024 },
  certificate: {
    accept: "application/pem-certificate-chain, application/x-pem-file;q=0.9",
    maxBytes: 1024 * 1024,
  },
};
/** The file does not exist. Other refusals may apply only to Hermod: some servers block clients that are no browser. */
const ABSENT = [404, 410];
/** No encoding is requested, but some servers compress anyway. gzip is detected from the contents. */
const READABLE = ["identity", "gzip", "x-gzip", ""];
/** A record may contain a URL of 64 KB. */
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
      if (ABSENT.includes(status)) throw new MarkError(`the server answered ${status}`);
      if (status !== 200) throw new Error(`the server answered ${status}`);
      if (!isWhole) throw tooLong(maxBytes);
      const { "content-encoding": encoding = "identity", "content-type": type = "no media type" } = headers;
      if (!READABLE.includes(encoding.trim().toLowerCase()))
        throw new Error(`the answer has an encoding that was not requested (${encoding})`);
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
        ? `no complete answer within ${timeoutMs / 1_000} seconds`
        : safeDetail(error instanceof Error ? error.message : String(error));
      const evidence = { ...asked, rcode: "ERROR", data: [], at: clock.now(), reason } as const;
      return { kind: isKnown ? "wrong" : "unknown", reason, evidence };
    }
  };
}

/** Decompresses an image (svgz), or the answer of a server that ignores the accepted encodings. @throws MarkError */
export function unpacked(body: Buffer, maxBytes: number): Buffer {
  if (!body.subarray(0, 2).equals(GZIP_MAGIC)) return body;
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLong(maxBytes);
    throw new MarkError("the compressed data is damaged");
  }
}

function tooLong(maxBytes: number): MarkError {
  return new MarkError(`the file is larger than ${maxBytes / 1024} KB`);
}
