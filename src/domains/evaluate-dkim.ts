import type { Survey } from "../dns/survey.ts";
import { parseTags } from "../message/tag-list.ts";
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
  const problem = values.map(usable).find((words) => words !== undefined) ?? otherKey(values, key);
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
function usable(value: string): string | undefined {
  const tags = parseTags(value);
  const p = tags?.get("p");
  if (!tags || p === undefined) return undefined;
  if (p.trim() === "")
    return "The record states that the key was revoked (p= is empty). Replace it with the expected value.";
  if (tags.has("v") && tags.get("v") !== "DKIM1")
    return `The record begins with v=${tags.get("v")}. Receivers ignore it unless it begins with v=DKIM1.`;
  const hashes = tags
    .get("h")
    ?.split(":")
    .map((one) => one.trim());
  if (hashes && !hashes.includes("sha256"))
    return "The record (h=) does not allow SHA-256, which every signature needs.";
  const services = tags
    .get("s")
    ?.split(":")
    .map((one) => one.trim());
  if (services && !services.includes("*") && !services.includes("email"))
    return "The record (s=) does not allow the key for email.";
  return undefined;
}

function otherKey(values: readonly string[], key: string | undefined): string | undefined {
  const found = values.map(keyOf).find((one) => one !== undefined);
  if (found === undefined || found === key) return undefined;
  if (key?.startsWith(found))
    return "The key in the record was cut off. If your provider limits the length, enter the value as several strings of at most 255 characters.";
  return "The record contains another key, from an earlier setup or another provider. Replace it with the expected value.";
}
