import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inParallel } from "../../src/shared/in-parallel.ts";
import { email, post } from "../harness/http.ts";
import { type MailNetwork, startMailNetwork } from "../harness/mail-network.ts";
import type { MxBehaviour, MxPhase } from "../harness/mx-behaviour.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue } from "../harness/store-client.ts";
import { tally } from "../harness/stored.ts";

const refusedAt: readonly MxPhase[] = ["mail", "rcpt", "data", "message"];
const notWelcomeAt: readonly MxPhase[] = ["connect", "ehlo"];
const dropsAt = ["connect", "ehlo", "mail", "rcpt", "data", "before_dot"] as const;
/** Replies that no server should send, by the command. */
const hostileReplies: Readonly<Record<string, NonNullable<MxBehaviour["replies"]>>> = {
  "a greeting of another protocol": { connect: "HTTP/1.1 400 Bad Request" },
  "an endless line": { connect: `220 ${"x".repeat(1_000_000)}` },
  "endless lines": { ehlo: `${"250-SIZE\r\n".repeat(50_000)}250 SIZE` },
  "an empty line": { mail: "" },
  "no code": { rcpt: "certainly" },
  "a code beyond all": { rcpt: "999 9.9.9 what now" },
  "a code that never ends anything": { message: "354 go on" },
  "lines of different codes": { rcpt: "250-2.1.5 yes\r\n550 5.1.1 no" },
  "terminal and markup codes": { message: "550 5.0.0 \u001b[31m<script>alert(1)</script>\u0007\u202e\u0000" },
  "octets that are no UTF-8": { message: "554 5.0.0 \ud800\udfff" },
};

let network: MailNetwork;
let hermod: Hermod;

beforeAll(async () => {
  const reply = (phase: MxPhase, text: string): MxBehaviour => ({ replies: { [phase]: text } });
  const all = [...notWelcomeAt, ...refusedAt];
  network = await startMailNetwork({
    "fast.test": { keepsSource: true },
    "slow.test": { replyDelayMs: 100 },
    "greylisting.test": { greylistMs: 1 },
    "rotating.test": { messagesPerConnection: 4 },
    "narrow.test": { maxConnections: 2, replyDelayMs: 5 },
    "tarpit.test": { octetDelayMs: 4 },
    "broken-tls.test": { tls: "broken" },
    "without-tls.test": { tls: "none" },
    "selective.test": {
      replies: { rcpt: (to) => (to.startsWith("no") ? "550 5.1.1 no such user" : undefined) },
    },
    "absent-first.test": [{ absent: true }, {}],
    "busy-first.test": [reply("connect", "421 4.3.2 too busy"), {}],
    "dropping-first.test": [{ dropsAt: "ehlo" }, {}],
    "unwelcoming-first.test": [reply("connect", "554 5.7.1 not you"), {}],
    "refusing-first.test": [reply("rcpt", "550 5.1.1 no such user"), {}],
    "all-absent.test": [{ absent: true }, { absent: true }],
    "drops-at-after-dot.test": { dropsAt: "after_dot", drops: 1 },
    ...Object.fromEntries(all.map((phase) => [`4xx-${phase}.test`, reply(phase, "451 4.3.0 not now")])),
    ...Object.fromEntries(all.map((phase) => [`5xx-${phase}.test`, reply(phase, "554 5.7.1 not you")])),
    ...Object.fromEntries(dropsAt.map((at) => [`drops-at-${domainPart(at)}.test`, { dropsAt: at }])),
    ...Object.fromEntries(
      Object.entries(hostileReplies).map(([name, replies]) => [`${domainPart(name)}.test`, { replies }]),
    ),
  });
  hermod = await startHermod({ settings: { ...network.settings, HERMOD_SMTP_TIMEOUT_MS: "10000" } });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
});
afterAll(async () => {
  await hermod.dispose();
  await network.close();
});

function domainPart(name: string): string {
  return name.replaceAll(/[ _]/g, "-").toLowerCase();
}

async function send(to: string): Promise<string> {
  const { status, accepted } = await post(hermod, email({ to }));
  expect(status).toBe(202);
  return accepted.message_id;
}

/** Last event after this number of attempts. An event is stored before its state: the function waits for both. */
function outcome(id: string, attempt = 1) {
  return eventually(async () => {
    const { message, timeline } = await hermod.core.messages.getMessage({ id });
    const last = timeline.at(-1);
    return message && last && message.attempts >= attempt ? { ...last, state: message.state } : undefined;
  });
}

/** Waits for the delivery, with each attempt as early as possible; resolves to the number of attempts. */
async function delivered(id: string): Promise<number> {
  let attempts = 0;
  return eventually(async () => {
    const { message } = await hermod.core.messages.getMessage({ id });
    if (message?.state === "deferred" && message.attempts > attempts) {
      attempts = message.attempts;
      await makeDue(hermod, id);
    }
    return message?.state === "delivered" ? message.attempts : undefined;
  });
}

const receipts = (id: string) => network.receipts.get(id) ?? [];

// Each test has servers of its own, and waits for their attempts.
describe.concurrent("mail to", () => {
  describe("a server that accepts mail", () => {
    it("receives it once, over TLS, with the id from the API", async () => {
      const id = await send("ada@fast.test");
      expect(await outcome(id)).toMatchObject({ kind: "delivered", replyCode: 250, attempt: 1 });
      expect(receipts(id)).toMatchObject([
        { from: "hello@example.com", to: ["ada@fast.test"], secure: true },
      ]);
      expect(receipts(id)[0]?.source?.toString()).toContain(`Message-ID: <${id}@example.com>`);
    });

    it.each(["slow", "tarpit", "without-tls"])("and is %s still receives it", async (name) => {
      const id = await send(`ada@${name}.test`);
      expect(await outcome(id)).toMatchObject({ kind: "delivered", attempt: 1 });
      expect(receipts(id)).toMatchObject([{ secure: name !== "without-tls" }]);
    });

    // If garbage instead of a handshake counted as a lost connection, the fallback of `opportunistic` would not happen,
    // and the message would be deferred until it expires.
    it("and answers STARTTLS with garbage receives it in plain text, in the same attempt", async () => {
      const id = await send("ada@broken-tls.test");
      expect(await outcome(id)).toMatchObject({ kind: "delivered", attempt: 1 });
      expect(receipts(id)).toMatchObject([{ secure: false }]);
    });

    it.each([
      ["few messages per connection", "rotating"],
      ["few connections", "narrow"],
    ])("and requires %s receives each of many once", async (_wish, name) => {
      const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => send(`ada.${n}@${name}.test`)));
      await inParallel(ids, 8, async (id) => void (await delivered(id)));
      expect(ids.map((id) => receipts(id).length)).toEqual(ids.map(() => 1));
      if (name !== "rotating") return;
      const { receipts: taken } = network.host("rotating.test");
      const perConnection = tally(taken.map(({ connection }) => String(connection)));
      expect(Math.max(...perConnection.values())).toBeLessThanOrEqual(4);
    });
  });

  describe("a server that refuses", () => {
    it("temporarily, as greylisting does, receives the message when it is due", async () => {
      const id = await send("ada@greylisting.test");
      expect(await outcome(id)).toMatchObject({
        kind: "deferred",
        replyCode: 451,
        enhancedStatusCode: "4.7.1",
      });
      await makeDue(hermod, id);
      expect(await outcome(id, 2)).toMatchObject({ kind: "delivered", attempt: 2 });
      expect(receipts(id).length).toBe(1);
    });

    it.each([...notWelcomeAt, ...refusedAt])(
      "temporarily at %s receives the message later",
      async (phase) => {
        const id = await send(`ada@4xx-${phase}.test`);
        expect(await outcome(id)).toMatchObject({
          kind: "deferred",
          replyCode: 451,
          enhancedStatusCode: "4.3.0",
        });
        network.host(`4xx-${phase}.test`).behave({});
        expect(await delivered(id)).toBeGreaterThanOrEqual(2);
        expect(receipts(id).length).toBe(1);
      },
    );

    it.each(refusedAt)("permanently at %s makes the message bounce once", async (phase) => {
      const id = await send(`ada@5xx-${phase}.test`);
      expect(await outcome(id)).toMatchObject({ kind: "bounced", replyCode: 554, category: "policy" });
      await makeDue(hermod, id);
      // Not MAIL: while the store is slow, an attempt may end before the final dot, and begin again.
      expect(network.host(`5xx-${phase}.test`).asked(phase)).toBe(1);
    });

    it.each(notWelcomeAt)("the host at %s does not make the message bounce at once", async (phase) => {
      const id = await send(`ada@5xx-${phase}.test`);
      expect(await outcome(id)).toMatchObject({ kind: "deferred", replyCode: 554 });
    });

    it("one recipient affects only that one", async () => {
      const [bad, good] = [await send("nobody@selective.test"), await send("ada@selective.test")];
      expect(await outcome(bad)).toMatchObject({ kind: "bounced", category: "invalid_mailbox" });
      expect(await outcome(good)).toMatchObject({ kind: "delivered" });
    });
  });

  describe("a lost connection", () => {
    it.each(dropsAt)("at %s is no delivery: the message is retried", async (at) => {
      const domain = `drops-at-${domainPart(at)}.test`;
      const id = await send(`ada@${domain}`);
      expect(await outcome(id)).toMatchObject({ kind: "deferred" });
      expect(receipts(id)).toEqual([]);
      network.host(domain).behave({});
      // Hermod remembers an unreachable server for a few seconds, and makes no attempt in that time.
      expect(await delivered(id)).toBeGreaterThanOrEqual(2);
      expect(receipts(id).length).toBe(1);
    });

    it("after the final dot is ambiguous, so the message is sent again under the same Message-ID", async () => {
      const id = await send("ada@drops-at-after-dot.test");
      expect(await outcome(id)).toMatchObject({ kind: "deferred" });
      expect(await delivered(id)).toBe(2);
      expect(receipts(id).length).toBe(2);
    });
  });

  describe("a domain with several servers", () => {
    it.each(["absent", "busy", "dropping", "unwelcoming"])("with %s as the first one", async (name) => {
      const id = await send(`ada@${name}-first.test`);
      expect(await outcome(id)).toMatchObject({ kind: "delivered", attempt: 1 });
      expect(network.host(`${name}-first.test`, 1).receipts.length).toBe(1);
    });

    it("with a refused recipient at the first one: the others are not contacted", async () => {
      const id = await send("ada@refusing-first.test");
      expect(await outcome(id)).toMatchObject({ kind: "bounced", category: "invalid_mailbox" });
      expect(network.host("refusing-first.test", 1).connections.total).toBe(0);
    });

    it("without any reachable one", async () => {
      const id = await send("ada@all-absent.test");
      expect(await outcome(id)).toMatchObject({ kind: "deferred", category: "network" });
    });
  });

  describe("a hostile server", () => {
    it.each(Object.keys(hostileReplies))("that says %s does no harm", async (name) => {
      const id = await send(`ada@${domainPart(name)}.test`);
      const { state, detail } = await outcome(id);
      expect(["deferred", "bounced", "delivered"]).toContain(state);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
      expect(detail).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
      expect(detail.length).toBeLessThanOrEqual(1000);
      // No reply turns a message that it has not accepted into a delivered one.
      expect(receipts(id).length).toBe(state === "delivered" ? 1 : 0);
    });
  });
});

it("hostile servers have not delayed mail to others", async () => {
  expect(await outcome(await send("ada@fast.test"))).toMatchObject({ kind: "delivered" });
});
