import type { BelievedReport } from "../../src/intel/aggregate-reports/believe-report.ts";
import type { DailyRollup } from "../../src/rollups/daily-rollup.ts";
import type { RefusedReport } from "../../src/store/aggregate-report-documents.ts";
import type { IntelReportDocument, WatchChangeDocument } from "../../src/store/intel-documents.ts";
import type { ReportFile } from "../../src/store/report-store.ts";
import type { Store } from "../../src/store/store.ts";
import { stateKey } from "../../src/store/subject-watches.ts";
import type { RunResult } from "../../src/store/watch-runs.ts";
import type { NewWatch } from "../../src/store/watch-store.ts";
import { testAudit } from "./audit.ts";
import { addSchedule } from "./schedules.ts";

const HOUR_MS = 3_600_000;

/** Settings of a client, without its name. */
export const clientSettings = {
  contactEmails: [],
  tags: ["retail"],
  locale: "en-GB",
  timezone: "Europe/Berlin",
} as const;

/** Subject of `spamcop` for a domain with a sending address. */
export const SUBJECT = stateKey({ listId: "spamcop", subject: "192.0.2.25" });

/** Any bytes: the store does not read them. */
export const LOGO = { png: Buffer.from("logo"), width: 1, height: 1 };

export function newWatch(of: Pick<NewWatch, "workspaceId" | "clientId" | "name">): NewWatch {
  return {
    ...of,
    nameUnicode: of.name,
    subjects: [SUBJECT, stateKey({ listId: "spamhaus_dbl", subject: of.name })],
    role: "sending",
    dkimSelectors: ["s1"],
    sendingIps: ["192.0.2.25"],
    paused: false,
  };
}

/** An idempotent request, and the answer for its repetition. */
export function keyedRequest(
  workspaceId: string,
  { key, now, answer }: { readonly key: string; readonly now: Date; readonly answer: string },
) {
  return {
    workspaceId,
    operation: "test",
    key,
    fingerprint: "f",
    now,
    expireAt: new Date(now.getTime() + HOUR_MS),
    answerOf: () => Buffer.from(answer),
  };
}

type Watched = Pick<WatchChangeDocument, "accountId" | "workspaceId" | "clientId" | "domainId" | "domain">;

/** A check with one failing check result and no notification yet. */
export function lookedAt(watched: Watched, now: Date): RunResult {
  const { accountId, workspaceId, domainId } = watched;
  const [at, expireAt] = [now, new Date(now.getTime() + HOUR_MS)];
  const measured = { status: "critical", score: 40, coverage: 0.75, scoreModel: "1" } as const;
  const known = { status: "fail", observed: `nothing at ${watched.domain}`, evidence: [] } as const;
  const change: WatchChangeDocument = {
    ...watched,
    _id: `wch_${domainId}`,
    at,
    kind: "finding.opened",
    text: `${watched.domain} has no SPF`,
    checkId: "auth.spf.exists",
    severity: "critical",
    unalerted: true,
    expireAt,
  };
  const { accountId: _, unalerted: __, expireAt: ___, _id: eventId, kind: type, ...told } = change;
  return {
    standing: {
      ...measured,
      grade: "F",
      listings: 1,
      lastError: null,
      topFindings: [],
      findings: { critical: 1, warning: 0, info: 0 },
      findingIds: ["auth.spf.exists"],
    },
    checks: [
      { id: "auth.spf.exists", expected: "a record", known: { ...known, since: at, at }, checkedAt: at },
    ],
    listed: [SUBJECT],
    checkedAt: at,
    dueAt: expireAt,
    failures: 0,
    changes: [change],
    point: { _id: `${domainId}.1`, accountId, workspaceId, domainId, at, ...measured, expireAt },
    events: [{ eventId, type, at, subject: { kind: "watch", change: told } }],
  };
}

export function reportOf(
  { accountId, workspaceId, domain }: Pick<Watched, "accountId" | "workspaceId" | "domain">,
  now: Date,
): { readonly report: IntelReportDocument; readonly files: readonly ReportFile[] } {
  const [from, expireAt] = [new Date(now.getTime() - HOUR_MS), new Date(now.getTime() + HOUR_MS)];
  return {
    report: {
      _id: `rpt_${workspaceId}_${domain}`,
      accountId,
      workspaceId,
      generatedAt: now,
      expireAt,
      scope: { type: "domain", id: "dom_1", name: domain },
      period: { from, to: now },
    },
    files: [{ format: "json", bytes: Buffer.from(JSON.stringify({ about: domain, of: accountId })) }],
  };
}

/** A valid report of each kind about a domain. */
export function believedReports(domain: string, now: Date): readonly BelievedReport[] {
  const day = now.toISOString().slice(0, 10);
  const head = { begin: now, end: now, policyDomains: [domain], count: 3, leftOut: 0 };
  const from = { orgName: "Receiver", reportId: domain };
  const sum: DailyRollup = {
    policyDomain: domain,
    day,
    sourceIp: "192.0.2.25",
    senders: {},
    messages: 3,
    overridden: 0,
    dispositions: { none: 3, quarantine: 0, reject: 0, other: 0 },
    alignment: { both: 3, dkim: 0, spf: 0, none: 0 },
  };
  const row = { policyType: "sts", result: "success", mxHost: "", sessions: 7 } as const;
  return [
    { kind: "dmarc", head: { ...head, ...from, key: `dmarc ${domain}` }, rollups: [sum] },
    {
      kind: "tls",
      head: { ...head, ...from, key: `tls ${domain}` },
      rollups: [{ ...row, policyDomain: domain, day }],
    },
  ];
}

export const refusalAt = (at: Date): RefusedReport => ({
  key: "k",
  at,
  via: "upload",
  sender: "",
  reason: "It could not be read.",
});

/** Creates data of a watched domain in every collection of Deliverability Intel. */
export async function plantWatched(
  { forAccount, acrossAccounts }: Pick<Store, "forAccount" | "acrossAccounts">,
  {
    accountId,
    domain: name,
    now,
  }: { readonly accountId: string; readonly domain: string; readonly now: Date },
) {
  const { workspaces, watches, reports, reportLinks, labels, aggregateReports } = forAccount(accountId);
  const { _id: workspaceId } = await workspaces.first(testAudit);
  const keyed = keyedRequest(workspaceId, { key: "once", now, answer: `answer to ${accountId}` });
  const settings = { ...clientSettings, name: `Client of ${name}`, externalRef: `ref of ${name}` };
  const created = await workspaces.createClient(workspaceId, settings, testAudit, keyed);
  if (!("client" in created)) throw new Error("the client was there");
  const { _id: clientId } = created.client;
  const added = await watches.add(newWatch({ workspaceId, clientId, name }), testAudit);
  if (!("domain" in added)) throw new Error("the domain was there");
  const { _id: domainId } = added.domain;
  const watched = { accountId, workspaceId, clientId, domainId, domain: name };
  await acrossAccounts.watches.keep(added.domain, lookedAt(watched, now), undefined);
  const { report, files } = reportOf(watched, now);
  await reports.add(report, files, testAudit);
  const endsAt = new Date(now.getTime() + HOUR_MS);
  const link = { _id: `rpl_${accountId}_${name}`, reportId: report._id, endsAt };
  await reportLinks.add(link, testAudit);
  await labels.put(clientId, { name: "Acme", logo: LOGO }, testAudit);
  for (const one of believedReports(name, now))
    await aggregateReports.take(domainId, one, { at: now, via: "upload" });
  await aggregateReports.refuse(domainId, refusalAt(now));
  const { _id: scheduleId } = await addSchedule(forAccount(accountId), now);
  return { ...watched, reportId: report._id, linkId: link._id, scheduleId, keyed };
}
