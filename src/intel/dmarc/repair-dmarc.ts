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

/** The record with these tags changed, and all else kept; undefined: without the tag. Of a tag that stands twice, the first counts. */
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

/** What loses no mail: where nobody sends, nothing can be lost. */
export function startingPolicy(role: DomainRole): DmarcPolicy {
  return role === "sending" ? "none" : "reject";
}

/** The policy to ask for next, of a domain that asks for less than it should. */
export function nextPolicy(role: DomainRole): DmarcPolicy {
  return role === "sending" ? "quarantine" : "reject";
}

/** The record with everything in it that receivers can read: what they cannot is left out, or becomes what it stands for. */
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

/** One record in the place of several: of policies the weakest, as none was in force before, and all addresses. */
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

/** What a record of the domain's own keeps of one above it; reports go on only to whom nobody has to ask for leave. */
export function inheritedTags({ kind, record, site }: AppliedDmarc): readonly DmarcTag[] {
  if (kind !== "organisation") return [];
  const kept = record.rua.filter(
    (uri) => uri.kind === "mail" && (uri.domain === site.domain || uri.domain.endsWith(`.${site.domain}`)),
  );
  const tags = record.tags.filter(({ name, value }) => /^a(?:dkim|spf)$/.test(name) && /^[rs]$/i.test(value));
  return kept.length > 0 ? [...tags, { name: "rua", value: kept.map(({ text }) => text).join(",") }] : tags;
}

/**
 * A record of the domain's own, which asks for no less than the one above that has been applied, and for its reports. The domain
 * stays part of the organization above: with `psd` it would begin one of its own, for which reports need leave.
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

/** A record whose beginning is nearly right, with the right one; undefined: it was meant to be something else. */
export function repairVersion(text: string, role: DomainRole): string | undefined {
  const rest = /^\W*v\s*=\s*["']?dmarc\W?1(?![\da-z])[\s;,:]*(.*)$/is.exec(text)?.[1];
  const record = rest === undefined ? undefined : parseDmarc(`v=DMARC1; ${rest.replace(/["\\]/g, "")}`);
  return record && repairDmarc(record, role);
}

/** RFC 7489 wanted p right behind the version, and receivers that go by it still do. */
function policyFirst(tags: readonly DmarcTag[]): DmarcTag[] {
  const isP = ({ name }: DmarcTag) => name === "p";
  return [...tags.filter(isP), ...tags.filter((tag) => !isP(tag))];
}

function readPolicy(value: string): DmarcPolicy | undefined {
  return dmarcPolicies.find((policy) => policy === value.toLowerCase());
}
