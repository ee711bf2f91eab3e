import { createPublicKey, type KeyObject } from "node:crypto";
import { formatTags, parseTags } from "../../message/tag-list.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";

/**
 * Reading of a key record:
 *
 * - `usable`: a key
 * - `revoked`: p is empty
 * - `unusable`: no key, or a key that does not apply to mail as it is signed today
 * - `foreign`: not a key record
 */
export type DkimKey =
  | {
      readonly kind: "usable";
      readonly algorithm: "rsa" | "ed25519";
      /** Length of the modulus; 256 for Ed25519. */
      readonly bits: number;
      /** `t=y`. */
      readonly isTesting: boolean;
      /** `g`, which verifiers ignore (RFC 6376 appendix E). */
      readonly hasGranularity: boolean;
    }
  | { readonly kind: "revoked" | "foreign" }
  | {
      readonly kind: "unusable";
      readonly problem: Phrase;
      /** The record as it was most likely meant. Missing: unknown. */
      readonly repaired?: string;
    };

const ED25519_OCTETS = 32;
/** Prefix of the key in an Ed25519 SubjectPublicKeyInfo (RFC 8410 section 4). */
const ED25519_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/**
 * Reads the text of a key record (RFC 6376 section 3.6.1, RFC 8463 section 4). Verifiers can use every record that it
 * proposes.
 */
export function parseKey(text: string): DkimKey {
  const key = readRecord(text);
  if (key.kind !== "unusable") return key;
  const { problem } = key;
  const mended = mendedRecord(text, key.repaired);
  return { kind: "unusable", problem, ...(mended !== undefined && { repaired: mended }) };
}

/**
 * The record without the mistakes that are found: escaped semicolons, quotation marks, capitals, and hashes and
 * services that do not apply to mail.
 */
function mendedRecord(text: string, repaired: string | undefined): string | undefined {
  const tags = parseTags((repaired ?? text).replace(/["\\]/g, ""));
  if (!tags) return undefined;
  const small = (name: string) => tags.get(name)?.toLowerCase().replace(/\s+/g, "");
  const keep = (name: string, wanted: readonly string[]) =>
    tags.has(name) && lists(small(name), wanted) ? small(name) : undefined;
  const mended = changed(tags, {
    ...(tags.has("v") && { v: "DKIM1" }),
    ...(tags.has("k") && { k: small("k") }),
    h: keep("h", ["sha256"]),
    s: keep("s", ["*", "email"]),
  });
  const key = readRecord(mended);
  if (key.kind === "usable") return mended;
  // For Ed25519 in SubjectPublicKeyInfo, only the 32 octets of the key are wanted.
  const again = key.kind === "unusable" ? key.repaired : undefined;
  return again !== undefined && readRecord(again).kind === "usable" ? again : undefined;
}

function readRecord(text: string): DkimKey {
  const tags = parseTags(text);
  if (!tags) {
    const isMeant = /(?:^|;)\s*p\s*=/i.test(text);
    return isMeant ? { kind: "unusable", problem: phrase("dkim.tags") } : { kind: "foreign" };
  }
  const p = tags.get("p")?.replace(/\s+/g, "");
  const repaired = (changes: Readonly<Record<string, string | undefined>>) => changed(tags, changes);
  if (p === undefined)
    return tags.get("v") === "DKIM1"
      ? { kind: "unusable", problem: phrase("dkim.no_p") }
      : { kind: "foreign" };
  if (tags.has("v") && (tags.get("v") !== "DKIM1" || [...tags.keys()][0] !== "v")) {
    const problem = phrase("dkim.late_version");
    return { kind: "unusable", problem, repaired: repaired({ v: "DKIM1" }) };
  }
  if (p === "") return { kind: "revoked" };
  if (!lists(tags.get("h"), ["sha256"])) {
    const problem = phrase("dkim.hashes");
    return { kind: "unusable", problem, repaired: repaired({ h: undefined }) };
  }
  if (!lists(tags.get("s"), ["*", "email"])) {
    const problem = phrase("dkim.services");
    return { kind: "unusable", problem, repaired: repaired({ s: undefined }) };
  }
  const type = tags.get("k") ?? "rsa";
  const octets = decode(p);
  if (!octets) return { kind: "unusable", problem: phrase("dkim.base64") };
  if (type !== "rsa" && type !== "ed25519") return { kind: "unusable", problem: phrase("dkim.key_type") };
  const key = type === "rsa" ? readRsa(octets) : readEd25519(octets);
  if (!key) {
    const raw = octets.subarray(ED25519_PREFIX.length);
    const isWrapped = octets.subarray(0, ED25519_PREFIX.length).equals(ED25519_PREFIX) && readEd25519(raw);
    if (isWrapped) {
      const problem = phrase("dkim.wrapped");
      return { kind: "unusable", problem, repaired: repaired({ k: "ed25519", p: raw.toString("base64") }) };
    }
    return { kind: "unusable", problem: phrase(type === "rsa" ? "dkim.no_rsa_key" : "dkim.no_ed25519_key") };
  }
  return {
    kind: "usable",
    algorithm: type,
    bits: type === "rsa" ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : ED25519_OCTETS * 8,
    isTesting: tags.has("t") && lists(tags.get("t"), ["y"]),
    hasGranularity: tags.has("g"),
  };
}

/** The record without the flag for testing mode. */
export function withoutTesting(text: string): string | undefined {
  const tags = parseTags(text);
  const flags = tags
    ?.get("t")
    ?.split(":")
    .map((one) => one.trim())
    .filter((one) => one !== "y");
  return tags && changed(tags, { t: flags?.length ? flags.join(":") : undefined });
}

function changed(
  tags: ReadonlyMap<string, string>,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const result = new Map(tags.has("v") ? [["v", "DKIM1"]] : []);
  for (const [name, value] of tags) {
    const next = Object.hasOwn(changes, name) ? changes[name] : value;
    if (next !== undefined) result.set(name, next);
  }
  return formatTags(result);
}

/** Whether a colon-separated list names one of these. A missing list allows everything. */
function lists(value: string | undefined, wanted: readonly string[]): boolean {
  return value === undefined || value.split(":").some((one) => wanted.includes(one.trim()));
}

function decode(text: string): Buffer | undefined {
  return /^[a-z0-9+/]+={0,2}$/i.test(text) && text.length % 4 === 0 ? Buffer.from(text, "base64") : undefined;
}

/**
 * RFC 6376 has both formats: RSAPublicKey in its text and SubjectPublicKeyInfo in its example. Domains publish
 * SubjectPublicKeyInfo.
 */
function readRsa(key: Buffer): KeyObject | undefined {
  const found = readKey(key, "spki") ?? readKey(key, "pkcs1");
  return found?.asymmetricKeyType === "rsa" ? found : undefined;
}

function readEd25519(octets: Buffer): KeyObject | undefined {
  return octets.length === ED25519_OCTETS
    ? readKey(Buffer.concat([ED25519_PREFIX, octets]), "spki")
    : undefined;
}

function readKey(key: Buffer, type: "spki" | "pkcs1"): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: "der", type });
  } catch {
    return undefined;
  }
}
