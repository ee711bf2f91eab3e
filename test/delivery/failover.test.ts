import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createDeliver } from "../../src/delivery/deliver.ts";
import { createSmtpTransport } from "../../src/delivery/transports/smtp.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import { smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import type { SmtpTransportSettings, TransportSettings } from "../../src/store/policy-document.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { repetitions } from "../harness/repetitions.ts";
import {
  hangUp,
  reset,
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from "../harness/scripted-server.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** How a server treats a message, and what follows from it for the walk over servers and transports. */
interface Behaviour {
  readonly name: string;
  readonly script: Script;
  /** `next`: another server is tried; `stop`: none is, whatever the result. */
  readonly walk: "next" | "stop";
  readonly result: "delivered" | "deferred" | "bounced";
  /** The server may have the message. */
  readonly mayHaveIt?: true;
}

const refusedForNow = [
  "452 4.3.1 Insufficient system storage",
  "451 4.3.0 queue file write error",
  "451 4.7.1 Service unavailable - try again later",
  "451 4.7.0 Temporary server error. Please try again later. PRX4",
  "451 try again",
  "421 4.3.2 closing",
];
const sharedByServers = [
  "450 4.7.1 Greylisted, try again in 300 seconds",
  "451 4.7.28 rate limit exceeded",
  "452 4.2.2 The mailbox is full",
];

const behaviours: readonly Behaviour[] = [
  { name: "accepts", script: {}, walk: "stop", result: "delivered", mayHaveIt: true },
  ...(["MAIL", "RCPT", "DATA", "end"] as const).flatMap((step) => [
    ...refusedForNow.map(
      (reply): Behaviour => ({
        name: `${step}: ${reply}`,
        script: { [step]: reply },
        walk: "next",
        result: "deferred",
      }),
    ),
    ...sharedByServers.map(
      (reply): Behaviour => ({
        name: `${step}: ${reply}`,
        script: { [step]: reply },
        walk: "stop",
        result: "deferred",
      }),
    ),
    { name: `${step}: 554`, script: { [step]: "554 5.6.0 never" }, walk: "stop", result: "bounced" } as const,
  ]),
  // After the dot a refusal of the content for now is the affair of the server that gave it.
  {
    name: "end: 4.7.1",
    script: { end: "450 4.7.1 content filter says later" },
    walk: "next",
    result: "deferred",
  },
  { name: "breaks off at DATA", script: { DATA: hangUp }, walk: "next", result: "deferred" },
  ...[hangUp, reset, "999 what?", "354 go on", "nonsense"].map(
    (end): Behaviour => ({
      name: `end: ${typeof end === "string" ? end : end === reset ? "reset" : "hang up"}`,
      script: { end },
      walk: "stop",
      result: "deferred",
      mayHaveIt: true,
    }),
  ),
];

/** Transports of these servers, and what makes an attempt over them. */
async function open(world: readonly (readonly Behaviour[])[]) {
  const servers: ScriptedServer[][] = [];
  for (const transport of world) {
    const started = await Promise.all(transport.map(({ script }) => startScriptedServer(script)));
    servers.push(started);
    closing.push(...started.map(({ close }) => close));
  }
  const transports = servers.map(
    (some): SmtpTransportSettings => ({
      kind: "smtp",
      servers: some.map(({ host, port }) => ({ host, port })),
      tls: "none",
      maxConnections: 1,
    }),
  );
  const transportFor = (settings: TransportSettings) => {
    if (settings.kind !== "smtp") throw new Error("only relays are expected here");
    const transport = createSmtpTransport({
      settings,
      heloName: "out.example.com",
      timeouts: smtpTimeouts(3_000),
      clock,
    });
    closing.push(transport.close);
    return transport;
  };
  const deliver = createDeliver({
    checkSuppression: async () => undefined,
    suppressionMs: undefined,
    returnPathOf: (message) => message.from,
    loadBody: async () => undefined,
    findPolicy: async () => ({
      _id: "acc_test.default",
      accountId: "acc_test",
      name: "default",
      default: true,
      transports,
      updatedAt: clock.now(),
    }),
    findSigners: async () => [],
    unsubscribeUrl: undefined,
    trackHtml: undefined,
    transportFor,
    clock,
    maxAgeMs: 3_600_000,
    maxHops: 10,
    retentionMs: 1_000,
  });
  const source = Buffer.from("From: ada@example.com\r\n\r\nHello.\r\n");
  const attempt = async (changes: Partial<MessageDocument> = {}) => {
    const message = queuedMessage(clock.now(), { operation: "smtp.submit", ...changes });
    return (await deliver(message, { body: { kind: "raw", source } })).transition;
  };
  return { attempt, servers: servers.flat() };
}

/** Which servers of a transport an attempt comes to, while none decides: two may refuse the whole message. */
function reachedOf(transport: readonly Behaviour[]): boolean[] {
  let refused = 0;
  return transport.map(({ walk, script }) => {
    if (refused === 2) return false;
    if (walk === "next" && script.end !== undefined) refused++;
    return true;
  });
}

/** One attempt over transports of these servers. */
async function attempt(world: readonly (readonly Behaviour[])[]) {
  const { attempt, servers } = await open(world);
  return { result: (await attempt()).to, servers };
}

describe("failover within an attempt", () => {
  it.each(refusedForNow)(
    "reaches the next server and the next transport when the dot is answered %s",
    async (end) => {
      const full: Behaviour = { name: end, script: { end }, walk: "next", result: "deferred" };
      const [healthy] = behaviours;
      if (!healthy) throw new Error("there is no healthy server");
      expect((await attempt([[full, healthy]])).result).toBe("delivered");
      expect((await attempt([[full], [full], [healthy]])).result).toBe("delivered");
    },
  );

  it("never gives a message to two servers, and never stays at a broken one before a healthy one", async () => {
    const transport = fc.array(fc.constantFrom(...behaviours), { minLength: 1, maxLength: 3 });
    const worlds = fc.array(transport, { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(worlds, async (world) => {
      const order = world.flat();
      const isReached = world.flatMap(reachedOf);
      const { result, servers } = await attempt(world);
      const last = order.findIndex(({ walk }, index) => isReached[index] && walk === "stop");
      expect(result).toBe(order[last]?.result ?? "deferred");
      // Servers up to the one that decides are asked, each once, and no other: of a transport, those behind two that have refused
      // the whole message wait for the next attempt.
      const asked = servers.map(({ peers }) => peers.length);
      expect(asked).toEqual(
        order.map((_, index) => (isReached[index] && (last < 0 || index <= last) ? 1 : 0)),
      );
      const mayHaveIt = order.filter(
        (behaviour, index) => behaviour.mayHaveIt && (servers[index]?.messages.length ?? 0) > 0,
      );
      expect(mayHaveIt.length).toBeLessThanOrEqual(1);
      for (const close of closing.splice(0).reverse()) await close();
    });
    await fc.assert(property, { numRuns: repetitions(50, 150) });
  });
});

describe("servers that temporarily refuse the whole message", () => {
  const full: Behaviour = {
    name: "full",
    script: { end: "452 4.3.1 full" },
    walk: "next",
    result: "deferred",
  };
  const [healthy] = behaviours as [Behaviour];

  it("are limited to two of a transport per attempt: the next transport follows at once, the third server in the next attempt", async () => {
    const { attempt, servers } = await open([[full, full, full, healthy], [full]]);
    const first = await attempt();
    expect([first.to, first.resumeAt?.[0]]).toEqual(["deferred", 2]);
    expect(servers.map(({ peers }) => peers.length)).toEqual([1, 1, 0, 0, 1]);
    const second = await attempt({ resumeAt: first.resumeAt ?? [], attempts: 1 });
    expect(second.to).toBe("delivered");
    expect(servers.map(({ peers }) => peers.length)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe("more servers than one attempt tries", () => {
  const [healthy] = behaviours as [Behaviour];
  const useless: Behaviour = {
    name: "greets with 554",
    script: { greeting: "554 5.3.2 not here" },
    walk: "next",
    result: "deferred",
  };
  const long = [...Array.from({ length: 9 }, () => useless), healthy];

  it("continue in the next attempt after the last tried one, separately for each transport", async () => {
    const { attempt, servers } = await open([[useless], long]);
    const first = await attempt();
    expect([first.to, first.resumeAt]).toEqual(["deferred", [0, 8]]);
    const second = await attempt({ resumeAt: first.resumeAt ?? [], attempts: 1 });
    expect([second.to, second.resumeAt]).toEqual(["delivered", []]);
    expect(servers.map(({ peers }) => peers.length)).toEqual([2, ...Array(8).fill(1), 1, 1]);
  });

  it("begin again with the first one after the end of the list", async () => {
    const { attempt } = await open([Array.from({ length: 10 }, () => useless)]);
    const places: unknown[] = [];
    let resumeAt: readonly number[] = [];
    for (let attempts = 0; attempts < 4; attempts++) {
      resumeAt = (await attempt({ resumeAt, attempts })).resumeAt ?? [];
      places.push(resumeAt);
    }
    expect(places).toEqual([[8], [6], [4], [2]]);
  });

  it("are tried from the beginning if the stored position is invalid", async () => {
    for (const damaged of ["8", null, [-1], ["x"], [Number.NaN], [1.5], [2 ** 60], { 0: 8 }]) {
      const { attempt, servers } = await open([[healthy, useless]]);
      const { to } = await attempt({ resumeAt: damaged as never });
      expect([to, servers[0]?.messages.length]).toEqual(["delivered", 1]);
    }
  });
});
