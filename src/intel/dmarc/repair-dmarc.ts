import type { DomainRole } from "../catalogue.ts";
import {
  type DmarcPolicy,
  type DmarcRecord,
  type DmarcTag,
  dmarcPolicies,
  formatDmarc,
  inTestMode,
  isWeaker,
  parseDmarc,
} from "./parse-dmarc.ts";
import { mailtoUri } from "./report-uri.ts";
import type { AppliedDmarc } from "./walk-dmarc.ts";

/**
 * The record with these tags changed and all others kept. Undefined removes a tag. The first of two equal tags
 * counts.
 */
export function changeTags(
  { tags }: Pick<DmarcRecord, "tags">,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const values = new Map<string, string>();
  for (const { name, value } of tags) if (!values.has(name)) values.set(name, value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) values.delete(name);
    else values.set(name, value);
  }
  return formatDmarc(policyFirst([...values].map(([name, value]) => ({ name, value }))));
}

/** The record for a domain that has none. */
export function firstRecord(role: DomainRole, reportAddress: string | undefined): string {
  const tags: DmarcTag[] = [{ name: "p", value: startingPolicy(role) }];
  if (reportAddress !== undefined) tags.push({ name: "rua", value: mailtoUri(reportAddress) });
  return formatDmarc(tags);
}

/** The policy that loses no mail. A domain that sends no mail can lose none. */
export function startingPolicy(role: DomainRole): DmarcPolicy {
  return role === "sending" ? "none" : "reject";
}

/** The next policy for a domain with a weaker policy than recommended. */
export function nextPolicy(role: DomainRole): DmarcPolicy {
  return role === "sending" ? "quarantine" : "reject";
}

/**
 * The record reduced to the parts that receivers can read. Unreadable parts are removed or replaced with their
 * effective value.
 */
export function repairDmarc(record: DmarcRecord, role: DomainRole): string {
  const wrong = record.problems.filter(({ kind }) => kind === "value").map(({ text }) => text);
  const changes: Record<string, string | undefined> = {};
  for (const { name, value } of record.tags) {
    if (wrong.includes(`${name}=${value}`)) changes[name] = undefined;
    if (["p", "sp", "np"].includes(name) && readPolicy(value) === undefined)
      changes[name] = startingPolicy(role);
  }
  if (!record.tags.some(({ name }) => name === "p")) changes.p = startingPolicy(role);
  return changeTags(record, changes);
}

/** Merges several records into one: the weakest of the policies, because none was in force before, and all addresses. */
export function mergeDmarc(records: readonly DmarcRecord[], role: DomainRole): string {
  const [first] = records;
  if (!first) return firstRecord(role, undefined);
  const valuesOf = (name: string) =>
    records.flatMap(({ tags }) => tags.filter((tag) => tag.name === name).map(({ value }) => value));
  const changes: Record<string, string | undefined> = {};
  for (const name of ["p", "sp", "np"]) {
    const policies = valuesOf(name).map((value) => readPolicy(value) ?? "none");
    const weakest = policies.reduce<DmarcPolicy | undefined>(
      (found, policy) => (found === undefined || isWeaker(policy, found) ? policy : found),
      undefined,
    );
    if (weakest !== undefined) changes[name] = role === "sending" ? weakest : "reject";
  }
  for (const name of ["rua", "ruf"]) {
    const uris = valuesOf(name).flatMap((value) => value.split(",").map((uri) => uri.trim()));
    if (uris.length > 0) changes[name] = [...new Set(uris)].join(",");
  }
  const merged = parseDmarc(changeTags(first, changes));
  return merged ? repairDmarc(merged, role) : firstRecord(role, undefined);
}

/**
 * Tags that a domain's own record keeps from the record above. Reports continue only to destinations that need no
 * permission.
 */
export function inheritedTags({ kind, record, site }: AppliedDmarc): readonly DmarcTag[] {
  if (kind !== "organisation") return [];
  const kept = record.rua.filter(
    (uri) => uri.kind === "mail" && (uri.domain === site.domain || uri.domain.endsWith(`.${site.domain}`)),
  );
  const tags = record.tags.filter(({ name, value }) => /^a(?:dkim|spf)$/.test(name) && /^[rs]$/i.test(value));
  return kept.length > 0 ? [...tags, { name: "rua", value: kept.map(({ text }) => text).join(",") }] : tags;
}

/**
 * Returns the domain's own record, at least as strict as the applied record above, with the same reports. The domain
 * stays part of the organization above: with `psd` it would start its own organization, and reports would need
 * permission.
 */
export function keepInForce(value: string, above: AppliedDmarc | undefined): string {
  const record = parseDmarc(value);
  if (!record || !above?.record.policies) return value;
  const changes: Record<string, string | undefined> = { psd: undefined };
  const inForce = inTestMode(above.record.policies.sp, above.record.isTesting);
  if (isWeaker(inTestMode(record.policies?.p ?? "none", record.isTesting), inForce)) {
    changes.p = inForce;
    changes.t = undefined;
  }
  const inherited = inheritedTags(above).find(({ name }) => name === "rua");
  if (inherited && !record.rua.some(({ kind }) => kind === "mail")) changes.rua = inherited.value;
  return changeTags(record, changes);
}

/**
 * The record with a corrected version, if its beginning is almost right; undefined: it was meant to be something
 * else.
 */
export function repairVersion(text: string, role: DomainRole): string | undefined {
  const rest = /^\W*v\s*=\s*["']?dmarc\W?1(?![\da-z])[\s;,:]*(.*)$/is.exec(text)?.[1];
  const record = rest === undefined ? undefined : parseDmarc(`v=DMARC1; ${rest.replace(/["\\]/g, "")}`);
  return record && repairDmarc(record, role);
}

/** RFC 7489 required p directly after the version, and receivers that follow it still do. */
function policyFirst(tags: readonly DmarcTag[]): DmarcTag[] {
  const isP = ({ name }: DmarcTag) => name === "p";
  return [...tags.filter(isP), ...tags.filter((tag) => !isP(tag))];
}

function readPolicy(value: string): DmarcPolicy | undefined {
  return dmarcPolicies.find((policy) => policy === value.toLowerCase());
}
