import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PolicySchema, TransportSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { toMessageEvent } from "../../src/core/to-proto.ts";
import { createDeliver } from "../../src/delivery/deliver.ts";
import { createLookUpRoute } from "../../src/delivery/look-up-route.ts";
import { createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createMxRoute } from "../../src/delivery/routing/mx-route.ts";
import { createDirectTransport } from "../../src/delivery/transports/direct.ts";
import { createResolver } from "../../src/dns/resolver.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import type { TransportSettings } from "../../src/store/policy-document.ts";
import { createDaneDemand } from "../../src/transport-security/dane/dane-demand.ts";
import { createDemandTls } from "../../src/transport-security/demand-tls.ts";
import { createMtaStsDemand } from "../../src/transport-security/mta-sts/mta-sts-demand.ts";
import type { MtaStsPolicy } from "../../src/transport-security/mta-sts/policy.ts";
import type {
  DemandTls,
  RefusedServer,
  TlsDemand,
  TlsPeer,
} from "../../src/transport-security/tls-demand.ts";
import { testAudit } from "../harness/audit.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { repetitions } from "../harness/repetitions.ts";
import { expectTextsOfParts } from "../harness/text-parts.ts";

type Policy = MessageInitShape<typeof PolicySchema>;
type Transport = MessageInitShape<typeof TransportSchema>;

const labels = fc.constantFrom("a", "b", "mail");
const domains = fc
  .array(labels, { minLength: 1, maxLength: 3 })
  .chain((parts) => fc.constantFrom(".test", ".example").map((top) => `${parts.join(".")}${top}`));
const patterns = fc.oneof(
  domains,
  domains.map((domain) => `*.${domain}`),
  fc.constantFrom("*.test", "*.example"),
);

const relays: fc.Arbitrary<Transport> = fc
  .record({
    servers: fc.array(fc.record({ host: domains, port: fc.constantFrom(0, 25, 2525) }), {
      minLength: 1,
      maxLength: 3,
    }),
    tls: fc.constantFrom("", "implicit", "required", "opportunistic", "none"),
    hasLogin: fc.boolean(),
    maxConnections: fc.constantFrom(0, 3),
  })
  .map(({ hasLogin, ...smtp }) => {
    const login = hasLogin && smtp.tls !== "none" ? { username: "ada", password: "s3cret" } : {};
    return { kind: { case: "smtp", value: { ...smtp, ...login } } };
  });
const transports = fc.array(
  fc.oneof(
    relays,
    fc.constant<Transport>({ kind: { case: "sandbox", value: {} } }),
    fc
      .constantFrom("", "opportunistic", "required", "verified")
      .map((tls): Transport => ({ kind: { case: "direct", value: { tls } } })),
  ),
  { minLength: 1, maxLength: 3 },
);

const policies: fc.Arbitrary<Policy> = fc
  .record({
    transports,
    rules: fc.array(fc.record({ domains: fc.array(patterns, { minLength: 1, maxLength: 3 }), transports }), {
      maxLength: 5,
    }),
    waitsSeconds: fc.option(fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 4 })),
    maxAgeSeconds: fc.option(fc.integer({ min: 100_000, max: 1_000_000 })),
  })
  .map(({ rules, waitsSeconds, maxAgeSeconds, ...rest }) => {
    // No domain may occur twice.
    const seen = new Set<string>();
    const isNew = (domain: string) => !seen.has(domain) && seen.add(domain);
    const some = rules.map((rule) => ({ ...rule, domains: rule.domains.filter(isNew) }));
    return {
      name: "random",
      ...rest,
      rules: some.filter((rule) => rule.domains.length > 0),
      maxAgeSeconds: maxAgeSeconds ?? 100_000,
      ...(waitsSeconds && { retry: { waitsSeconds } }),
    };
  });

const HOUR_MS = 3_600_000;

describe("an explanation and a delivery", () => {
  let identity: Identity;
  let accountId: string;

  beforeAll(async () => {
    identity = await openIdentity();
    accountId = await identity.openAccount();
    const { suppressions } = identity.store.forAccount(accountId);
    const entry = { createdAt: new Date(0), reason: "unsubscribe" } as const;
    for (const name of ["no@a.test", "not-random@a.test"]) {
      const policy = name.startsWith("not") ? "random" : undefined;
      await suppressions.add(
        { ...entry, addressKey: name, address: name, ...(policy && { policy }) },
        testAudit,
      );
    }
  });
  afterAll(() => identity.close());

  /** An attempt of a message, over unreachable transports. */
  async function attempt(recipient: string) {
    const { store, time } = identity;
    const tried: TransportSettings[] = [];
    const deliver = createDeliver({
      checkSuppression: createCheckSuppression({
        suppressions: store.acrossAccounts.suppressions,
        clock: time.clock,
      }),
      suppressionMs: undefined,
      loadBody: async () => ({ kind: "raw", source: Buffer.from("From: a@example.com\r\n\r\nHello\r\n") }),
      findPolicy: async (id, name) => (await store.forAccount(id).policies.findOfMessage(name)) ?? undefined,
      findSigners: async () => [],
      returnPathOf: async () => "a@example.com",
      transportFor: (settings) => ({
        deliver: async () => {
          tried.push(settings);
          return {
            kind: "unreachable",
            reply: { via: "test", detail: "nobody is there", sourceAddress: "192.0.2.9" },
          };
        },
        close: () => undefined,
      }),
      unsubscribeUrl: undefined,
      trackHtml: undefined,
      clock: time.clock,
      maxAgeMs: HOUR_MS,
      maxHops: 100,
      retentionMs: HOUR_MS,
    });
    const now = time.clock.now();
    const recipientDomain = recipient.slice(recipient.indexOf("@") + 1);
    const message = queuedMessage(now, { accountId, policy: "random", recipient, recipientDomain });
    return { result: await deliver(message), tried };
  }

  it("agree on the rule, the transports and their TLS, the next attempt and suppressions", async () => {
    const recipients = fc
      .tuple(fc.constantFrom("ada", "no", "not-random"), domains)
      .map(([local, domain]) => `${local}@${domain}`);
    const property = fc.asyncProperty(policies, recipients, async (policy, recipient) => {
      const { policies: area } = identity.operator;
      const given = await area.explainPolicy({ accountId, recipient, by: { case: "policy", value: policy } });
      const { policy: stored } = await area.putPolicy({ accountId, policy });
      const explained = await area.explainPolicy({
        accountId,
        recipient,
        by: { case: "name", value: "random" },
      });
      expect({ ...given, stored: true }).toEqual(explained);
      expect(JSON.stringify(explained.transports)).not.toContain("s3cret");

      const { result, tried } = await attempt(recipient);
      expect(result.transition.to === "suppressed").toBe(explained.suppression?.suppressed);
      expect(expectTextsOfParts(explained).length).toBeGreaterThan(8);
      const event = toMessageEvent(result.event, recipient);
      if (explained.suppression?.suppressed) {
        expect(expectTextsOfParts(event)).toEqual([expect.stringMatching(/^suppression\.listed/)]);
        return;
      }
      expect(expectTextsOfParts(event)).toEqual([expect.stringMatching(/^rule\./)]);
      expect(
        explained.transports.map(({ kind, servers, tls, username }) => ({ kind, servers, tls, username })),
      ).toEqual(
        tried.map((settings) => ({
          kind: settings.kind,
          servers:
            settings.kind === "smtp" ? settings.servers.map((server) => expect.objectContaining(server)) : [],
          tls: settings.kind === "sandbox" ? "" : settings.tls,
          username: settings.kind === "smtp" ? (settings.username ?? "") : "",
        })),
      );
      const { index, pattern = "" } = explained.rule ?? {};
      const rule = index === undefined ? undefined : stored?.rules[index];
      expect(rule?.transports ?? stored?.transports).toHaveLength(tried.length);
      if (rule) expect(rule.domains).toContain(pattern);
      // The timeline has the same decision, with the policy of that time.
      await area.putPolicy({ accountId, policy: { ...policy, rules: [] } });
      expect(toMessageEvent(result.event, recipient)).toMatchObject({
        sourceAddress: tried.length > 0 ? "192.0.2.9" : "",
        decidedBy: {
          policy: "random",
          policyRevision: stored?.revision,
          rule: index === undefined ? 0 : index + 1,
          pattern,
          reason: explained.rule?.reason,
          reasonParts: explained.rule?.reasonParts.map(({ code, params }) => ({
            code,
            ...(params && { params }),
          })),
        },
      });

      const [first, second] = explained.retry?.attempts ?? [];
      const nextAt = result.transition.nextAttemptAt?.getTime() ?? Number.NaN;
      const plannedMs = (second?.at && timestampDate(second.at).getTime()) ?? Number.NaN;
      const startMs = first?.at ? timestampDate(first.at).getTime() : Number.NaN;
      expect(nextAt).toBeGreaterThanOrEqual(plannedMs);
      expect(nextAt).toBeLessThanOrEqual(plannedMs + (plannedMs - startMs) / 10 + 1);
    });
    await fc.assert(property, { numRuns: repetitions(25, 60) });
  });
});

const key = Buffer.alloc(32, 7);
const zones = {
  "plain.test": { MX: ["10 mx1.test", "20 mx2.test"] },
  "implicit.test": { A: ["127.0.0.9"] },
  "null.test": { MX: ["0 ."] },
  "broken.test": { behaviour: "servfail" },
  "dane.test": { MX: ["10 dane.mx.test", "20 mx2.test"], authenticated: true },
  "sts.test": { MX: ["10 mx1.test", "20 mx2.test"] },
  "testing.test": { MX: ["10 mx1.test"] },
  "announced.test": { MX: ["10 mx1.test"] },
  "_mta-sts.announced.test": { TXT: ["v=STSv1; id=1;"] },
  "mx1.test": { A: ["127.0.0.9"] },
  "mx2.test": { A: ["127.0.0.10"] },
  "dane.mx.test": { A: ["127.0.0.9"], authenticated: true },
  "_1._tcp.dane.mx.test": {
    TLSA: [{ usage: 3, selector: 1, matchingType: 1, certificate: key }],
    authenticated: true,
  },
} as const;
const known: Readonly<Record<string, MtaStsPolicy>> = {
  "sts.test": { mode: "enforce", mx: ["mx1.test"], maxAgeSeconds: 60 },
  "testing.test": { mode: "testing", mx: ["mx1.test"], maxAgeSeconds: 60 },
};
/** A peer with a certificate that proves nothing. */
const nobody: TlsPeer = {
  serverName: "nobody.test",
  authorized: false,
  authorizationError: "self-signed",
  certificate: {} as TlsPeer["certificate"],
};
/** Port without a listener: every server is tried, and none is reached. */
const PORT = 1;

describe("the lookup and the direct delivery", () => {
  let dns: DnsServer;
  beforeAll(async () => {
    dns = await startDnsServer(zones);
  });
  afterAll(() => dns.close());

  const settings = ["opportunistic", "required", "verified"] as const;
  const names = [...Object.keys(zones).filter((name) => /^\w+\.test$/.test(name)), "nobody.test"].filter(
    (name) => !name.startsWith("mx"),
  );
  const cases = names.flatMap((domain) => settings.map((setting) => ({ domain, setting })));

  it.each(cases)("agree on the servers of $domain and their TLS ($setting)", async ({ domain, setting }) => {
    const resolver = createResolver({
      servers: [dns.address],
      clock: systemClock,
      timeoutMs: 1_000,
      tries: 1,
    });
    const route = createMxRoute({
      resolver,
      ownNames: [],
      ipv6: "never",
      random: () => 0,
      allowPrivate: true,
      ownAddresses: [],
    });
    const dane = createDaneDemand({ resolver, port: PORT, clock: systemClock });
    const policyFor = async (name: string) => known[name];
    const mtaSts = createMtaStsDemand({
      mtaSts: { policyFor, freshPolicyFor: policyFor, close: async () => undefined },
      log: createLogger("silent"),
    });
    const lookUp = createLookUpRoute({
      resolver,
      route,
      dane,
      mtaSts: { demand: mtaSts, known: policyFor },
      timeoutMs: 10_000,
      mostAtOnce: 1,
      mostOfOneAccount: 1,
    });
    const found = await lookUp(domain, setting, "acc_1");

    const asked: { exchange: string; demand: TlsDemand | RefusedServer }[] = [];
    const demandTls = createDemandTls({ setting, dane, mtaSts });
    const noting: DemandTls = async (name, host) => {
      const demand = await demandTls(name, host);
      asked.push({ exchange: host.exchange, demand });
      return demand;
    };
    const transport = createDirectTransport({
      settings: { kind: "direct", tls: setting, maxConnections: 1 },
      route,
      port: PORT,
      heloName: "mail.example.com",
      timeouts: smtpTimeouts(2_000),
      clock: systemClock,
      demandTls: noting,
    });
    const message = queuedMessage(new Date(), { recipient: `ada@${domain}`, recipientDomain: domain });
    const envelope = { from: "a@example.com", to: [message.recipient], dsn: {}, legacyHeader: false };
    const source = Buffer.from("From: a@example.com\r\n\r\nHello\r\n");
    const outcome = await transport.deliver({
      message,
      envelope,
      source,
      converted: async () => ({ ok: true, source }),
    });
    transport.close();

    expect(outcome.kind).toBe(["hosts", "temporary"].includes(found.kind) ? "unreachable" : "bounced");
    if (found.kind !== "hosts") expect(outcome.reply.detail).toContain(found.reason);
    expect(found.hosts.map(({ exchange }) => exchange)).toEqual(asked.map(({ exchange }) => exchange));
    for (const [index, { tls }] of found.hosts.entries()) {
      const demand = asked[index]?.demand;
      if (!demand) throw new Error("nobody asked");
      if ("refused" in demand) {
        expect(tls).toMatchObject({ level: "refused", refusal: demand.refused.text });
        continue;
      }
      expect(tls.level).toBe(demand.level);
      expect(tls.certificate.length > 0).toBe(demand.verify?.(nobody) !== undefined);
    }
    expect(found.hasUnknownMtaSts).toBe(domain === "announced.test");
  });

  it("lookups end in time, and are refused beyond a limit of all, or of one account", async () => {
    const route = () => new Promise<never>(() => undefined);
    const resolver = createResolver({ servers: [dns.address], clock: systemClock });
    const parts = { resolver, route, dane: undefined, mtaSts: undefined };
    const lookUp = createLookUpRoute({ ...parts, timeoutMs: 20, mostAtOnce: 2, mostOfOneAccount: 1 });
    const all = await Promise.all(
      ["acc_1", "acc_1", "acc_2", "acc_3"].map((account) => lookUp("plain.test", "required", account)),
    );
    expect(all.map(({ kind }) => kind)).toEqual(all.map(() => "temporary"));
    const late = "the DNS did not answer in time";
    const many = "too many others are looked up just now";
    expect(all.map(({ reason }) => reason)).toEqual([late, many, late, many]);
  });

  it("finished lookups free their capacity", async () => {
    const resolver = createResolver({ servers: [dns.address], clock: systemClock });
    const route = async () => ({ kind: "null_mx", enhancedStatusCode: "5.1.10", reason: "none" }) as const;
    const parts = { resolver, route, dane: undefined, mtaSts: undefined };
    const lookUp = createLookUpRoute({ ...parts, timeoutMs: 20, mostAtOnce: 1, mostOfOneAccount: 1 });
    for (let n = 0; n < 3; n++) expect((await lookUp("a.test", "required", "acc_1")).kind).toBe("null_mx");
  });
});
