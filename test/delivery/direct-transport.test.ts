import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { type FakeRelay, smtpReply, startFakeRelay } from "../harness/fake-relay.ts";
import { email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

const zones: DnsZones = {
  "one.test": { MX: ["10 mx1.one.test"] },
  "mx1.one.test": { A: ["127.0.0.2"] },
  "two.test": { MX: ["20 mx1.one.test", "10 mx3.two.test"] },
  "mx3.two.test": { A: ["127.0.0.3"] },
  "implicit.test": { A: ["127.0.0.2"] },
  "null.test": { MX: ["0 ."] },
  "broken.test": { behaviour: "servfail" },
  "nowhere.test": { MX: ["10 mx.nowhere.test"] },
  "xn--mller-kva.test": { MX: ["10 mx1.one.test"] },
};

let dns: Awaited<ReturnType<typeof startDnsServer>>;
let first: FakeRelay;
let second: FakeRelay;
let hermod: Hermod;

/** Two servers on two addresses and one port, like MX hosts; STARTTLS with a self-signed certificate. */
beforeAll(async () => {
  dns = await startDnsServer(zones);
  first = await startFakeRelay({ disabledCommands: ["AUTH"] }, 0, "127.0.0.2");
  second = await startFakeRelay({ disabledCommands: ["AUTH", "STARTTLS"] }, first.port, "127.0.0.3");
  hermod = await startHermod({ settings: settings({ HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true" }) });
  await putPolicies(hermod);
});
afterAll(async () => {
  await hermod.dispose();
  await Promise.all([first.close(), second.close(), dns.close()]);
});

function settings(more: Record<string, string> = {}): Record<string, string> {
  return {
    HERMOD_DNS_SERVERS: dns.address,
    HERMOD_MX_PORT: String(first.port),
    HERMOD_SMTP_TIMEOUT_MS: "3000",
    ...more,
  };
}

async function putPolicies(to: Hermod): Promise<void> {
  for (const tls of ["opportunistic", "required", "verified"]) {
    const transports = [{ kind: { case: "direct" as const, value: { tls } } }];
    await to.core.policies.putPolicy({ policy: { name: tls, transports } });
  }
}

async function outcomeOf(recipient: string, policy = "opportunistic", by: Hermod = hermod) {
  const { status, accepted } = await post(by, email({ to: recipient, routing_policy: policy }));
  expect(status).toBe(202);
  return eventually(async () => {
    const { timeline } = await by.core.messages.getMessage({ id: accepted.message_id });
    const last = timeline.at(-1);
    return last && last.attempt > 0 ? last : undefined;
  });
}

describe("direct delivery", () => {
  it("uses the servers that an explanation with DNS names", async () => {
    const explained = (recipient: string) =>
      hermod.core.policies.explainPolicy({
        recipient,
        by: { case: "name", value: "opportunistic" },
        lookUp: true,
      });
    const hostsOf = async (recipient: string) => {
      const { transports } = await explained(recipient);
      return transports[0]?.found?.hosts.map(({ exchange, addresses }) => `${exchange}[${addresses}]`);
    };
    expect(await hostsOf("ada@two.test")).toEqual(["mx3.two.test[127.0.0.3]", "mx1.one.test[127.0.0.2]"]);
    expect((await outcomeOf("ada@two.test")).via).toContain("mx3.two.test[127.0.0.3]");
    const { transports } = await explained("ada@null.test");
    expect(transports[0]?.found).toMatchObject({ kind: "null_mx", hosts: [] });
    expect((await outcomeOf("ada@null.test")).kind).toBe("bounced");
  });

  it("uses the domain's server, over TLS if offered", async () => {
    const before = first.received.length;
    expect(await outcomeOf("ada@one.test")).toMatchObject({ kind: "delivered", replyCode: 250 });
    expect(first.received.slice(before)).toMatchObject([{ to: ["ada@one.test"], secure: true }]);
  });

  it("uses the most preferred server, in plain text if it offers nothing else", async () => {
    const before = second.received.length;
    const { via } = await outcomeOf("ada@two.test");
    expect(via).toBe(`direct mx3.two.test[127.0.0.3]:${first.port}`);
    expect(second.received.slice(before)).toMatchObject([{ secure: false }]);
  });

  it("uses the domain's own address without an MX, and supports internationalized domains", async () => {
    expect(await outcomeOf("ada@implicit.test")).toMatchObject({ kind: "delivered" });
    expect(await outcomeOf("ada@müller.test")).toMatchObject({ kind: "delivered" });
  });

  it("uses the next server in the same attempt when the preferred one is unreachable", async () => {
    second.answerRecipient(() => smtpReply(421, "4.3.2 closing"));
    expect(await outcomeOf("ada@two.test")).toMatchObject({
      kind: "delivered",
      attempt: 1,
      via: `direct mx1.one.test[127.0.0.2]:${first.port}`,
    });
    second.answerRecipient(undefined);
  });

  it("bounces at once for a domain that accepts no mail, or does not exist", async () => {
    expect(await outcomeOf("ada@null.test")).toMatchObject({
      kind: "bounced",
      enhancedStatusCode: "5.1.10",
      category: "dns",
    });
    expect(await outcomeOf("ada@missing.test")).toMatchObject({
      kind: "bounced",
      enhancedStatusCode: "5.1.2",
    });
  });

  it("bounces at once if the servers of the domain do not exist", async () => {
    expect(await outcomeOf("ada@nowhere.test")).toMatchObject({
      kind: "bounced",
      enhancedStatusCode: "5.4.4",
      category: "dns",
    });
  });

  it("waits when the DNS does not answer", async () => {
    expect(await outcomeOf("ada@broken.test")).toMatchObject({
      kind: "deferred",
      enhancedStatusCode: "4.4.3",
    });
  });

  it("bounces after a permanent refusal, with its cause", async () => {
    first.answerRecipient(() => smtpReply(550, "5.1.1 user unknown"));
    expect(await outcomeOf("nobody@one.test")).toMatchObject({
      kind: "bounced",
      category: "invalid_mailbox",
    });
    first.answerRecipient(() => smtpReply(550, "5.7.1 too many messages, slow down"));
    expect(await outcomeOf("ada@one.test")).toMatchObject({ kind: "deferred", category: "rate_limit" });
    first.answerRecipient(undefined);
  });

  it("retries at the time that the server requests, if that is later than the schedule", async () => {
    first.answerRecipient(() => smtpReply(451, "4.7.1 greylisted, try again in 600 seconds"));
    const { at, nextAttemptAt } = await outcomeOf("ada@one.test");
    first.answerRecipient(undefined);
    expect(Number(nextAttemptAt?.seconds) - Number(at?.seconds)).toBeGreaterThanOrEqual(599);
  });
});

describe("the demand for TLS", () => {
  it("required: any certificate is accepted, plain text is not", async () => {
    const before = second.received.length;
    expect(await outcomeOf("ada@one.test", "required")).toMatchObject({ kind: "delivered" });
    second.answerData(() => smtpReply(554, "5.0.0 must not get here"));
    const { via } = await outcomeOf("ada@two.test", "required");
    second.answerData(undefined);
    expect(via).toContain("mx1.one.test");
    expect(second.received.length).toBe(before);
  });

  it("verified: a self-signed certificate is refused", async () => {
    const before = first.received.length;
    expect(await outcomeOf("ada@one.test", "verified")).toMatchObject({ kind: "deferred", category: "tls" });
    expect(first.received.length).toBe(before);
  });
});

it("never connects to a private address of a domain, unless configured", async () => {
  const careful = await startHermod({ settings: settings() });
  try {
    await putPolicies(careful);
    const before = first.connections();
    expect(await outcomeOf("ada@one.test", "opportunistic", careful)).toMatchObject({
      kind: "bounced",
      enhancedStatusCode: "5.4.4",
    });
    expect(first.connections()).toBe(before);
  } finally {
    await careful.dispose();
  }
});
