import { create } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OnCallScheduleSettings } from "../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import type { SettingVersion } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import type { SettingVersionDocument } from "../../src/store/setting-versions.ts";
import { allowSending } from "../harness/finished-message.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";

let identity: Identity;
let accountId: string;
let owner: AreaClients;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(() => openAccount());

async function openAccount(): Promise<void> {
  accountId = await identity.openAccount();
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
}

const code = (name: string) => expect.objectContaining({ code: name });
const textOf = (answer: unknown) =>
  JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? String(value) : value));
const documents = () => identity.db.collection<SettingVersionDocument>("settingVersions");
const stored = (name: string) => documents().find({ accountId, name }).toArray();

/** A setting under test. Its value is a number from 1 to 9. */
interface Setting {
  /** Name in the collection of versions. */
  readonly name: string;
  readonly put: (value: number) => Promise<unknown>;
  readonly read: () => Promise<number>;
  readonly revision: () => Promise<string>;
  readonly versions: (page?: { pageSize?: number; pageToken?: string }) => Promise<{
    readonly versions: readonly SettingVersion[];
    readonly nextPageToken: string;
  }>;
  readonly valueOf: (version: string, by?: AreaClients) => Promise<number>;
  readonly compare: (before: string, after: string) => Promise<readonly { readonly field: string }[]>;
  readonly restore: (version: number, revision?: string) => Promise<unknown>;
  readonly unknown: string;
  readonly versionUnknown: string;
  readonly stale: string;
}

const down = create(ValueSchema, { kind: { case: "stringValue", value: "down" } });
const side = { match: [{ field: "event_type", op: "eq", value: down }] };
const URL_TEXT = "https://shop.example.com/hooks";

/** Creates a setting with the value 1. */
const settings: Readonly<Record<string, () => Promise<Setting>>> = {
  "an alert rule": async () => {
    const name = "pager";
    const put = (order: number) => owner.rules.putRule({ settings: { name, order } });
    await put(1);
    const read = async () => (await owner.rules.getRule({ name })).rule;
    return {
      name,
      put,
      read: async () => (await read())?.settings?.order ?? 0,
      revision: async () => (await read())?.revision ?? "",
      versions: (page) => owner.rules.listRuleVersions({ name, ...page }),
      valueOf: async (version, by = owner) =>
        (await by.rules.getRuleVersion({ name, version })).settings?.order ?? 0,
      compare: async (before, after) =>
        (await owner.rules.compareRuleVersions({ name, before, after })).changes,
      restore: (version, ifRevision = "") => owner.rules.restoreRule({ name, version, ifRevision }),
      unknown: "alert_rule.unknown",
      versionUnknown: "alert_rule.version_not_found",
      stale: "resource.stale",
    };
  },
  "an inhibition": async () => {
    const name = "host-down";
    const put = (value: number) =>
      owner.silences.putInhibition({ name, source: side, target: side, equal: [`context.n${value}`] });
    await put(1);
    const read = async () => (await owner.silences.listInhibitions({})).inhibitions[0];
    const valueIn = (equal: readonly string[] = []) => Number(equal[0]?.slice(-1));
    return {
      name,
      put,
      read: async () => valueIn((await read())?.equal),
      revision: async () => (await read())?.revision ?? "",
      versions: (page) => owner.silences.listInhibitionVersions({ name, ...page }),
      valueOf: async (version, by = owner) =>
        valueIn((await by.silences.getInhibitionVersion({ name, version })).equal),
      compare: async (before, after) =>
        (await owner.silences.compareInhibitionVersions({ name, before, after })).changes,
      restore: (version, ifRevision = "") => owner.silences.restoreInhibition({ name, version, ifRevision }),
      unknown: "inhibition.unknown",
      versionUnknown: "inhibition.version_not_found",
      stale: "resource.stale",
    };
  },
  "an on-call schedule": async () => {
    const name = "primary";
    const put = (value: number) => {
      const layer = {
        name: "Daily",
        participants: [{ address: "ada@example.net" }],
        startsAt: timestampFromDate(new Date("2026-01-01T08:00:00Z")),
        timeZone: "UTC",
        shift: { length: value, unit: "day" },
      };
      const settings = { name, layers: [layer], fallbackRecipients: ["ops@example.net"] };
      return owner.oncalls.putOnCallSchedule({ settings });
    };
    await put(1);
    const read = async () => (await owner.oncalls.getOnCallSchedule({ name })).schedule;
    const valueIn = (settings?: OnCallScheduleSettings) => settings?.layers[0]?.shift?.length ?? 0;
    return {
      name,
      put,
      read: async () => valueIn((await read())?.settings),
      revision: async () => (await read())?.revision ?? "",
      versions: (page) => owner.oncalls.listOnCallScheduleVersions({ name, ...page }),
      valueOf: async (version, by = owner) =>
        valueIn((await by.oncalls.getOnCallScheduleVersion({ name, version })).settings),
      compare: async (before, after) =>
        (await owner.oncalls.compareOnCallScheduleVersions({ name, before, after })).changes,
      restore: (version, ifRevision = "") =>
        owner.oncalls.restoreOnCallSchedule({ name, version, ifRevision }),
      unknown: "on_call_schedule.unknown",
      versionUnknown: "on_call_schedule.version_not_found",
      stale: "resource.stale",
    };
  },
  "a webhook endpoint": async () => {
    const settingsOf = (ratePerSecond: number) => ({ url: URL_TEXT, ratePerSecond });
    const { webhook } = await owner.webhooks.createWebhook({ settings: settingsOf(1) });
    const id = webhook?.id ?? "";
    const read = async () => (await owner.webhooks.getWebhook({ id })).webhook;
    return {
      name: id,
      put: (value) => owner.webhooks.replaceWebhook({ id, settings: settingsOf(value) }),
      read: async () => (await read())?.settings?.ratePerSecond ?? 0,
      revision: async () => String((await read())?.revision),
      versions: (page) => owner.webhooks.listWebhookVersions({ id, ...page }),
      valueOf: async (version, by = owner) =>
        (await by.webhooks.getWebhookVersion({ id, version })).settings?.ratePerSecond ?? 0,
      compare: async (before, after) =>
        (await owner.webhooks.compareWebhookVersions({ id, before, after })).changes,
      restore: (version, revision = "0") =>
        owner.webhooks.restoreWebhook({ id, version, revision: Number(revision) }),
      unknown: "webhook.unknown",
      versionUnknown: "webhook.version_not_found",
      stale: "webhook.stale",
    };
  },
};
const each = Object.entries(settings);

/** Stores versions with the content of the first one, so that the newest one has this number. */
async function fill(name: string, newest: number): Promise<void> {
  const [first] = await stored(name);
  if (!first) throw new Error("there is no version");
  await documents().updateOne({ _id: first._id }, { $set: { number: newest } });
  const earlier = Array.from({ length: newest - 1 }, (_, index) => ({
    ...first,
    _id: `${accountId}.earlier.${index}`,
    number: index + 1,
    revision: `earlier_${index}`,
  }));
  await documents().insertMany(earlier);
}

describe.each(each)("versions of %s", (_kind, open) => {
  it("equal a plain list of the states, also after restorations, and are never more than 100", async () => {
    const step = fc.record({
      what: fc.constantFrom("put", "put", "restore"),
      value: fc.integer({ min: 1, max: 9 }),
      at: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await openAccount();
        const setting = await open();
        const newest = 98;
        await fill(setting.name, newest);
        let model = Array.from({ length: newest }, (_, index) => ({
          version: index + 1,
          value: 1,
          restored: 0,
        }));
        for (const { what, value, at } of steps) {
          const chosen = model[at % model.length];
          const present = model.at(-1);
          if (!chosen || !present) throw new Error("the model is empty");
          const next = what === "put" ? value : chosen.value;
          if (what === "put") await setting.put(value);
          else await setting.restore(chosen.version);
          // Equal settings are no change.
          if (next !== present.value) {
            const restored = what === "put" ? 0 : chosen.version;
            model = [...model, { version: present.version + 1, value: next, restored }].slice(-100);
          }
          expect(await setting.read()).toBe(next);
          const { versions } = await setting.versions({ pageSize: 1_000 });
          const listed = versions.map(({ version, restoredVersion }) => [version, restoredVersion]);
          expect(listed).toEqual(model.map(({ version, restored }) => [version, restored]).reverse());
          expect(versions.map(({ current }) => current)).toEqual(model.map((_, index) => index === 0));
          for (const one of model.slice(-3))
            expect(await setting.valueOf(String(one.version))).toBe(one.value);
          const oldest = model[0]?.version ?? 1;
          if (oldest > 1)
            await expect(setting.valueOf(String(oldest - 1))).rejects.toEqual(code(setting.versionUnknown));
        }
      }),
      { numRuns: repetitions(5, 40) },
    );
  });

  it("have number, author and time, are read page by page, and are compared", async () => {
    const setting = await open();
    await setting.put(2);
    await setting.put(3);
    const first = await setting.versions({ pageSize: 2 });
    const rest = await setting.versions({ pageSize: 2, pageToken: first.nextPageToken });
    const all = [...first.versions, ...rest.versions];
    expect(all.map(({ version, current }) => [version, current])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    expect(rest.nextPageToken).toBe("");
    for (const { author, storedAt } of all) {
      expect(author).toMatchObject({ kind: "user", name: expect.stringContaining("@") });
      expect(storedAt).toBeDefined();
    }
    expect(await setting.compare("1", "3")).toHaveLength(1);
    expect(await setting.compare("", "")).toEqual(await setting.compare("2", "3"));
    await expect(setting.compare("", "1")).rejects.toEqual(code(setting.versionUnknown));
  });

  it("are restored on the expected revision alone", async () => {
    const setting = await open();
    const revision = await setting.revision();
    await setting.put(2);
    await expect(setting.restore(1, revision)).rejects.toEqual(code(setting.stale));
    expect([await setting.read(), (await setting.versions()).versions.length]).toEqual([2, 2]);
    await setting.restore(1, await setting.revision());
    expect([await setting.read(), (await setting.versions()).versions.length]).toEqual([1, 3]);
  });

  it("are unknown to another account, and unknown numbers are refused", async () => {
    const setting = await open();
    const stranger = await identity.openAccount();
    const other = identity.as({ session: (await identity.memberOf(stranger)).token });
    await expect(setting.valueOf("1", other)).rejects.toEqual(code(setting.unknown));
    for (const version of ["0", "2", "-1", "x", "99999999999"])
      await expect(setting.valueOf(version)).rejects.toEqual(code(setting.versionUnknown));
    await expect(setting.restore(2)).rejects.toEqual(code(setting.versionUnknown));
  });

  it("begin with the present state of a former release, without an author", async () => {
    const setting = await open();
    await documents().deleteMany({ accountId });
    const [only] = (await setting.versions()).versions;
    expect([only?.version, only?.current, only?.author]).toEqual([1, true, undefined]);
    expect(await setting.valueOf("1")).toBe(1);
    await setting.put(2);
    expect((await setting.versions()).versions.map(({ version }) => version)).toEqual([2, 1]);
    await setting.restore(1);
    expect(await setting.read()).toBe(1);
  });
});

it("a state that a former release stores again is a version of its own", async () => {
  const open = settings["an inhibition"];
  const setting = await open?.();
  await setting?.put(2);
  const updatedAt = new Date(identity.time.clock.now().getTime() + 60_000);
  const $set = { equal: ["context.n1"], updatedAt };
  await identity.db.collection("inhibitions").updateOne({ accountId }, { $set });
  const found = (await setting?.versions())?.versions ?? [];
  expect(found.map(({ version, current }) => [version, current])).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ]);
  expect(await setting?.valueOf("")).toBe(1);
});

describe("versions of a deleted setting", () => {
  it.each(["an alert rule", "an inhibition"])("stay for 30 days and continue with %s", async (kind) => {
    const setting = await settings[kind]?.();
    const { name } = setting ?? { name: "" };
    await (kind === "an alert rule"
      ? owner.rules.deleteRule({ name })
      : owner.silences.deleteInhibition({ name }));
    const [version] = await stored(name);
    const days = (Number(version?.expireAt) - identity.time.clock.now().getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await expect(setting?.valueOf("1")).rejects.toEqual(code(setting?.unknown ?? ""));
    await setting?.put(2);
    expect((await setting?.versions())?.versions.map(({ version: number }) => number)).toEqual([2, 1]);
    expect((await stored(name)).filter(({ expireAt }) => expireAt)).toEqual([]);
    await setting?.restore(1);
    expect(await setting?.read()).toBe(1);
  });

  it("are removed with a webhook endpoint", async () => {
    const setting = await settings["a webhook endpoint"]?.();
    const id = setting?.name ?? "";
    expect(await stored(id)).toHaveLength(1);
    await owner.webhooks.deleteWebhook({ id });
    expect(await stored(id)).toEqual([]);
  });
});

it("a rule is not restored without the template of its mail, and nothing is changed", async () => {
  await allowSending(identity, accountId);
  const template = { name: "mail", subject: "Hi", text: "Hello" };
  await identity.operator.templates.putTemplate({ accountId, template });
  const notify = { recipients: ["oncall@example.com"], from: "ada@example.com", template: "mail" };
  await owner.rules.putRule({ settings: { name: "pager", notify } });
  const { rule } = await owner.rules.putRule({ settings: { name: "pager" } });
  await owner.templates.deleteTemplate({ name: "mail" });
  await expect(owner.rules.restoreRule({ name: "pager", version: 1 })).rejects.toMatchObject({
    errors: [{ pointer: "/notify/template", code: "template.unknown" }],
  });
  expect((await owner.rules.getRule({ name: "pager" })).rule?.revision).toBe(rule?.revision);
});

describe("versions of an endpoint with headers", () => {
  const key = (value?: string) => ({ name: "X-Key", ...(value !== undefined && { value }) });

  async function created(headers: readonly { name: string; value?: string }[]): Promise<string> {
    const { webhook } = await owner.webhooks.createWebhook({
      settings: { url: URL_TEXT, headers: [...headers] },
    });
    return webhook?.id ?? "";
  }

  const endpointOf = async (id: string) => {
    const found = await identity.store.forAccount(accountId).webhooks.find(id);
    if (!found) throw new Error("there is no endpoint");
    return found;
  };
  const headersOf = async (id: string) =>
    (await endpointOf(id)).headers.map(({ name, value }) => ({ name, value }));

  it("have no secret and no value, and a changed value is a difference", async () => {
    const id = await created([key("first token")]);
    const { secrets } = await endpointOf(id);
    await owner.webhooks.replaceWebhook({ id, settings: { url: URL_TEXT, headers: [key("second token")] } });
    await owner.webhooks.replaceWebhook({ id, settings: { url: URL_TEXT, headers: [key()] } });
    const { versions } = await owner.webhooks.listWebhookVersions({ id });
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    const compared = await owner.webhooks.compareWebhookVersions({ id });
    const changes = compared.changes.map(({ field, before, after, secret }) => ({
      field,
      values: [before, after],
      secret,
    }));
    expect(changes).toEqual([{ field: "headers.0.value", values: [undefined, undefined], secret: true }]);
    const found = await owner.webhooks.getWebhookVersion({ id, version: "1" });
    expect(found).toMatchObject({ settings: { headers: [{ name: "X-Key", value: "" }] }, unknownValues: [] });
    const all = textOf([await stored(id), versions, compared, found]);
    expect(all).toContain("X-Key");
    expect(all).not.toMatch(/token|whsec/);
    expect(secrets.filter(({ secret }) => all.includes(secret))).toEqual([]);
  });

  it("are restored with the present secret and the present values", async () => {
    const id = await created([key("first token")]);
    const changed = { url: URL_TEXT, description: "changed", headers: [key("second token")] };
    await owner.webhooks.replaceWebhook({ id, settings: changed });
    await owner.webhooks.rotateWebhookSecret({ id });
    const { secrets } = await endpointOf(id);
    await owner.webhooks.restoreWebhook({ id, version: 1 });
    expect(await headersOf(id)).toEqual([key("second token")]);
    expect(await endpointOf(id)).toMatchObject({ description: "", secrets });
  });

  it("need each value that is unknown, and nothing is changed without it", async () => {
    const id = await created([key("first token"), { name: "X-Other", value: "other token" }]);
    await owner.webhooks.replaceWebhook({ id, settings: { url: URL_TEXT, headers: [key()] } });
    const { revision } = await endpointOf(id);
    const found = await owner.webhooks.getWebhookVersion({ id, version: "1" });
    expect(found.unknownValues).toEqual(["X-Other"]);
    const refused = owner.webhooks.restoreWebhook({ id, version: 1 });
    await expect(refused).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [{ pointer: "/headers", code: "field.required", params: { name: "X-Other" } }],
    });
    expect((await endpointOf(id)).revision).toBe(revision);
    const headers = [{ name: "x-other", value: "new token" }];
    await owner.webhooks.restoreWebhook({ id, version: 1, headers });
    expect(await headersOf(id)).toEqual([key("first token"), { name: "X-Other", value: "new token" }]);
  });

  it("need all values at another URL, because a value is for its server", async () => {
    const id = await created([key("first token")]);
    const elsewhere = { url: "https://other.example.com/", headers: [key("their token")] };
    await owner.webhooks.replaceWebhook({ id, settings: elsewhere });
    const found = await owner.webhooks.getWebhookVersion({ id, version: "1" });
    expect(found.unknownValues).toEqual(["X-Key"]);
    await expect(owner.webhooks.restoreWebhook({ id, version: 1 })).rejects.toMatchObject({
      errors: [{ pointer: "/headers" }],
    });
    await owner.webhooks.restoreWebhook({ id, version: 1, headers: [key("first token")] });
    expect([(await endpointOf(id)).url, await headersOf(id)]).toEqual([URL_TEXT, [key("first token")]]);
  });

  it.each([
    [[{ name: "X-None", value: "token" }], "/headers/0/name"],
    [[key("a"), { name: "x-key", value: "b" }], "/headers/1/name"],
    [[key("one\r\ntwo: 3")], "/headers/0/value"],
    [Array.from({ length: 21 }, () => key("a")), "/headers"],
  ])("refuse values that fit no header of the version (%j)", async (headers, pointer) => {
    const id = await created([key("first token")]);
    await expect(owner.webhooks.restoreWebhook({ id, version: 1, headers })).rejects.toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ pointer })]),
    });
    expect(await headersOf(id)).toEqual([key("first token")]);
  });

  it("are stored for no rotation and no disabling, and a disabled endpoint stays disabled", async () => {
    const id = await created([]);
    await owner.webhooks.replaceWebhook({ id, settings: { url: URL_TEXT, description: "changed" } });
    await owner.webhooks.rotateWebhookSecret({ id });
    await owner.webhooks.disableWebhook({ id });
    const { versions } = await owner.webhooks.listWebhookVersions({ id });
    expect(versions.map(({ version, current }) => [version, current])).toEqual([
      [2, true],
      [1, false],
    ]);
    await owner.webhooks.restoreWebhook({ id, version: 1 });
    expect(await endpointOf(id)).toMatchObject({ description: "", disabled: { reason: "owner" } });
  });
});
