import { verify, X509Certificate } from "node:crypto";
import { LRUCache } from "lru-cache";
import { fault } from "../../shared/fault.ts";
import { parseJson, textAt } from "./notice.ts";

/** A message of Amazon SNS with a valid signature. */
export interface SnsEnvelope {
  readonly id: string;
  readonly type: string;
  readonly topic: string;
  readonly message: string;
  /** Where a subscription is confirmed; empty: it is none. */
  readonly subscribeUrl: string;
}

export interface Sns {
  /** @throws Fault provider.signature_invalid, request.malformed_json; core.unavailable: its certificate could not be fetched */
  verify(body: Buffer): Promise<SnsEnvelope>;
  /** @throws Fault provider.signature_invalid: it leads elsewhere; core.unavailable: it did not answer */
  confirm(envelope: SnsEnvelope): Promise<void>;
}

interface SnsParts {
  /** Accepted topics. Messages of other topics are refused, even with a valid signature. */
  readonly topics: readonly string[];
  /** Fetches a text from Amazon over HTTPS. */
  readonly fetchText: (url: string) => Promise<string>;
  readonly now: () => Date;
}

const HOST = String.raw`https://sns\.[a-z0-9-]{3,32}\.amazonaws\.com(?:\.cn)?`;
const CERTIFICATE_URL = new RegExp(String.raw`^${HOST}/SimpleNotificationService-[a-zA-Z0-9]{8,64}\.pem$`);
const SUBSCRIBE_URL = new RegExp(String.raw`^${HOST}/\?[!-~]{1,2000}$`);
const MAX_CERTIFICATES = 10;
const FETCH_MS = 10_000;
const MAX_FETCHED_BYTES = 64 * 1024;
/** Signed fields of each type, in this order (docs.aws.amazon.com/sns, "Verifying the signatures of Amazon SNS messages"). */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: [
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
};
const DIGESTS: Readonly<Record<string, string>> = { "1": "sha1", "2": "sha256" };

export function createSns({ topics, fetchText, now }: SnsParts): Sns {
  const certificates = new LRUCache<string, Promise<X509Certificate>>({ max: MAX_CERTIFICATES });

  function certificateAt(url: string): Promise<X509Certificate> {
    const known = certificates.get(url);
    if (known) return known;
    const fetched = fetchText(url).then((pem) => new X509Certificate(pem));
    certificates.set(url, fetched);
    fetched.catch(() => certificates.delete(url));
    return fetched;
  }

  return {
    async verify(body) {
      const posted = parseJson(body.toString());
      const [type, topic] = [textAt(posted, "Type"), textAt(posted, "TopicArn")];
      const url = textAt(posted, "SigningCertURL");
      const names = Object.hasOwn(SIGNED, type) ? SIGNED[type] : undefined;
      const digest = DIGESTS[textAt(posted, "SignatureVersion")];
      // Nothing is fetched for a topic that is not configured.
      if (!names || !digest || !topics.includes(topic) || !CERTIFICATE_URL.test(url))
        throw fault("provider.signature_invalid");
      const certificate = await unavailableUnless(certificateAt(url));
      const isDated = now() >= new Date(certificate.validFrom) && now() <= new Date(certificate.validTo);
      const signature = Buffer.from(textAt(posted, "Signature"), "base64");
      const signed = names
        .filter((name) => name !== "Subject" || textAt(posted, name) !== "")
        .map((name) => `${name}\n${textAt(posted, name)}\n`)
        .join("");
      if (!isDated || !verify(digest, Buffer.from(signed), certificate.publicKey, signature))
        throw fault("provider.signature_invalid");
      const id = textAt(posted, "MessageId");
      return {
        id,
        type,
        topic,
        message: textAt(posted, "Message"),
        subscribeUrl: textAt(posted, "SubscribeURL"),
      };
    },

    async confirm({ subscribeUrl }) {
      if (!SUBSCRIBE_URL.test(subscribeUrl)) throw fault("provider.signature_invalid");
      await unavailableUnless(fetchText(subscribeUrl));
    },
  };
}

/** It comes again, when it is not answered for. */
async function unavailableUnless<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fault("core.unavailable", { internal: "the request to Amazon failed", cause: error });
  }
}

/** Fetches a short text: no redirects, ten seconds, 64 KB. @throws Error */
export async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(FETCH_MS) });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_FETCHED_BYTES)
      throw new Error(`${new URL(url).host} answered with more than ${MAX_FETCHED_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
