import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Letter } from "../../src/core/system-mail/letter.ts";
import type { SystemMail } from "../../src/core/system-mail/system-mail.ts";
import { createNotifyDisabled } from "../../src/core/webhooks/notify-disabled.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";

let identity: Identity;
let accountId: string;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1);
  accountId = await identity.openAccount();
});

const URL_TEXT = "https://shop.example.com/hooks";
const create = (settings: object) =>
  identity.operator.webhooks.createWebhook({ accountId, settings: { url: URL_TEXT, ...settings } });

async function added(settings: object = {}) {
  const { webhook, secret } = await create(settings);
  return { id: webhook?.id ?? "", revision: webhook?.revision ?? 0, secret, webhook };
}

const stored = async (id: string) => (await identity.store.acrossAccounts.webhooks.findByIds([id]))[0];

describe("a webhook endpoint", () => {
  it("returns its secret once, and its header values never", async () => {
    const { id, secret, webhook } = await added({ headers: [{ name: "X-Key", value: "their token" }] });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = await identity.operator.webhooks.getWebhook({ accountId, id });
    expect(shown.webhook).toEqual(webhook);
    expect(JSON.stringify(shown, (_, value) => (typeof value === "bigint" ? 0 : value))).not.toMatch(
      /whsec|their token/,
    );
    expect(await stored(id)).toMatchObject({
      secrets: [{ secret }],
      headers: [{ name: "X-Key", value: "their token" }],
    });
    const raw = await identity.db.collection("webhookEndpoints").findOne({ _id: id as never });
    expect(JSON.stringify(raw)).not.toMatch(/whsec|their token/);
  });

  it.each([
    ["", "field.required"],
    ["shop.example.com", "field.invalid"],
    ["http://shop.example.com/", "field.invalid"],
    ["ftp://shop.example.com/", "field.invalid"],
    ["https://user:secret@shop.example.com/", "field.invalid"],
    ["https://shop.example.com/#part", "field.invalid"],
    ["https://127.0.0.1/", "field.invalid"],
    ["https://shop.example.com:0/", "field.invalid"],
    ["https://shop.exam\nple.com/", "field.invalid"],
    ["https://2130706433/", "field.invalid"],
    ["https://[::1]/", "field.invalid"],
    ["https://[::ffff:10.0.0.1]/", "field.invalid"],
    ["https://169.254.169.254/latest", "field.invalid"],
    ["https://localhost/", "field.invalid"],
    [`https://shop.example.com/${"x".repeat(2_048)}`, "field.too_long"],
  ])("cannot have the URL %s", async (url, code) => {
    await expect(create({ url })).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [{ pointer: "/url", code }],
    });
  });

  it.each([
    [{ types: ["message.delivered", "message.lost"] }, "/types/1"],
    [{ tags: [""] }, "/tags/0"],
    [{ policies: Array.from({ length: 21 }, (_, n) => `p${n}`) }, "/policies"],
    [{ description: "x".repeat(201) }, "/description"],
    [{ headers: [{ name: "Host", value: "other" }] }, "/headers/0/name"],
    [{ headers: [{ name: "webhook-id", value: "other" }] }, "/headers/0/name"],
    [{ headers: [{ name: "a b", value: "x" }] }, "/headers/0/name"],
    [
      {
        headers: [
          { name: "X-A", value: "x" },
          { name: "x-a", value: "y" },
        ],
      },
      "/headers/1/name",
    ],
    [{ headers: [{ name: "X-A", value: "one\r\ntwo: 3" }] }, "/headers/0/value"],
    [{ headers: [{ name: "X-A", value: "" }] }, "/headers/0/value"],
  ])("cannot have the settings %o", async (settings, pointer) => {
    await expect(create(settings)).rejects.toMatchObject({ errors: [{ pointer }] });
  });

  it("is replaced completely, with the expected revision", async () => {
    const { id, revision } = await added({
      types: ["message.bounced"],
      headers: [
        { name: "X-Key", value: "kept" },
        { name: "X-Other", value: "gone" },
      ],
    });
    const settings = { url: URL_TEXT, headers: [{ name: "x-key" }] };
    const { webhook } = await identity.operator.webhooks.replaceWebhook({
      accountId,
      id,
      revision,
      settings,
    });
    expect(webhook).toMatchObject({ revision: revision + 1, settings: { url: settings.url, types: [] } });
    const setAt = expect.any(Date);
    expect((await stored(id))?.headers).toEqual([{ name: "x-key", value: "kept", setAt }]);
    // A header value is only for the server that it was set for.
    const elsewhere = { ...settings, url: "https://other.example.com/" };
    const moved = identity.operator.webhooks.replaceWebhook({ accountId, id, settings: elsewhere });
    await expect(moved).rejects.toMatchObject({ errors: [{ pointer: "/headers/0/value" }] });
    const late = identity.operator.webhooks.replaceWebhook({ accountId, id, revision, settings });
    await expect(late).rejects.toMatchObject({ code: "webhook.stale" });
    const unknown = identity.operator.webhooks.replaceWebhook({ accountId, id: "wep_none", settings });
    await expect(unknown).rejects.toMatchObject({ code: "webhook.unknown" });
  });

  it("has a key pair on request, returns only the public key, and keeps its algorithm", async () => {
    const settings = { url: "https://shop.example/keys", ordered: true };
    const made = await identity.operator.webhooks.createWebhook({
      accountId,
      settings,
      algorithm: "ed25519",
    });
    const id = made.webhook?.id ?? "";
    expect(made.secret).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect(made.webhook?.settings?.ordered).toBe(true);
    const { secret } = await identity.operator.webhooks.rotateWebhookSecret({
      accountId,
      id,
      overlapSeconds: 60,
    });
    expect(secret).not.toBe(made.secret);
    const { webhook } = await identity.operator.webhooks.getWebhook({ accountId, id });
    expect(webhook?.secrets.map(({ algorithm, publicKey }) => [algorithm, publicKey])).toEqual([
      ["ed25519", secret],
      ["ed25519", made.secret],
    ]);
    expect(
      JSON.stringify(webhook, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain("whsk_");
    const unknown = identity.operator.webhooks.createWebhook({ accountId, settings, algorithm: "rsa" });
    await expect(unknown).rejects.toMatchObject({ errors: [{ pointer: "/algorithm" }] });
  });

  it("signs with both secrets during a rotation, and with no third one", async () => {
    const { id, secret: first } = await added();
    const rotate = (overlapSeconds: number) =>
      identity.operator.webhooks.rotateWebhookSecret({ accountId, id, overlapSeconds });
    const { secret: second } = await rotate(60);
    const now = identity.time.clock.now();
    expect((await stored(id))?.secrets).toMatchObject([
      { secret: second },
      { secret: first, expiresAt: new Date(now.getTime() + 60_000) },
    ]);
    const { secret: third } = await rotate(60);
    expect((await stored(id))?.secrets.map(({ secret }) => secret)).toEqual([third, second]);
    const { secret: last } = await rotate(0);
    expect((await stored(id))?.secrets.map(({ secret }) => secret)).toEqual([last]);
    await expect(rotate(604_801)).rejects.toMatchObject({ errors: [{ pointer: "/overlap_seconds" }] });
  });

  it("is limited to twenty, also when two are created at once", async () => {
    for (let n = 0; n < 19; n++) await added();
    const both = await Promise.allSettled([create({}), create({})]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "webhook.too_many" },
    });
    const { webhooks } = await identity.operator.webhooks.listWebhooks({ accountId });
    expect(webhooks.length).toBe(20);
  });

  it("receives nothing while it is disabled, and its failures are forgotten when it is enabled", async () => {
    const { id } = await added();
    const { webhook } = await identity.operator.webhooks.disableWebhook({ accountId, id });
    expect(webhook?.disabled).toMatchObject({ reason: "owner" });
    await expect(identity.operator.webhooks.sendTestEvent({ accountId, id })).rejects.toMatchObject({
      code: "webhook.disabled",
    });
    const enabled = await identity.operator.webhooks.enableWebhook({ accountId, id });
    expect(enabled.webhook?.disabled).toBeUndefined();
    const { deliveryId } = await identity.operator.webhooks.sendTestEvent({ accountId, id });
    const { delivery } = await identity.operator.deliveries.getDelivery({ accountId, id: deliveryId });
    expect(delivery).toMatchObject({ type: "webhook.test", state: "pending", endpointId: id });
    const waiting = identity.operator.deliveries.replayDelivery({ accountId, id: deliveryId });
    await expect(waiting).rejects.toMatchObject({ code: "webhook.delivery_waiting" });
    const at = identity.time.clock.now();
    await identity.store.acrossAccounts.webhookDeliveries.setFailing(
      { _id: id, accountId, url: URL_TEXT },
      { since: at, at },
      at,
    );
    const failing = await identity.operator.webhooks.getWebhook({ accountId, id });
    expect(failing.webhook?.failingSince).toBeDefined();
    await identity.operator.webhooks.enableWebhook({ accountId, id });
    const well = await identity.operator.webhooks.getWebhook({ accountId, id });
    expect(well.webhook?.failingSince).toBeUndefined();
  });

  it("is disabled by a worker only in the revision that the worker has read", async () => {
    const { id, revision } = await added();
    const { webhooks } = identity.store.acrossAccounts;
    const gone = { at: identity.time.clock.now(), reason: "gone", detail: "410" } as const;
    expect(await webhooks.disable(id, revision + 1, gone, testAudit)).toBe(false);
    expect(await webhooks.disable(id, revision, gone, testAudit)).toBe(true);
    expect((await stored(id))?.disabled).toEqual(gone);
    const { token: _ } = await identity.memberOf(accountId, "viewer");
    const { email } = await identity.memberOf(accountId, "owner");
    const told: string[][] = [];
    const notify = async (to: string, { paragraphs }: Letter) => void told.push([to, ...paragraphs]);
    const tellDisabled = createNotifyDisabled({
      store: identity.store,
      systemMail: { notify } as SystemMail,
    });
    for (const _turn of [1, 2]) await tellDisabled();
    // A member who has enabled it since is not notified.
    await identity.operator.webhooks.enableWebhook({ accountId, id });
    expect(await webhooks.disable(id, revision + 2, gone, testAudit)).toBe(true);
    await identity.operator.webhooks.enableWebhook({ accountId, id });
    await tellDisabled();
    expect(told).toEqual([[email, expect.stringContaining(URL_TEXT), expect.any(String)]]);
    expect((await stored(id))?.secrets).toHaveLength(1);
  });

  it("that cannot be read does not count as removed", async () => {
    const broken = await added();
    await identity.db
      .collection("webhookEndpoints")
      .updateOne({ _id: broken.id as never }, { $set: { url: "https://elsewhere.example/" } });
    await expect(stored(broken.id)).rejects.toMatchObject({ code: "store.unavailable" });
    await damage(identity.db, "webhookEndpoints", broken.id, invalidUtf8("https://elsewhere.example/"));
    await expect(stored(broken.id)).rejects.toMatchObject({ code: "store.unavailable" });
  });
});

it("deliveries are listed in pages, by state", async () => {
  const { id } = await added();
  const sent: string[] = [];
  for (let n = 0; n < 5; n++) {
    identity.time.pass(1_000);
    sent.unshift((await identity.operator.webhooks.sendTestEvent({ accountId, id })).deliveryId);
  }
  const found: string[] = [];
  let pageToken = "";
  do {
    const asked = { accountId, endpointId: id, pageSize: 2, pageToken };
    const page = await identity.operator.deliveries.listDeliveries(asked);
    found.push(...page.deliveries.map((one) => one.id));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  expect(found).toEqual(sent);
  const failed = await identity.operator.deliveries.listDeliveries({
    accountId,
    endpointId: id,
    state: "failed",
  });
  expect(failed.deliveries).toEqual([]);
  for (const asked of [{ state: "lost" }, { pageToken: "zzz" }]) {
    const listing = identity.operator.deliveries.listDeliveries({ accountId, endpointId: id, ...asked });
    await expect(listing).rejects.toMatchObject({ code: "request.validation_failed" });
  }
});
