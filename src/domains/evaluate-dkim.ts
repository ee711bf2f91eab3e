import type { Survey } from "../dns/survey.ts";
import { parseTags } from "../message/tag-list.ts";
import { type Phrase, phrase } from "../shared/phrase.ts";
import { evaluateTxt } from "./evaluate-txt.ts";
import type { WantedRecord } from "./wanted-records.ts";
import type { Weighed } from "./weigh.ts";

/** Judges a key record: it is right if verifiers read the same key from it (RFC 6376 section 3.6.1). */
export async function evaluateDkim(survey: Survey, wanted: WantedRecord, domain: string): Promise<Weighed> {
  const key = keyOf(wanted.value);
  const weighed = await evaluateTxt(survey, wanted, {
    domain,
    alone: true,
    isRight: (value) => keyOf(value) === key && usable(value) === undefined,
  });
  if (weighed.outcome !== "wrong") return weighed;
  const values = weighed.found.flatMap((one) => one.values);
  const problem = values.map(usable).find((fault) => fault !== undefined) ?? otherKey(values, key);
  return problem === undefined ? weighed : { ...weighed, problem };
}

/** The key that a record publishes, independent of other tags; undefined: no key can be read. */
function keyOf(value: string): string | undefined {
  const tags = parseTags(value);
  const p = tags?.get("p")?.replace(/\s+/g, "");
  if (!tags || !p) return undefined;
  return `${tags.get("k") ?? "rsa"} ${p}`;
}

/** Why a record with a key is unusable; undefined: it is usable. */
function usable(value: string): Phrase | undefined {
  const tags = parseTags(value);
  const p = tags?.get("p");
  if (!tags || p === undefined) return undefined;
  if (p.trim() === "") return phrase("dkim.revoked");
  const version = tags.get("v");
  if (version !== undefined && version !== "DKIM1") return phrase("dkim.version", { version });
  const hashes = tags
    .get("h")
    ?.split(":")
    .map((one) => one.trim());
  if (hashes && !hashes.includes("sha256")) return phrase("dkim.no_sha256");
  const services = tags
    .get("s")
    ?.split(":")
    .map((one) => one.trim());
  if (services && !services.includes("*") && !services.includes("email")) return phrase("dkim.no_email");
  return undefined;
}

function otherKey(values: readonly string[], key: string | undefined): Phrase | undefined {
  const found = values.map(keyOf).find((one) => one !== undefined);
  if (found === undefined || found === key) return undefined;
  return phrase(key?.startsWith(found) ? "dkim.cut_off" : "dkim.other_key");
}
