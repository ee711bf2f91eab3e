import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import fastify from "fastify";
import { expect, it } from "vitest";
import { WatchEventsResponseSchema } from "../../../gen/hermod/live/v1/live_service_pb.ts";
import { systemClock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { createEventStreams } from "./event-streams.ts";
import { followCores } from "./follow-cores.ts";

const report = (position: number, kind?: string) =>
  create(WatchEventsResponseSchema, {
    position: `${position}.0`,
    counts: kind === undefined ? [] : [{ kind, count: 1 }],
  });

const times = { beatMs: 15_000, stallMs: 50, lifeMs: 60_000 };

it("requests no more than its reader accepts, and closes a connection that accepts nothing", async () => {
  const streams = createEventStreams({ clock: systemClock, times });
  let asked = 0;
  let isOver = false;
  async function* watch() {
    try {
      for (;;) yield report(++asked, "x".repeat(1_000));
    } finally {
      isOver = true;
    }
  }
  const stream = await streams.open(watch, "");
  stream.on("readable", () => undefined);
  await once(stream, "close");
  expect(asked).toBeLessThan(40);
  await expect.poll(() => isOver).toBe(true);
});

it("closes the connection of a client that has stopped reading, and no other", async () => {
  const streams = createEventStreams({ clock: systemClock, times: { ...times, stallMs: 4_000 } });
  const asked = { stalled: 0, reading: 0 };
  const app = fastify();
  app.get<{ Params: { who: keyof typeof asked } }>("/:who", async ({ params: { who } }, reply) => {
    async function* watch() {
      for (;;) {
        yield report(++asked[who], "x".repeat(16_000));
        await wait(1);
      }
    }
    return reply.type("text/event-stream").send(await streams.open(watch, ""));
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = async (who: string) =>
    (await once(http.get({ host: "127.0.0.1", port, path: `/${who}` }), "response"))[0] as IncomingMessage;
  const reading = (await open("reading")).resume();
  const stalled = (await open("stalled")).on("error", () => undefined);
  await expect.poll(() => openConnections(app.server), { timeout: 30_000 }).toBe(1);
  // At most as much as the kernel holds for a connection.
  expect(asked.stalled * 16_000).toBeLessThan(16 * 1024 * 1024);
  const before = asked.stalled;
  const reported = asked.reading;
  await expect.poll(() => asked.reading).toBeGreaterThan(reported + 100);
  expect(asked.stalled).toBe(before);
  expect([reading.destroyed, stalled.complete]).toEqual([false, false]);
  reading.destroy();
  await app.close();
});

const openConnections = (server: http.Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

it("continues with another core after the last event of the first one", async () => {
  const asked: string[] = [];
  async function* watch(after: string) {
    asked.push(after);
    if (asked.length === 1) {
      yield report(1);
      yield report(2, "delivered");
      throw fault("core.connection_lost");
    }
    if (asked.length === 2) throw fault("core.unavailable");
    yield report(3, "bounced");
  }
  const { signal } = new AbortController();
  const reported = [];
  for await (const one of followCores({ watch, after: "0.0", signal, pauseMs: 1 }))
    reported.push(one?.position);
  expect(reported).toEqual(["1.0", "2.0", undefined, undefined, "3.0"]);
  expect(asked).toEqual(["0.0", "2.0", "2.0"]);
});

it("does not begin if no core answers", async () => {
  // biome-ignore lint/correctness/useYield: it refuses at once
  async function* watch() {
    throw fault("core.unavailable");
  }
  const streams = createEventStreams({ clock: systemClock, times });
  await expect(streams.open(watch, "")).rejects.toMatchObject({ code: "core.unavailable" });
});
