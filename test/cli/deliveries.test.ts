import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  BeginReplaysResponseSchema,
  CountReplaysResponseSchema,
  DeliverySchema,
  GetDeliveryResponseSchema,
  ListDeliveriesResponseSchema,
  ReplayDeliveryResponseSchema,
  RetryDeliveriesResponseSchema,
  RetryDeliveryResponseSchema,
} from "../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { GetJobResponseSchema, JobSchema } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { runHermod, stdin } from "./run-hermod.ts";

const at = timestampFromDate(new Date("2030-01-02T09:00:00Z"));
const delivery = create(DeliverySchema, {
  id: "wep_1.msg_1.1.bounced",
  accountId: "acc_1",
  endpointId: "wep_1",
  eventId: "msg_1.1.bounced",
  type: "message.bounced",
  messageId: "msg_1",
  at,
  state: "pending",
  attempts: 1,
  dueAt: at,
  body: '{"a":1}',
  tries: [
    {
      at,
      durationMs: 84,
      url: "https://shop.example.com/",
      address: "192.0.2.25",
      status: 500,
      detail: "it answered 500\u001b[2J",
    },
  ],
});

it("hermod delivery list and show print requests and responses", async () => {
  const asked: unknown[] = [];
  const core = {
    deliveries: {
      listDeliveries: async (request: unknown) => {
        asked.push(request);
        return create(ListDeliveriesResponseSchema, { deliveries: [delivery], nextPageToken: "next" });
      },
      getDelivery: async () => create(GetDeliveryResponseSchema, { delivery }),
    },
  };
  const listed = await runHermod(
    ["delivery", "list", "wep_1", "--state", "pending", "--limit", "1", "--account", "acc_1"],
    {
      core,
    },
  );
  expect(asked).toMatchObject([{ accountId: "acc_1", endpointId: "wep_1", state: "pending", pageSize: 1 }]);
  expect(listed.out).toContain("message.bounced");
  expect(listed.err).toContain("--cursor next");
  const shown = await runHermod(["delivery", "show", "wep_1.msg_1.1.bounced"], { core });
  expect(shown.out).toContain("192.0.2.25  it answered 500");
  expect(shown.out).toContain('{"a":1}');
  expect(shown.out).not.toContain("\u001b");
  const json = JSON.parse(
    (await runHermod(["delivery", "show", "wep_1.msg_1.1.bounced", "--json"], { core })).out,
  );
  expect(json).toMatchObject({
    state: "pending",
    tries: [{ status: 500, duration_ms: 84, address: "192.0.2.25", answer: null }],
  });
});

it("hermod delivery retry sends one delivery, or all waiting ones of an endpoint, now", async () => {
  const asked: unknown[] = [];
  const core = {
    deliveries: {
      retryDelivery: async (request: unknown) => {
        asked.push(request);
        return create(RetryDeliveryResponseSchema, { delivery });
      },
      retryDeliveries: async (request: unknown) => {
        asked.push(request);
        return create(RetryDeliveriesResponseSchema, { count: 20_000, hasMore: true });
      },
    },
  };
  const one = await runHermod(["delivery", "retry", "wep_1.msg_1.1.bounced"], { core });
  expect(one.out).toContain("Retrying wep_1.msg_1.1.bounced now.");
  const all = await runHermod(["delivery", "retry", "--endpoint", "wep_1"], { core });
  expect(all.out).toContain("Retrying 20000 waiting deliveries now.");
  expect(all.err).toContain("run the command again");
  expect(asked).toMatchObject([{ id: "wep_1.msg_1.1.bounced" }, { endpointId: "wep_1" }]);
  for (const args of [[], ["wep_1.x", "--endpoint", "wep_1"]]) {
    const refused = await runHermod(["delivery", "retry", ...args], { core });
    expect(refused.err).toContain("Nothing was sent.");
  }
  expect(asked).toHaveLength(2);
});

describe("hermod delivery replay", () => {
  const job = create(JobSchema, { id: "job_1", kind: "webhook.replay", state: "queued" });
  const finishedAt = timestampFromDate(new Date());
  const core = (begun: unknown[]) => ({
    deliveries: {
      replayDelivery: async () => create(ReplayDeliveryResponseSchema, { delivery }),
      countReplays: async () => create(CountReplaysResponseSchema, { count: 3 }),
      beginReplays: async (request: unknown) => {
        begun.push(request);
        return create(BeginReplaysResponseSchema, { job });
      },
    },
    jobs: {
      getJob: async () =>
        create(GetJobResponseSchema, { job: { ...job, state: "succeeded", total: 3, done: 3, finishedAt } }),
    },
  });
  const many = ["delivery", "replay", "--endpoint", "wep_1", "--from", "2030-01-01T00:00:00Z"];

  it("resends one delivery", async () => {
    const { out } = await runHermod(["delivery", "replay", "wep_1.msg_1.1.bounced"], { core: core([]) });
    expect(out).toContain("Resending wep_1.msg_1.1.bounced.");
  });

  it("resends many after showing their number and asking", async () => {
    const begun: unknown[] = [];
    const { out, err } = await runHermod(many, { core: core(begun), input: stdin("y\n") });
    expect(err).toContain("3 deliveries selected.");
    expect(begun).toMatchObject([
      { replays: { endpointId: "wep_1", delivered: false, from: { seconds: 1_893_456_000n } } },
    ]);
    expect(out).toContain("3 of 3 done");
    const refused = await runHermod(many, { core: core(begun), input: stdin("n\n") });
    expect([refused.code, begun.length]).toEqual([1, 1]);
  });

  it("requires a delivery or an endpoint", async () => {
    const begun: unknown[] = [];
    for (const args of [
      ["delivery", "replay"],
      [...many, "wep_1.msg_1.1.bounced"],
    ]) {
      const { code, err } = await runHermod(args, { core: core(begun) });
      expect([code, err]).toEqual([
        1,
        expect.stringContaining("Name a delivery, or use --endpoint for many"),
      ]);
    }
    expect(begun).toEqual([]);
  });
});
