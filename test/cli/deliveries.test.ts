import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  DeliverySchema,
  GetDeliveryResponseSchema,
  ListDeliveriesResponseSchema,
} from "../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const at = timestampFromDate(new Date("2030-01-02T09:00:00Z"));
const delivery = create(DeliverySchema, {
  ...{ id: "wep_1.msg_1.1.bounced", accountId: "acc_1", endpointId: "wep_1", eventId: "msg_1.1.bounced" },
  ...{
    type: "message.bounced",
    messageId: "msg_1",
    at,
    state: "pending",
    attempts: 1,
    dueAt: at,
    body: '{"a":1}',
  },
  tries: [
    { at, durationMs: 84, url: "https://shop.example.com/", status: 500, detail: "it answered 500\u001b[2J" },
  ],
});

it("hermod delivery list and show say what was sent, and what was answered", async () => {
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
  const listed = await runHermod(["delivery", "list", "wep_1", "--state", "pending", "--account", "acc_1"], {
    core,
  });
  expect(asked).toMatchObject([{ accountId: "acc_1", endpointId: "wep_1", state: "pending", pageSize: 50 }]);
  expect(listed.out).toContain("message.bounced");
  expect(listed.err).toContain("--cursor next");
  const shown = await runHermod(["delivery", "show", "wep_1.msg_1.1.bounced"], { core });
  expect(shown.out).toContain("it answered 500");
  expect(shown.out).toContain('{"a":1}');
  expect(shown.out).not.toContain("\u001b");
  const json = JSON.parse(
    (await runHermod(["delivery", "show", "wep_1.msg_1.1.bounced", "--json"], { core })).out,
  );
  expect(json).toMatchObject({ state: "pending", tries: [{ status: 500, duration_ms: 84, answer: null }] });
});
