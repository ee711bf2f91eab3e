import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReportWish } from "../../src/core/intel/read-report-request.ts";
import { gatherReportInputs } from "../../src/core/intel/report-inputs.ts";
import { createTakeReports } from "../../src/core/intel/take-reports.ts";
import type { CheckResult } from "../../src/intel/check-result.ts";
import { buildReport } from "../../src/intel/reports/build-report.ts";
import type { CheckedDomain, RunChecks } from "../../src/intel/run-checks.ts";
import { createLogger } from "../../src/shared/logger.ts";
import {
  createSendingDays,
  type SendingCounts,
  type SendingKind,
  type SendingProvider,
} from "../../src/store/counters/sending-days.ts";
import type { WatchedDomainDocument } from "../../src/store/intel-documents.ts";
import { inTransaction } from "../../src/store/transaction.ts";
import { createCheckWatch } from "../../src/watches/check-watch.ts";
import { createFindMailFacts } from "../../src/watches/find-mail-facts.ts";
import { bare, dmarcReport, dmarcRow, writeDmarc } from "../harness/dmarc-reports.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { testIntel } from "../harness/test-intel.ts";

const DAY_MS = 86_400_000;

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());

let counter = 0;

async function watched(dkimSelectors: readonly string[] = []): Promise<WatchedDomainDocument> {
  const { operator, store } = identity;
  const name = `shop-${counter++}.example`;
  const { account } = await operator.accounts.createAccount({ name });
  const accountId = account?.id ?? "";
  const { client } = await operator.workspaces.createClient({ accountId, settings: { name } });
  const settings = { dkimSelectors: [...dkimSelectors] };
  const { domain } = await operator.watches.addWatchedDomain({
    accountId,
    clientId: client?.id ?? "",
    name,
    settings,
  });
  const found = await store.forAccount(accountId).watches.find(domain?.id ?? "");
  if (!found) throw new Error("it is not there");
  return found;
}

const dayBefore = (days: number) =>
  new Date(identity.time.clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);

/** Mail that Hermod sent this number of days ago. */
async function sent({ accountId, name: domain }: WatchedDomainDocument, days: number, counts: SendingCounts) {
  const tally = {
    accountId,
    domain,
    day: dayBefore(days),
    counts: new Map<SendingProvider, Map<SendingKind, number>>(),
  };
  for (const [provider, kinds] of Object.entries(counts))
    tally.counts.set(provider as SendingProvider, new Map(Object.entries(kinds) as [SendingKind, number][]));
  const { add } = createSendingDays(identity.db);
  await inTransaction(identity.db.client, (session) => add(session, [tally]));
}

/** Reports of receivers from this number of days ago: aligned and unaligned messages. */
async function reported(
  domain: WatchedDomainDocument,
  days: number,
  [aligned, lost]: readonly [number, number],
) {
  const { store, time } = identity;
  const begin = new Date(`${dayBefore(days)}T00:00:00Z`);
  const row = dmarcRow({ sourceIp: "192.0.2.1", count: aligned });
  const report = dmarcReport({
    begin,
    end: new Date(begin.getTime() + DAY_MS - 1_000),
    reportId: `report ${counter++}`,
    policy: { ...dmarcReport().policy, domain: domain.name },
    rows: [row, { ...row, count: lost, dkimAligned: false, spfAligned: false }],
  });
  const parts = {
    store,
    clock: time.clock,
    intel: testIntel(store, time.clock),
    log: createLogger("silent"),
  };
  const take = createTakeReports({ ...parts, onReport: () => undefined });
  await take({ domain, bytes: bare(writeDmarc(report)), form: "file", via: "upload", sender: "" });
}

/** Checks the domain once; resolves to the checked subjects, and the alignment of its mail. */
async function check(domain: WatchedDomainDocument) {
  const { store, time } = identity;
  const { reportAddresses, lists } = testIntel(store, time.clock);
  let asked: CheckedDomain | undefined;
  const runChecks: RunChecks = async (looked) => {
    asked = looked;
    const untested = { status: "not_tested", observed: "", expected: "", evidence: [] } as const;
    return [{ id: "auth.dmarc.alignment", ...untested } satisfies CheckResult];
  };
  const checkWatch = createCheckWatch({
    store: store.acrossAccounts,
    blacklistStates: store.blacklistStates,
    lists,
    clock: time.clock,
    runChecks,
    findMailFacts: createFindMailFacts(store, "bounce.example.com"),
    reportAddresses,
    keptMs: 400 * DAY_MS,
  });
  await checkWatch(domain, { isBelieved: true });
  const known = await store.acrossAccounts.watches.findChecks(domain);
  return { asked, alignment: known?.checks.find(({ id }) => id === "auth.dmarc.alignment")?.known };
}

describe("a check of a domain", () => {
  it("has no mail statistics without mail", async () => {
    const { alignment } = await check(await watched());
    expect(alignment).toMatchObject({ status: "not_tested", evidence: [] });
  });

  it("evaluates alignment with the reports of the last 30 days", async () => {
    const domain = await watched();
    await reported(domain, 40, [0, 5_000]);
    await reported(domain, 3, [990, 10]);
    await reported(domain, 2, [1_000, 0]);
    const { alignment } = await check(domain);
    expect(alignment).toMatchObject({
      status: "pass",
      observed: expect.stringContaining("2,000 messages"),
      evidence: [{ type: "MAIL", data: ["192.0.2.1: 1,990 of 2,000 aligned"] }],
    });
  });

  it("evaluates alignment with Hermod's own mail if there are no reports", async () => {
    const domain = await watched();
    await sent(domain, 2, { gmail: { delivered: 30 }, other: { delivered: 10, bounced: 2 } });
    const { alignment } = await check(domain);
    expect(alignment).toMatchObject({ status: "warn", observed: expect.stringContaining("40 messages") });
  });

  it("checks the keys that Hermod signs with, unless its owner names others", async () => {
    const { operator, store, time } = identity;
    const [hosted, named] = [await watched(), await watched(["s1"])];
    for (const { accountId, name } of [hosted, named])
      await operator.domains.addDomain({ accountId, domain: name });
    const keys = await store.forAccount(hosted.accountId).domainKeys.listFacts([hosted.name]);
    const signing = keys
      .filter(({ signsFrom }) => signsFrom <= time.clock.now())
      .map(({ selector }) => selector);
    expect(signing.length).toBeGreaterThan(0);
    expect([...((await check(hosted)).asked?.dkimSelectors ?? [])].sort()).toEqual(signing.sort());
    expect((await check(named)).asked?.dkimSelectors).toEqual(["s1"]);
  });

  it("can propose the domain's own addresses for reports", async () => {
    const domain = await watched();
    const { asked } = await check(domain);
    const { domain: shown } = await identity.operator.watches.getWatchedDomain({
      accountId: domain.accountId,
      id: domain._id,
    });
    expect(asked?.reportAddresses).toEqual({
      dmarc: shown?.dmarcReportAddress,
      tls: shown?.tlsReportAddress,
    });
    expect(shown?.dmarcReportAddress).toMatch(/^dmarc\+[^@]+@bounce\.example\.com$/);
  });
});

describe("a report", () => {
  it("contains the reports of receivers, and the results of the account's own mail, within its period", async () => {
    const domain = await watched();
    await reported(domain, 2, [90, 10]);
    await reported(domain, 1, [50, 0]);
    await reported(domain, 60, [7, 0]);
    await sent(domain, 2, {
      gmail: { delivered: 1_000, bounced: 10, complained: 0 },
      yahoo: { delivered: 200, complained: 1, expired: 3, failed: 2 },
    });
    await sent(domain, 1, { gmail: { delivered: 500 } });
    await sent(domain, 45, { gmail: { delivered: 9_999 } });
    const { store, time } = identity;
    const account = store.forAccount(domain.accountId);
    const now = time.clock.now();
    const period = { from: new Date(now.getTime() - 30 * DAY_MS), to: now };
    const wish = {
      scope: { type: "domain", id: domain._id },
      period,
      isOpenEnded: true,
      format: "json",
      paper: "a4",
      sections: undefined,
      locale: undefined,
      timezone: undefined,
      branding: {},
    } satisfies ReportWish;
    const scope = { id: domain._id, name: domain.name, domains: [domain], client: undefined };
    const parts = { store, intel: testIntel(store, time.clock) };
    const asked = { id: "rpt_1", wish, scope, generatedAt: now, branding: {} };
    const inputs = await gatherReportInputs(parts, account, asked);
    expect(inputs.dmarc).toMatchObject([
      { policyDomain: domain.name, messages: 150, alignment: { both: 140, none: 10 } },
    ]);
    expect(inputs.sending).toEqual([
      {
        domainId: domain._id,
        provider: "gmail",
        sent: 1_510,
        delivered: 1_500,
        bounced: 10,
        complained: 0,
        complaintsOf: 0,
      },
      {
        domainId: domain._id,
        provider: "yahoo",
        sent: 205,
        delivered: 200,
        bounced: 0,
        complained: 1,
        complaintsOf: 200,
      },
    ]);
    expect(inputs.domains[0]?.sendingFacts).toEqual({ complaintRate: { yahoo: 0.005 } });
    const { sending, dmarc } = buildReport(inputs);
    expect(sending?.[0]).toMatchObject({ sent: 1_715, bounced: { count: 10, of: 1_715 } });
    expect(dmarc?.[0]).toMatchObject({ messages: 150, passed: { count: 140, of: 150 } });
  });
});
