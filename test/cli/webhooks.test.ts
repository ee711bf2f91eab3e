import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  CreateWebhookResponseSchema,
  GetWebhookResponseSchema,
  ListWebhooksResponseSchema,
  ReplaceWebhookResponseSchema,
  WebhookSchema,
  WebhookSecretSchema,
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

it("hermod webhook add shows the secret once", async () => {
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

it("hermod webhook list shows URLs and states", async () => {
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

it("hermod webhook show prints all public settings of an endpoint", async () => {
  const keys = [{ algorithm: "ed25519", publicKey: "whpk_abc", createdAt: at, expiresAt: at }];
  const endpoint = create(WebhookSchema, {
    ...webhook,
    secrets: keys.map((key) => create(WebhookSecretSchema, key)),
  });
  const core = {
    webhooks: { getWebhook: async () => create(GetWebhookResponseSchema, { webhook: endpoint }) },
  };
  const { out } = await runHermod(["webhook", "show", "wep_1"], { core });
  expect(out.split("\n").map((line) => line.split(/ {2,}/))).toMatchObject([
    ["Endpoint", "wep_1"],
    ["URL", expect.not.stringContaining("\u001b")],
    ["Events", "message.bounced"],
    ["Tags", "all"],
    ["Policies", "all"],
    ["Order", "unordered"],
    ["Headers", "X-Key"],
    ["State", "disabled (gone): it answered 410"],
    ["Signed with", expect.stringContaining("ed25519 whpk_abc until ")],
    ["Payloads", "2026-11-01"],
    [""],
  ]);
  const json = JSON.parse((await runHermod(["webhook", "show", "wep_1", "--json"], { core })).out);
  expect(json).toMatchObject({ ordered: false, secrets: [{ algorithm: "ed25519", public_key: "whpk_abc" }] });
});

it("hermod webhook change keeps settings without an option, and the secrets", async () => {
  const asked: unknown[] = [];
  const settings = {
    ...webhook.settings,
    tags: ["shop"],
    description: "ours",
    url: "https://shop.example.com/",
  };
  const endpoint = create(WebhookSchema, { ...webhook, settings: settings as never });
  const core = {
    webhooks: {
      getWebhook: async () => create(GetWebhookResponseSchema, { webhook: endpoint }),
      replaceWebhook: async (request: unknown) => {
        asked.push(request);
        return create(ReplaceWebhookResponseSchema, { webhook: endpoint });
      },
    },
  };
  const change = (...options: string[]) => runHermod(["webhook", "change", "wep_1", ...options], { core });
  await change("--type", "message.opened", "--ordered", "--header", "X-Other: 1");
  await change("--clear", "tag", "header", "--no-ordered", "--header", "x-key: new");
  const kept = { url: "https://shop.example.com/", description: "ours", policies: [] };
  expect(asked).toMatchObject([
    {
      id: "wep_1",
      revision: 2,
      settings: {
        ...kept,
        types: ["message.opened"],
        tags: ["shop"],
        ordered: true,
        headers: [
          { name: "X-Key", value: "" },
          { name: "X-Other", value: "1" },
        ],
      },
    },
    {
      settings: {
        ...kept,
        types: ["message.bounced"],
        tags: [],
        ordered: false,
        headers: [{ name: "x-key", value: "new" }],
      },
    },
  ]);
  const { err, code } = await change("--clear", "secret");
  expect([code, err]).toEqual([2, expect.stringContaining("Allowed choices")]);
});
