import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  CreateWebhookResponseSchema,
  ListWebhooksResponseSchema,
  WebhookSchema,
} from "../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const at = timestampFromDate(new Date("2030-01-02T09:00:00Z"));
const webhook = create(WebhookSchema, {
  id: "wep_1",
  accountId: "acc_1",
  settings: {
    url: "https://shop.example.com/\u001b[2J",
    types: ["message.bounced"],
    headers: [{ name: "X-Key" }],
  },
  version: "2026-11-01",
  disabled: { at, reason: "gone", detail: "it answered 410" },
  secrets: [{ createdAt: at }],
  createdAt: at,
  updatedAt: at,
  revision: 2,
});

it("hermod webhook add says the secret, once", async () => {
  const asked: unknown[] = [];
  const createWebhook = async (request: unknown) => {
    asked.push(request);
    return create(CreateWebhookResponseSchema, { webhook, secret: "whsec_abc" });
  };
  const core = { webhooks: { createWebhook } };
  const options = ["--type", "message.bounced", "--header", "X-Key: a: b", "--account", "acc_1"];
  const { out } = await runHermod(["webhook", "add", "https://shop.example.com/", ...options], { core });
  expect(asked).toMatchObject([
    {
      accountId: "acc_1",
      settings: {
        url: "https://shop.example.com/",
        types: ["message.bounced"],
        headers: [{ name: "X-Key", value: "a: b" }],
      },
    },
  ]);
  expect(out).toContain("whsec_abc");
  const { secret, id } = JSON.parse(
    (await runHermod(["webhook", "add", "https://a.example/", "--json"], { core })).out,
  );
  expect([secret, id]).toEqual(["whsec_abc", "wep_1"]);
});

it("hermod webhook list shows where events go, and why not", async () => {
  const core = {
    webhooks: { listWebhooks: async () => create(ListWebhooksResponseSchema, { webhooks: [webhook] }) },
  };
  const { out } = await runHermod(["webhook", "list"], { core });
  expect(out).toContain("message.bounced");
  expect(out).toContain("disabled (gone)");
  expect(out).not.toContain("\u001b");
  const { data } = JSON.parse((await runHermod(["webhook", "list", "--json"], { core })).out);
  expect(data).toMatchObject([{ headers: ["X-Key"], disabled: { reason: "gone" }, revision: 2 }]);
});
