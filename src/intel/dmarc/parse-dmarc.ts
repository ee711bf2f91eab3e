import { parseReportUris, type ReportUri } from "./report-uri.ts";

/** From the weakest to the strictest. */
export const dmarcPolicies = ["none", "quarantine", "reject"] as const;
export type DmarcPolicy = (typeof dmarcPolicies)[number];

export interface DmarcTag {
  /** In lower case. */
  readonly name: string;
  /** As written, without the spaces around it. */
  readonly value: string;
}

/**
 * Problem of a record:
 *
 * - `twice`: a tag appears twice, and it is undefined which one counts (RFC 6376 section 3.2)
 * - `policy`: p, sp or np has no valid policy (RFC 9989 section 4.10.1)
 * - `value`: another tag has an invalid value, so its default applies (section 4.8)
 * - `syntax`: a part is not a tag and is ignored (section 4.8)
 * - `spelling`: a tag has capitals, and some receivers are case-sensitive (RFC 6376 section 3.2)
 */
export interface DmarcProblem {
  readonly kind: "twice" | "policy" | "value" | "syntax" | "spelling";
  /** The part of the record. */
  readonly text: string;
}

export interface DmarcRecord {
  readonly text: string;
  /** All tags after the version, including unknown ones. Parts that are not tags are left out. */
  readonly tags: readonly DmarcTag[];
  readonly problems: readonly DmarcProblem[];
  /** The requested policies, with the defaults and without regard to `t`. Undefined: receivers do not use the record. */
  readonly policies: Readonly<Record<"p" | "sp" | "np", DmarcPolicy>> | undefined;
  /** `t=y`. */
  readonly isTesting: boolean;
  readonly psd: "y" | "n" | "u";
  /** Empty: no reports are requested. */
  readonly rua: readonly ReportUri[];
}

/** RFC 9989 section 4.8: the name of this tag is case-insensitive, its value is not. */
const VERSION = /^v[ \t]*=[ \t]*DMARC1[ \t]*$/i;
const VERSION_VALUE = /=[ \t]*DMARC1/;
const TAG = /^([a-z]+)[ \t]*=[ \t]*(.*)$/i;
const POLICY_TAGS = ["p", "sp", "np"];
/** RFC 9989 section 9: removed tags. Older receivers know them. */
export const removedTags = ["pct", "rf", "ri"] as const;
/** Allowed values of tags other than policies and addresses. */
const VALUES: ReadonlyMap<string, RegExp> = new Map([
  ["adkim", /^[rs]$/i],
  ["aspf", /^[rs]$/i],
  ["fo", /^(?!.*([01ds]).*\1)(?!.*0.*1)(?!.*1.*0)[01ds](?::[01ds])*$/i],
  ["psd", /^[ynu]$/i],
  ["t", /^[yn]$/i],
]);
const KNOWN = [...POLICY_TAGS, ...removedTags, ...VALUES.keys(), "rua", "ruf", "v"];

/** @returns undefined: not a DMARC record, so receivers discard it (RFC 9989 section 4.10) */
export function parseDmarc(text: string): DmarcRecord | undefined {
  const [version = "", ...parts] = text.split(";");
  if (!VERSION.test(version) || !VERSION_VALUE.test(version)) return undefined;
  const problems: DmarcProblem[] = [];
  const note = (kind: DmarcProblem["kind"], part: string) => problems.push({ kind, text: part });
  if (version.startsWith("V")) note("spelling", version.trim());
  const tags: DmarcTag[] = [];
  for (const part of parts.map((one) => one.trim())) {
    if (part === "") continue;
    const [, given = "", value = ""] = TAG.exec(part) ?? [];
    const name = given.toLowerCase();
    if (given === "") note("syntax", part);
    else if (!KNOWN.includes(name)) tags.push({ name, value });
    else {
      if (given !== name) note("spelling", part);
      if (name === "v" || tags.some((tag) => tag.name === name)) note("twice", part);
      if (name !== "v") tags.push({ name, value });
    }
  }
  const firstOf = (name: string) => tags.find((tag) => tag.name === name)?.value;
  const rua = firstOf("rua") === undefined ? [] : parseReportUris(firstOf("rua") ?? "");
  for (const { name, value } of tags) {
    if (POLICY_TAGS.includes(name)) {
      if (!isPolicy(value)) note("policy", `${name}=${value}`);
    } else if (VALUES.get(name)?.test(value) === false || (name === "ruf" && hasNoUri(value))) {
      note("value", `${name}=${value}`);
    }
  }
  const psd = /^[yn]$/i.exec(firstOf("psd") ?? "")?.[0].toLowerCase() as "y" | "n" | undefined;
  const isTesting = /^y$/i.test(firstOf("t") ?? "");
  const policies = policiesOf(firstOf, problems, rua);
  return { text, tags, problems, policies, isTesting, psd: psd ?? "u", rua };
}

/** Formats the record of these tags. */
export function formatDmarc(tags: readonly DmarcTag[]): string {
  return ["v=DMARC1", ...tags.map(({ name, value }) => `${name}=${value}`)].join("; ");
}

/** RFC 9989 section 4.7, `t`: in test mode the policy is one level weaker. */
export function inTestMode(policy: DmarcPolicy, isTesting: boolean): DmarcPolicy {
  const level = dmarcPolicies.indexOf(policy) - (isTesting ? 1 : 0);
  return dmarcPolicies[Math.max(0, level)] ?? "none";
}

export function isWeaker(policy: DmarcPolicy, than: DmarcPolicy): boolean {
  return dmarcPolicies.indexOf(policy) < dmarcPolicies.indexOf(than);
}

function policiesOf(
  firstOf: (name: string) => string | undefined,
  problems: readonly DmarcProblem[],
  rua: readonly ReportUri[],
): DmarcRecord["policies"] {
  const kinds = problems.map(({ kind }) => kind);
  if (kinds.includes("twice")) return undefined;
  if (kinds.includes("policy")) {
    // RFC 9989 section 4.10.1: such a record means p=none if it has a report address. Without one, receivers ignore it.
    const isReported = rua.some(({ kind }) => kind !== "invalid");
    return isReported ? { p: "none", sp: "none", np: "none" } : undefined;
  }
  const read = (name: string) => firstOf(name)?.toLowerCase() as DmarcPolicy | undefined;
  const p = read("p") ?? "none";
  const sp = read("sp") ?? p;
  return { p, sp, np: read("np") ?? sp };
}

function hasNoUri(value: string): boolean {
  return parseReportUris(value).some(({ kind }) => kind === "invalid");
}

function isPolicy(value: string): boolean {
  return dmarcPolicies.some((policy) => policy === value.toLowerCase());
}
