import { createPrivateKey } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  DomainEventSchema,
  DomainKeySchema,
  DomainRecordSchema,
  DomainSchema,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import { dnsProviderOf } from "../../domains/dns-provider.ts";
import { type KeyFacts, standingOf } from "../../domains/domain-status.ts";
import { type SendingSetup, type WantedRecord, wantedRecords } from "../../domains/wanted-records.ts";
import { dnsRecord } from "../../message/dkim/keys.ts";
import type { DomainKeyDocument } from "../../store/documents.ts";
import type { DomainDocument, DomainEventDocument, RecordEvidence } from "../../store/domain-document.ts";
import type { ListedDomain } from "../../store/domain-store.ts";
import { signingSince } from "../access/account-settings.ts";
import { toTextParts } from "../text-parts.ts";

/** Facts about a domain in a list. */
export interface DomainFacts {
  readonly domain: ListedDomain;
  readonly keys: readonly KeyFacts[];
  /** The operator vouches for it. */
  readonly isVouchedFor: boolean;
  readonly now: Date;
}

/** Facts about a single domain. */
export interface WholeDomain extends DomainFacts {
  readonly domain: DomainDocument;
  readonly keys: readonly DomainKeyDocument[];
}

/** Without keys and records. */
export function toListedDomain({ domain, keys, isVouchedFor, now }: DomainFacts) {
  const { status, maySend, reasons, sendsUntil } = standingOf(domain, keys, now);
  const { checkedAt, nameServers, link } = domain;
  return {
    accountId: domain.accountId,
    name: domain.name,
    status,
    // A change that only results from the time is not reported yet.
    statusSince: timestampFromDate(status === domain.status ? domain.statusSince : now),
    reasons: reasons.map(({ text }) => text),
    reasonTexts: reasons.map(({ text, parts }) => ({ text, parts: toTextParts(parts) })),
    maySend: maySend || isVouchedFor,
    verifiedBy: maySend ? "dns" : isVouchedFor ? "operator" : "",
    ...(sendsUntil && { sendsUntil: timestampFromDate(sendsUntil) }),
    dnsProvider: dnsProviderOf(nameServers) ?? "",
    nameServers: [...nameServers],
    createdAt: timestampFromDate(domain.createdAt),
    ...(checkedAt && { checkedAt: timestampFromDate(checkedAt) }),
    nextCheckAt: timestampFromDate(domain.nextCheckAt),
    ...(link && link.expiresAt > now && { linkExpiresAt: timestampFromDate(link.expiresAt) }),
  } satisfies MessageInitShape<typeof DomainSchema>;
}

/** The domain with all its data. */
export function toDomain(facts: WholeDomain, setup: SendingSetup) {
  const { domain, keys, now } = facts;
  const known = new Map(domain.records.map((record) => [record.key, record]));
  return {
    ...toListedDomain(facts),
    keys: toKeys(keys, now),
    records: wantedRecords(domain, keys, setup, now).map((record) => toRecord(record, known.get(record.key))),
  } satisfies MessageInitShape<typeof DomainSchema>;
}

function toKeys(keys: readonly DomainKeyDocument[], now: Date): MessageInitShape<typeof DomainKeySchema>[] {
  const since = signingSince(keys, now);
  return keys.map(({ selector, domain, algorithm, privateKey, signsFrom }) => {
    const { name, value } = dnsRecord({ selector, domain, key: createPrivateKey(privateKey) });
    const at = signsFrom.getTime();
    const state = at > now.getTime() ? "upcoming" : at === since ? "signing" : "retired";
    const signs = timestampFromDate(signsFrom);
    return { selector, algorithm, state, recordName: name, recordValue: value, signsFrom: signs };
  });
}

function toRecord(
  { value, ...wanted }: WantedRecord,
  evidence: RecordEvidence | undefined,
): MessageInitShape<typeof DomainRecordSchema> {
  const { failure, learnedAt, rightAt, against } = evidence ?? {};
  return {
    ...wanted,
    value: evidence?.suggestion ?? value,
    outcome: evidence?.outcome ?? "unknown",
    problem: evidence?.problem ?? "",
    problemParts: toTextParts(evidence?.problemParts ?? []),
    note: evidence?.note ?? "",
    noteParts: toTextParts(evidence?.noteParts ?? []),
    aliases: [...(evidence?.aliases ?? [])],
    found: (evidence?.found ?? []).map(({ server, values, failure = "", ttlSeconds }) => ({
      server,
      values: [...values],
      failure,
      ...(ttlSeconds !== undefined && { ttlSeconds }),
    })),
    ...(learnedAt && { learnedAt: timestampFromDate(learnedAt) }),
    ...(rightAt && { rightAt: timestampFromDate(rightAt) }),
    failure: failure?.reason ?? "",
    failureParts: toTextParts(failure?.reasonParts ?? []),
    ...(failure && { failedAt: timestampFromDate(failure.at) }),
    isLost: rightAt !== undefined && against?.confirmedAt !== undefined,
  };
}

export function toDomainEvent({
  _id: id,
  domain,
  kind,
  from,
  to,
  reasons,
  at,
}: DomainEventDocument): MessageInitShape<typeof DomainEventSchema> {
  return { id, domain, kind, from, to, reasons: [...reasons], at: timestampFromDate(at) };
}
