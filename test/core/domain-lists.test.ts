import { domainToASCII, domainToUnicode } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DomainKeyDocument } from "../../src/store/documents.ts";
import { type DomainDocument, domainStatuses } from "../../src/store/domain-document.ts";
import { domainId, newDomain } from "../../src/store/domain-store.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const HOUR_MS = 3_600_000;
/** More than the core reads at once. */
const PLAIN = Array.from({ length: 530 }, (_, n) => `n${String(n).padStart(3, "0")}.shop.example`);
const OTHERS = ["mail.acme.example", "bücher.example", "acme.co.uk", "straße.example"].map(domainToASCII);

let identity: Identity;
let accountId: string;
beforeAll(async () => {
  identity = await openIdentity();
  accountId = await identity.openAccount();
  const now = identity.time.clock.now();
  await identity.db
    .collection<DomainDocument>("domains")
    .insertMany([...PLAIN, ...OTHERS].map((name, n) => domainAt(name, n, now)));
  await identity.db
    .collection<Omit<DomainKeyDocument, "privateKey">>("domainKeys")
    .insertMany([...PLAIN, ...OTHERS].map(keyOf));
  const account = identity.store.forAccount(accountId);
  for (const [n, value] of ["ada@acme.example", "news@xn--bcher-kva.example", "shop.example"].entries()) {
    if (n === 1) await account.senders.invite(pendingSender(value), link(value), testAudit);
    else await identity.operator.senders.addSender({ accountId, value });
  }
  await account.senders.invite(pendingSender("pending@shop.example"), link("second"), testAudit);
});
afterAll(() => identity.close());

/** A domain of every status. Lost ones change from degraded to failed with time. */
function domainAt(name: string, n: number, now: Date): DomainDocument {
  const _id = domainId(accountId, name);
  const rightAt = new Date(now.getTime() - HOUR_MS);
  const confirmedAt = new Date(now.getTime() - (n % 5 === 3 ? 80 : 2) * HOUR_MS);
  const keys = n % 5 === 0 ? [] : n % 5 === 1 ? ["ownership"] : ["ownership", `dkim:k${n}`];
  return {
    ...newDomain(name, now),
    _id,
    accountId,
    ...(n % 5 > 1 && { verifiedAt: rightAt, status: "verified" as const }),
    records: keys.map((key) => ({
      key,
      outcome: "right" as const,
      problem: "",
      note: "",
      aliases: [],
      found: [{ server: "ns1.example", values: ["x"] }],
      learnedAt: rightAt,
      rightAt,
      ...(n % 5 >= 3 && { against: { firstAt: rightAt, lastAt: rightAt, confirmedAt } }),
    })),
  };
}

const keyOf = (domain: string, n: number) => ({
  _id: `${accountId}.k${n}`,
  accountId,
  domain,
  selector: `k${n}`,
  algorithm: "rsa-sha256" as const,
  signsFrom: new Date(0),
  createdAt: new Date(0),
});

const pendingSender = (value: string) => ({
  _id: `snd_${value}`,
  kind: "address" as const,
  value,
  createdAt: identity.time.clock.now(),
});
const link = (linkHash: string) => {
  const until = new Date(identity.time.clock.now().getTime() + HOUR_MS);
  return { linkHash, linkExpiresAt: until, expireAt: until };
};

async function allDomains(filter: { search?: string; status?: string }, pageSize: number) {
  const found = [];
  for (let pageToken = ""; ; ) {
    const page = await identity.operator.domains.listDomains({ accountId, ...filter, pageSize, pageToken });
    expect(page.domains.length).toBeLessThanOrEqual(pageSize);
    found.push(...page.domains);
    if (page.nextPageToken === "") return found;
    // A page with a next page is full.
    expect(page.domains).toHaveLength(pageSize);
    pageToken = page.nextPageToken;
  }
}

async function allSenders(filter: { search?: string; state?: string }, pageSize: number) {
  const found = [];
  for (let pageToken = ""; ; ) {
    const page = await identity.operator.senders.listSenders({ accountId, ...filter, pageSize, pageToken });
    found.push(...page.senders);
    if (page.nextPageToken === "") return found;
    expect(page.senders).toHaveLength(pageSize);
    pageToken = page.nextPageToken;
  }
}

const words = fc.constantFrom(
  "",
  "shop",
  "n00",
  ".EXAMPLE",
  "Bücher",
  "xn--",
  "ß",
  "acme",
  "ada@",
  " n1 ",
  "no such",
);
const contains = (name: string, search = "") => {
  const word = search.trim().toLowerCase();
  const at = name.lastIndexOf("@") + 1;
  const read = name.slice(0, at) + domainToUnicode(name.slice(at));
  return name.includes(word) || read.includes(word);
};

describe("filters of the list of domains", () => {
  it("match the same domains as a plain evaluation of the whole list, page by page, in order", async () => {
    const whole = await allDomains({}, 1000);
    expect(whole).toHaveLength(PLAIN.length + OTHERS.length);
    expect(new Set(whole.map(({ status }) => status))).toEqual(new Set(domainStatuses));
    const statuses = fc.constantFrom("", ...domainStatuses);
    await fc.assert(
      fc.asyncProperty(
        words,
        statuses,
        fc.integer({ min: 60, max: 600 }),
        async (search, status, pageSize) => {
          const wanted = whole.filter(
            (one) => contains(one.name, search) && (status === "" || one.status === status),
          );
          const found = await allDomains({ search, status }, pageSize);
          expect(found).toEqual(wanted);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("compare the computed status, which changes with time", async () => {
    const degraded = await allDomains({ status: "degraded" }, 1000);
    const failed = await allDomains({ status: "failed" }, 1000);
    expect(degraded.length).toBeGreaterThan(0);
    identity.time.pass(71 * HOUR_MS);
    expect(await allDomains({ status: "degraded" }, 1000)).toEqual([]);
    expect(await allDomains({ status: "failed" }, 1000)).toHaveLength(failed.length + degraded.length);
  });

  it("match nothing of another account", async () => {
    const other = await identity.openAccount();
    const { domains } = await identity.operator.domains.listDomains({ accountId: other, search: "shop" });
    expect(domains).toEqual([]);
  });

  it("are refused with the field and the allowed values", async () => {
    const { domains, senders } = identity.operator;
    await expect(domains.listDomains({ accountId, status: "good" })).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [
        {
          pointer: "/status",
          message: "`status` must be one of unverified, verifying, verified, degraded, failed.",
        },
      ],
    });
    await expect(senders.listSenders({ accountId, state: "good" })).rejects.toMatchObject({
      errors: [{ pointer: "/state", message: "`state` must be one of verified, pending." }],
    });
    const search = "x".repeat(321);
    await expect(domains.listDomains({ accountId, search })).rejects.toMatchObject({
      errors: [{ pointer: "/search" }],
    });
    await expect(senders.listSenders({ accountId, search })).rejects.toMatchObject({
      errors: [{ pointer: "/search" }],
    });
  });
});

describe("filters of the list of senders", () => {
  it("match the same senders as a plain evaluation of the whole list, page by page, in order", async () => {
    const whole = await allSenders({}, 1000);
    expect(whole.length).toBeGreaterThan(3);
    const states = fc.constantFrom("", "verified", "pending");
    await fc.assert(
      fc.asyncProperty(words, states, fc.integer({ min: 1, max: 3 }), async (search, state, pageSize) => {
        const wanted = whole.filter(
          ({ value, verifiedAt }) =>
            contains(value, search) &&
            (state === "" || (state === "verified") === (verifiedAt !== undefined)),
        );
        expect(await allSenders({ search, state }, pageSize)).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  });
});
