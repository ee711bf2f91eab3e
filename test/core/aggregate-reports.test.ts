import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccountDeletions } from "../../src/core/accounts/delete-account.ts";
import { createFindReported, createReportAggregates } from "../../src/core/bounces/report-aggregates.ts";
import type { DmarcReport } from "../../src/intel/aggregate-reports/dmarc-report.ts";
import type { DailyRollup } from "../../src/rollups/daily-rollup.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import {
  bare,
  dmarcReport,
  dmarcRow,
  gzip,
  type providers,
  writeDmarc,
  zip,
} from "../harness/dmarc-reports.ts";
import { failingDb } from "../harness/failing-db.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { testSealing } from "../harness/sealing.ts";
import { testIntel } from "../harness/test-intel.ts";
import { zipOf } from "../harness/zip-archive.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
type Packing = (typeof providers)[string]["pack"];

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());

interface Watched {
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

let counter = 0;

/** A domain of a new account. */
async function watched(name = `shop-${counter++}.example`): Promise<Watched> {
  const { operator } = identity;
  const { account } = await operator.accounts.createAccount({ name });
  const accountId = account?.id ?? "";
  return watchedBy(accountId, name);
}

async function watchedBy(accountId: string, name: string): Promise<Watched> {
  const { operator } = identity;
  const { client } = await operator.workspaces.createClient({ accountId, settings: { name: `of ${name}` } });
  const { domain } = await operator.watches.addWatchedDomain({ accountId, clientId: client?.id ?? "", name });
  return { accountId, id: domain?.id ?? "", name, address: domain?.dmarcReportAddress ?? "" };
}

/** Report about yesterday. */
function reportOn(name: string, changes: Partial<DmarcReport> = {}): DmarcReport {
  const today = Math.floor(identity.time.clock.now().getTime() / DAY_MS) * DAY_MS;
  return dmarcReport({
    begin: new Date(today - DAY_MS),
    end: new Date(today - 1_000),
    policy: { ...dmarcReport().policy, domain: name },
    reportId: `report ${counter++}`,
    ...changes,
  });
}

const packed = (report: DmarcReport, pack: Packing = gzip) => pack(writeDmarc(report));

/** A mail in the form that receivers send, with text for people. */
function mailWith(...attachments: readonly Buffer[]): Buffer {
  const parts = attachments.map(
    (bytes, index) =>
      `--b\r\nContent-Type: application/octet-stream; name=r${index}\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString("base64").replace(/.{76}/g, "$&\r\n")}\r\n`,
  );
  const head = `From: dmarc@receiver.example\r\nSubject: Report domain\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`;
  return Buffer.from(
    `${head}--b\r\nContent-Type: text/plain\r\n\r\nThis is a report.\r\n--b\r\nContent-Type: text/html\r\n\r\n<html>It is.</html>\r\n${parts.join("")}--b--\r\n`,
  );
}

function receiverOn(store: Store) {
  const { clock } = identity.time;
  const needs = {
    store,
    clock,
    intel: testIntel(store, clock),
    log: createLogger("silent"),
    onReport: () => undefined,
  };
  return createReportAggregates(needs, createFindReported(needs));
}

const receive = (address: string, source: Buffer, store = identity.store) =>
  receiverOn(store)({ address, source, mailFrom: "dmarc@receiver.example" } as never);

const upload = async ({ accountId, id }: Watched, content: Buffer) =>
  (await identity.operator.watches.uploadReport({ accountId, id, content })).reports;

const inboxOf = ({ accountId, id }: Watched) => identity.operator.watches.getReportInbox({ accountId, id });

async function rollupsOf({ accountId, id }: Watched, store = identity.store): Promise<DailyRollup[]> {
  const found: DailyRollup[] = [];
  const days = { first: "0000-01-01", last: "9999-01-01" };
  await store.forAccount(accountId).aggregateReports.eachDmarc(id, days, (page) => {
    found.push(...page);
  });
  return found;
}

const messagesOf = async (domain: Watched, store?: Store) =>
  (await rollupsOf(domain, store)).reduce((sum, { messages }) => sum + messages, 0);

describe("a report about a watched domain", () => {
  it.each([
    ["uncompressed", bare],
    ["gzip", gzip],
    ["zip", zip],
  ] as const)("is counted in the form %s, by mail and as an upload", async (_, pack) => {
    const domain = await watched();
    const { name, address } = domain;
    const rows = [
      dmarcRow({ count: 7 }),
      dmarcRow({ sourceIp: "198.51.100.9", count: 3, dkimAligned: false, spfAligned: false }),
    ];
    expect(await receive(address, mailWith(packed(reportOn(name, { rows }), pack)))).toEqual({
      counted: 1,
      repeated: 0,
      refused: 0,
    });
    identity.time.pass(1);
    const [one] = await upload(domain, packed(reportOn(name, { rows }), pack));
    expect(one).toMatchObject({ kind: "dmarc", outcome: "counted", orgName: "receiver.example", count: 10n });
    expect(await rollupsOf(domain)).toMatchObject([
      { sourceIp: "192.0.2.1", messages: 14, alignment: { both: 14, none: 0 } },
      { sourceIp: "198.51.100.9", messages: 6, alignment: { both: 0, none: 6 } },
    ]);
    expect(await inboxOf(domain)).toMatchObject({
      dmarc: 2,
      refused: 0,
      reports: [{ via: "upload" }, { via: "mail" }],
    });
  });

  it("counts once, for any number of repetitions and any transport", async () => {
    const domain = await watched();
    const report = packed(reportOn(domain.name));
    await receive(domain.address, mailWith(report));
    expect(await receive(domain.address, mailWith(report, report))).toMatchObject({
      counted: 0,
      repeated: 2,
    });
    expect(await upload(domain, report)).toMatchObject([{ outcome: "repeated", reason: "" }]);
    expect(await upload(domain, mailWith(report))).toMatchObject([{ outcome: "repeated" }]);
    expect(await messagesOf(domain)).toBe(1);
    expect(await inboxOf(domain)).toMatchObject({ dmarc: 1, repeated: 4 });
  });

  it("counts for the domain that it was sent to, separately in each workspace", async () => {
    const name = `shared-${counter++}.example`;
    const [one, other] = [await watched(name), await watched(name)];
    const report = packed(reportOn(name));
    await receive(one.address, mailWith(report));
    expect([await messagesOf(one), await messagesOf(other)]).toEqual([1, 0]);
    await receive(other.address, mailWith(report));
    expect([await messagesOf(one), await messagesOf(other)]).toEqual([1, 1]);
  });

  it("counts if it is about a name below the domain, and not for any other name", async () => {
    const domain = await watched();
    const { name } = domain;
    const about = (other: string) => packed(reportOn(other));
    const names = [`news.${name}`, "other.example", `x${name}`, `${name}.example`, "example"];
    expect(await receive(domain.address, mailWith(...names.map(about)))).toMatchObject({
      counted: 1,
      refused: 4,
    });
    expect((await rollupsOf(domain)).map(({ policyDomain }) => policyDomain)).toEqual([`news.${name}`]);
    const { refusals } = await inboxOf(domain);
    expect(refusals.map(({ reason }) => reason)).toContain(
      `The report is about "other.example", not about ${name}.`,
    );
  });

  it("is refused if it is about another time", async () => {
    const domain = await watched();
    const now = identity.time.clock.now().getTime();
    const at = (ms: number) =>
      packed(reportOn(domain.name, { begin: new Date(ms), end: new Date(ms + HOUR_MS) }));
    const parcel = mailWith(at(now - 401 * DAY_MS), at(now + 3 * DAY_MS), at(now - 390 * DAY_MS));
    expect(await receive(domain.address, parcel)).toMatchObject({ counted: 1, refused: 2 });
  });

  it("requires the signed address of the domain", async () => {
    const domain = await watched();
    const wrong = domain.address.replace(/-[0-9a-f]/, (end) => (end === "-0" ? "-1" : "-0"));
    const unknown = { code: "return_path.unknown" };
    const mail = mailWith(packed(reportOn(domain.name)));
    for (const address of [wrong, "dmarc@bounce.example.com", domain.address.replace("bounce.", "bounces.")])
      await expect(receive(address, mail)).rejects.toMatchObject(unknown);
    expect(await messagesOf(domain)).toBe(0);
    const { accountId, id } = domain;
    await identity.operator.watches.removeWatchedDomain({ accountId, id });
    await expect(receive(domain.address, mail)).rejects.toMatchObject(unknown);
  });
});

describe("a document that is not a report", () => {
  it("does not stop the others, and is recorded once with its reason", async () => {
    const domain = await watched();
    const good = packed(reportOn(domain.name));
    const xml = writeDmarc(reportOn(domain.name));
    const broken = gzipSync(xml.slice(0, xml.length / 2));
    const parcel = mailWith(broken, good, Buffer.from("%PDF-1.7"));
    expect(await receive(domain.address, parcel)).toEqual({ counted: 1, repeated: 0, refused: 2 });
    expect(await receive(domain.address, parcel)).toEqual({ counted: 0, repeated: 3, refused: 0 });
    const { refusals, refused, dmarc } = await inboxOf(domain);
    expect([refused, dmarc, refusals.length]).toEqual([2, 1, 2]);
    for (const { reason, sender, via } of refusals) {
      expect(reason).toMatch(/^The report could not be read: .+\.$/);
      expect([sender, via]).toEqual(["dmarc@receiver.example", "mail"]);
    }
  });

  it("may unpack to any size", async () => {
    const domain = await watched();
    const bomb = zipOf([{ name: "report.xml", contents: Buffer.alloc(150 * 1024 * 1024, "<") }]);
    const parcel = mailWith(bomb, packed(reportOn(domain.name)));
    expect(await receive(domain.address, parcel)).toMatchObject({ refused: 1 });
    expect((await inboxOf(domain)).refusals[0]?.reason).toMatch(/more than 100 MB/);
  });

  it("may be a mail for people", async () => {
    const domain = await watched();
    expect(await receive(domain.address, mailWith())).toMatchObject({ refused: 1 });
    expect((await inboxOf(domain)).refusals).toMatchObject([
      { reason: "The report could not be read: the mail contains no report." },
    ]);
  });

  it("is recorded only a limited number of times", async () => {
    const domain = await watched();
    const files = Array.from({ length: 70 }, (_, n) => Buffer.from(`{"n":${n}}`));
    await receive(domain.address, mailWith(...files));
    const inbox = await inboxOf(domain);
    expect([inbox.refused, inbox.refusals.length]).toEqual([70, 50]);
  });

  it("is refused if it exceeds the maximum file size", async () => {
    const domain = await watched();
    await expect(upload(domain, Buffer.alloc(25 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: "request.too_large",
    });
  });
});

describe("sources of one day", () => {
  it("are limited to a thousand, and the rest is combined: no message is lost", async () => {
    const domain = await watched();
    const rows = (net: number) =>
      Array.from({ length: 800 }, (_, n) =>
        dmarcRow({ sourceIp: `10.${net}.${n >> 8}.${n & 255}`, count: n === 0 ? 1_000 : 1 }),
      );
    for (const net of [1, 2, 1]) await upload(domain, packed(reportOn(domain.name, { rows: rows(net) })));
    const rollups = await rollupsOf(domain);
    expect(rollups.length).toBe(1_001);
    expect(rollups.reduce((sum, { messages }) => sum + messages, 0)).toBe(3 * 1_799);
    const of = (ip: string) => rollups.find(({ sourceIp }) => sourceIp === ip)?.messages;
    // Sources with the most messages have priority over others, and existing ones continue.
    expect([of("10.1.0.0"), of("10.2.0.0"), of("10.1.0.1"), of("other")]).toEqual([2_000, 1_000, 2, 600]);
  });
});

describe("a TLS report", () => {
  it("is counted by day, policy, result and server", async () => {
    const domain = await watched();
    const { name } = domain;
    const { begin, end } = reportOn(name);
    const policy = (policyDomain: string) => ({
      policy: { "policy-type": "sts", "policy-domain": policyDomain },
      summary: { "total-successful-session-count": 50, "total-failure-session-count": 6 },
      "failure-details": [
        {
          "result-type": "certificate-expired",
          "failed-session-count": 4,
          "receiving-mx-hostname": `MX1.${name}.`,
        },
      ],
    });
    const report = {
      "organization-name": "sender.example",
      "report-id": "t1",
      "date-range": { "start-datetime": begin.toISOString(), "end-datetime": end.toISOString() },
      policies: [policy(name), policy("other.example")],
    };
    const file = gzipSync(JSON.stringify(report));
    expect(await receive(domain.address.replace("dmarc+", "tls+"), mailWith(file, file))).toMatchObject({
      counted: 1,
      repeated: 1,
    });
    const found: unknown[] = [];
    const { accountId, id } = domain;
    const days = { first: "0000-01-01", last: "9999-01-01" };
    await identity.store.forAccount(accountId).aggregateReports.eachTls(id, days, (page) => {
      found.push(...page.map(({ result, mxHost, sessions }) => [result, mxHost, sessions]));
    });
    expect(found).toEqual([
      ["certificate-expired", `mx1.${name}`, 4],
      ["success", "", 50],
      ["unspecified", "", 2],
    ]);
  });
});

describe("with concurrent processes", () => {
  it("a report that two processes receive at the same time counts once", async () => {
    const domain = await watched();
    const stores = [identity.store, createStore(identity.db, testSealing)];
    const reports = Array.from({ length: 5 }, () => packed(reportOn(domain.name)));
    const answers = await Promise.all(
      stores.flatMap((store) => reports.map((report) => receive(domain.address, mailWith(report), store))),
    );
    expect(answers.reduce((sum, { counted = 0 }) => sum + counted, 0)).toBe(5);
    expect(await messagesOf(domain)).toBe(5);
    expect(await inboxOf(domain)).toMatchObject({ dmarc: 5, repeated: 5 });
  });

  it("a report counts once when it is repeated after any failure of the store", async () => {
    let isReached = true;
    for (let nth = 1; isReached; nth++) {
      for (const time of ["before", "after"] as const) {
        const domain = await watched();
        const parcel = mailWith(
          Buffer.from("{}"),
          packed(reportOn(domain.name)),
          packed(reportOn(domain.name)),
        );
        const failing = failingDb(identity.db, nth, time);
        const outcome = receive(domain.address, parcel, createStore(failing.db, testSealing));
        const failed = await outcome.then(
          () => false,
          (error) => error.code === "store.unavailable",
        );
        isReached = failing.failed();
        if (isReached) expect(failed).toBe(true);
        await receive(domain.address, parcel);
        expect(await messagesOf(domain)).toBe(2);
        expect(await inboxOf(domain)).toMatchObject({ dmarc: 2, refused: 1 });
      }
      expect(nth).toBeLessThan(40);
    }
  });
});

describe("a counted report", () => {
  const leftOf = async (accountId: string) => {
    const names = ["dmarcRollups", "tlsRollups", "aggregateReports", "reportInboxes", "watchedDomains"];
    const counts = names.map((name) => identity.db.collection(name).countDocuments({ accountId }));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };

  it("is removed with its domain, and those of other domains stay", async () => {
    const domain = await watched();
    const other = await watchedBy(domain.accountId, `other-${counter++}.example`);
    for (const { address, name } of [domain, other]) await receive(address, mailWith(packed(reportOn(name))));
    await identity.operator.watches.removeWatchedDomain({ accountId: domain.accountId, id: domain.id });
    await identity.settled();
    expect([await messagesOf(domain), await messagesOf(other)]).toEqual([0, 1]);
    expect(await leftOf(domain.accountId)).toBe(4);
  });

  it("is removed with its account", async () => {
    const domain = await watched();
    await receive(domain.address, mailWith(packed(reportOn(domain.name)), Buffer.from("{}")));
    expect(await leftOf(domain.accountId)).toBe(4);
    await identity.operator.accounts.deleteAccount({ accountId: domain.accountId });
    const { store, time } = identity;
    const deletions = createAccountDeletions({
      store,
      clock: time.clock,
      log: createLogger("silent"),
      proofMs: DAY_MS,
    });
    time.pass(10 * 60_000);
    await deletions();
    expect(await leftOf(domain.accountId)).toBe(0);
    await expect(receive(domain.address, mailWith())).rejects.toMatchObject({ code: "return_path.unknown" });
  });

  it("is exported with its account", async () => {
    const domain = await watched();
    await receive(domain.address, mailWith(packed(reportOn(domain.name)), Buffer.from("{}")));
    const { exports } = identity.store.forAccount(domain.accountId);
    expect((await exports.page("dmarcRollups")).documents).toMatchObject([{ messages: 1 }]);
    expect((await exports.page("aggregateReports")).documents).toMatchObject([{ kind: "dmarc" }]);
    expect((await exports.page("reportInboxes")).documents).toMatchObject([{ counts: { refused: 1 } }]);
  });
});
