import { once } from "node:events";
import { create } from "@bufbuild/protobuf";
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

it("asks for no more than its reader takes, and lets go of one that takes nothing", async () => {
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

it("goes on with another core behind what the first one told", async () => {
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
  const told = [];
  for await (const one of followCores({ watch, after: "0.0", signal, pauseMs: 1 })) told.push(one?.position);
  expect(told).toEqual(["1.0", "2.0", undefined, undefined, "3.0"]);
  expect(asked).toEqual(["0.0", "2.0", "2.0"]);
});

it("does not begin where no core answers", async () => {
  // biome-ignore lint/correctness/useYield: it refuses at once
  async function* watch() {
    throw fault("core.unavailable");
  }
  const streams = createEventStreams({ clock: systemClock, times });
  await expect(streams.open(watch, "")).rejects.toMatchObject({ code: "core.unavailable" });
});
