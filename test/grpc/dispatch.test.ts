import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { status } from "@grpc/grpc-js";
import { afterEach, expect, it } from "vitest";
import { DispatchService } from "../../gen/hermod/dispatch/v1/dispatch_service_pb.ts";
import { createDispatchClient } from "../../src/core/dispatch/dispatch-client.ts";
import { createDispatcher, type Dispatcher } from "../../src/core/dispatch/dispatcher.ts";
import { createSubscribe } from "../../src/core/dispatch/dispatches.ts";
import type { CallerTls } from "../../src/rpc/channels.ts";
import { type CoreTls, createCoreServer } from "../../src/rpc/server.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { makeCertificates } from "../harness/make-certificates.ts";
import { served } from "../harness/served.ts";
import { createSignal } from "../harness/signal.ts";

const TOKEN = "token-of-the-core";
const log = createLogger("silent");
const closing: (() => Promise<void> | void)[] = [];
/** Everything that a core or a client has received. */
const changes = createSignal();
const everything = Array.from({ length: 64 }, (_, id) => id);

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Core {
  readonly port: number;
  readonly dispatcher: Dispatcher;
  claimed(): number;
  close(): Promise<void>;
}

interface CoreOptions {
  readonly host?: string;
  readonly port?: number;
  readonly tls?: CoreTls;
}

async function startCore({ host = "127.0.0.1", port = 0, tls }: CoreOptions = {}): Promise<Core> {
  let claimed = 0;
  const dispatcher = createDispatcher({
    onClaimed: (count) => {
      claimed = count;
      changes.tell();
    },
  });
  const server = createCoreServer({ host, port, tls, tokens: { operator: TOKEN }, clock: systemClock, log });
  server.add(served(DispatchService, { subscribe: createSubscribe({ dispatcher, log }) }));
  const bound = await server.listen();
  let closed: Promise<void> | undefined;
  const close = () => {
    dispatcher.close();
    // Longer than any test: streams that do not end by themselves are noticed.
    closed ??= server.close(120_000);
    return closed;
  };
  closing.push(close);
  return { port: bound, dispatcher, claimed: () => claimed, close };
}

interface Client {
  held: readonly number[];
  readonly received: string[];
  readonly batches: number[];
  streams: number;
  claimChanges(): void;
}

interface ClientOptions {
  readonly held?: readonly number[];
  readonly token?: string;
  readonly tls?: CallerTls;
  readonly lookup?: (name: string) => Promise<readonly string[]>;
}

function startClient(
  addresses: readonly { host: string; port: number }[],
  options: ClientOptions = {},
): Client {
  const {
    held = everything,
    token = TOKEN,
    tls,
    lookup = () => Promise.reject(new Error("no such name")),
  } = options;
  const client: Client = { held, received: [], batches: [], streams: 0, claimChanges: () => claimChanges() };
  const { start, stop, claimChanges } = createDispatchClient({
    addresses,
    lookup,
    token,
    tls,
    workerId: "wrk_test",
    held: () => client.held,
    onMessages: (ids) => {
      client.received.push(...ids);
      client.batches.push(ids.length);
      changes.tell();
    },
    onStreams: (count) => {
      client.streams = count;
      changes.tell();
    },
    random: Math.random,
    log,
  });
  start();
  closing.push(stop);
  return client;
}

const at = ({ port }: Core) => ({ host: "127.0.0.1", port });

function announceAll(core: Core, prefix: string): string[] {
  const ids = everything.map((partition) => `${prefix}_${partition}`);
  for (const [partition, _id] of ids.entries()) core.dispatcher.dispatch({ _id, state: "queued", partition });
  return ids;
}

const until = (condition: () => boolean) => changes.until(() => condition());

it("a worker receives every message of its partitions, including messages stored together", async () => {
  const core = await startCore();
  const client = startClient([at(core)]);
  await until(() => core.claimed() === 64 && client.streams === 1);
  const ids = announceAll(core, "msg");
  await until(() => client.received.length === 64);
  expect(client.received).toEqual(ids);
  expect(client.batches).toEqual([64]);
});

it("more ids than one response can contain all arrive, in order", async () => {
  const core = await startCore();
  const client = startClient([at(core)]);
  await until(() => core.claimed() === 64);
  const ids = Array.from({ length: 9_000 }, (_, id) => `msg_${id}`);
  for (const _id of ids) expect(core.dispatcher.dispatch({ _id, state: "queued", partition: 1 })).toBe(true);
  await until(() => client.received.length === ids.length);
  expect(client.received).toEqual(ids);
});

it("a partition with a new owner sends its messages there", async () => {
  const core = await startCore();
  const first = startClient([at(core)]);
  const second = startClient([at(core)], { held: [] });
  await until(() => core.claimed() === 64 && second.streams === 1);
  first.held = everything.slice(0, 32);
  first.claimChanges();
  await until(() => core.claimed() === 32);
  second.held = everything.slice(32);
  second.claimChanges();
  await until(() => core.claimed() === 64);
  const ids = announceAll(core, "msg");
  await until(() => first.received.length + second.received.length === 64);
  expect(first.received).toEqual(ids.slice(0, 32));
  expect(second.received).toEqual(ids.slice(32));
});

it("a restarted core is subscribed again", async () => {
  const core = await startCore();
  const client = startClient([at(core)]);
  await until(() => client.streams === 1);
  await core.close();
  await until(() => client.streams === 0);
  const again = await startCore({ port: core.port });
  await until(() => again.claimed() === 64 && client.streams === 1);
  const ids = announceAll(again, "msg");
  await until(() => client.received.length === 64);
  expect(client.received).toEqual(ids);
});

it("every core of a list dispatches", async () => {
  const cores = [await startCore(), await startCore()];
  const client = startClient(cores.map(at));
  await until(() => client.streams === 2 && cores.every((core) => core.claimed() === 64));
  const ids = cores.flatMap((core, number) => announceAll(core, `core${number}`));
  await until(() => client.received.length === 128);
  expect(client.received.toSorted()).toEqual(ids.toSorted());
});

it("every address of a name is subscribed", async () => {
  const first = await startCore();
  const second = await startCore({ host: "127.0.0.2", port: first.port });
  const client = startClient([{ host: "core.example", port: first.port }], {
    lookup: async (name) => (name === "core.example" ? ["127.0.0.1", "127.0.0.2"] : []),
  });
  await until(() => client.streams === 2 && first.claimed() === 64 && second.claimed() === 64);
});

it("a name that cannot be resolved yet is resolved again", async () => {
  const core = await startCore();
  let asked = 0;
  const client = startClient([{ host: "core.example", port: core.port }], {
    lookup: async () => {
      if (++asked === 1) throw new Error("no such name");
      return ["127.0.0.1"];
    },
  });
  await until(() => client.streams === 1);
});

it("a stopped worker is forgotten, and its core can stop immediately", async () => {
  const core = await startCore();
  startClient([at(core)]);
  await until(() => core.claimed() === 64);
  await closing.pop()?.();
  await until(() => core.claimed() === 0);
  expect(core.dispatcher.dispatch({ _id: "msg_1", state: "queued", partition: 1 })).toBe(false);
  await core.close();
});

it("a subscriber with a wrong token receives nothing", async () => {
  const core = await startCore();
  const refusals = createSignal<number>();
  const stranger = createDispatchClient({
    addresses: [at(core)],
    lookup: async () => [],
    token: "wrong",
    tls: undefined,
    workerId: "wrk_stranger",
    held: () => everything,
    onMessages: () => expect.unreachable(),
    onStreams: () => expect.unreachable(),
    random: Math.random,
    log: Object.assign(createLogger("silent"), {
      warn: ({ code }: { code: number }) => refusals.tell(code),
    }),
  });
  stranger.start();
  closing.push(stranger.stop);
  await refusals.until(1);
  expect(refusals.seen).toEqual([status.UNAUTHENTICATED]);
  expect(core.claimed()).toBe(0);
});

it("over mutual TLS, a core is verified by its name at every address, and unauthenticated clients receive nothing", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hermod-tls-"));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const { ca, server, client, stranger } = await makeCertificates(folder);
  // An address that is not in the certificate; the name is.
  const core = await startCore({ host: "127.0.0.2", tls: { ...server, clientCa: ca } });
  const named = [{ host: "localhost", port: core.port }];
  const lookup = async () => ["127.0.0.2"];
  const refused = [
    startClient(named, { lookup, tls: { ca } }),
    startClient(named, { lookup, tls: { ca, ...stranger } }),
    startClient([{ host: "other.example", port: core.port }], { lookup, tls: { ca, ...client } }),
    startClient([{ host: "127.0.0.2", port: core.port }], { tls: { ca, ...client } }),
  ];
  const known = startClient(named, { lookup, tls: { ca, ...client } });
  await until(() => known.streams === 1 && core.claimed() === 64);
  expect(refused.map(({ streams }) => streams)).toEqual([0, 0, 0, 0]);
});
