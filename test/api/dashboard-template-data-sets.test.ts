import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let accountId: string;
let token: string;
beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId, "developer")).token;
  await ask("POST", "", { name: "cart", html: "<p>{{ name }}</p>", text: "{{ name }}" });
});

const ask = (method: Method, path: string, body?: object) =>
  world.ask(method, `/api/templates${path}`, { token, ...(body && { body }) });
const revision = async () => (await ask("GET", "/cart")).body.revision;
const put = async (name: string, data?: object) =>
  ask("PUT", "/cart/data-sets", { revision: await revision(), data_set: name, ...(data && { data }) });
const sets = async () => (await ask("GET", "/cart")).body.data_sets;

describe("data sets of a template", () => {
  it("are saved, replaced in place, and removed by name", async () => {
    expect((await put("Empty cart", { name: "Ada" })).body.data_sets).toEqual([
      { name: "Empty cart", data: { name: "Ada" } },
    ]);
    await put("Größe", { name: "Eve" });
    await put("Empty cart", { name: "Bob" });
    expect(await sets()).toEqual([
      { name: "Empty cart", data: { name: "Bob" } },
      { name: "Größe", data: { name: "Eve" } },
    ]);
    await put("Empty cart");
    expect(await sets()).toEqual([{ name: "Größe", data: { name: "Eve" } }]);
    const seen = await revision();
    expect((await put("Empty cart")).status).toBe(200);
    expect(await revision()).toBe(seen);
    await put("Größe");
    expect(await sets()).toEqual([]);
  });

  it("named `default` are the test data", async () => {
    expect((await put("default", { name: "Ada" })).body).toMatchObject({
      test_data: { name: "Ada" },
      data_sets: [],
    });
    expect((await ask("POST", "/cart/preview", { data_set: "default" })).body.text).toBe("Ada");
    expect((await put("default")).body.test_data).toBeUndefined();
  });

  it("are used by previews, documents and tests", async () => {
    await put("default", { name: "default" });
    await put("other", { name: "other" });
    expect((await ask("POST", "/cart/preview", {})).body.text).toBe("default");
    expect((await ask("POST", "/cart/preview", { data_set: "other" })).body.text).toBe("other");
    expect((await ask("GET", "/cart/document?data_set=other")).body).toContain("<p>other</p>");
    const test = { to: "ada@example.com", from: "news@shop.example", data_set: "missing" };
    expect((await ask("POST", "/cart/test", test)).problem.errors[0]?.pointer).toBe("/data_set");
    await world.identity.operator.senders.addSender({ accountId, value: "shop.example" });
    const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
    const policy = { name: "tests", default: true, transports };
    await world.identity.operator.policies.putPolicy({ accountId, policy });
    const sent = await ask("POST", "/cart/test", { ...test, data_set: "other" });
    const found = await world.identity.db
      .collection<{ _id: string; contentId: string }>("messages")
      .findOne({ _id: sent.body.message_id });
    const body = await world.identity.store.forAccount(accountId).contents.load(found?.contentId ?? "");
    expect(body?.kind === "composed" && body.content.text).toBe("other");
  });

  it("stay when the draft is saved, published and rolled back, and are copied with the template", async () => {
    await put("other", { name: "Ada" });
    const expected = [{ name: "other", data: { name: "Ada" } }];
    await ask("PUT", "/cart/draft", { text: "x", revision: await revision() });
    await ask("POST", "/cart/publish", { revision: await revision() });
    await ask("PUT", "/cart/test-data", { revision: await revision(), data: {} });
    await ask("POST", "/cart/restore-draft", { revision: await revision(), version: 1 });
    await ask("POST", "/cart/discard", { revision: await revision() });
    expect(await sets()).toEqual(expected);
    const copy = await ask("POST", "/cart/duplicate", { new_name: "copy" });
    expect(copy.body.data_sets).toEqual(expected);
    await ask("DELETE", "/cart");
    await ask("POST", "", { name: "cart", text: "new" });
    expect(await sets()).toEqual([]);
  });

  it("are at most 10 in addition to the default, with 1 MB together", async () => {
    for (let count = 0; count < 10; count++) await put(`set ${count}`, {});
    const eleventh = await put("one more", {});
    expect([eleventh.status, eleventh.problem.errors[0]?.code]).toEqual([422, "field.too_many"]);
    expect((await put("default", {})).status).toBe(200);
    expect((await put("set 9", { a: "x".repeat(600_000) })).status).toBe(200);
    const tooLarge = await put("set 8", { a: "x".repeat(600_000) });
    expect([tooLarge.status, tooLarge.problem.errors[0]]).toMatchObject([
      422,
      { pointer: "/data", code: "field.too_long" },
    ]);
    expect((await sets()).find(({ name }: { name: string }) => name === "set 8").data).toEqual({});
  });

  it.each([
    ["an empty name", { data_set: "" }, "/data_set"],
    ["a name of 61 characters", { data_set: "x".repeat(61) }, "/data_set"],
    ["a name with a line break", { data_set: "a\nb" }, "/data_set"],
    ["a name with a space at its end", { data_set: "a " }, "/data_set"],
    ["data that are no object", { data_set: "a", data: [] }, "/data"],
  ])("are refused for %s", async (_, body, pointer) => {
    const answer = await ask("PUT", "/cart/data-sets", { revision: await revision(), data: {}, ...body });
    expect([answer.status, answer.problem.errors[0]?.pointer]).toEqual([422, pointer]);
    expect(await sets()).toEqual([]);
  });

  it("cannot be used together with data, and must exist", async () => {
    await put("other", {});
    for (const body of [{ data_set: "other", data: {} }, { data_set: "Other" }]) {
      const { status, problem } = await ask("POST", "/cart/preview", body);
      expect([status, problem.errors[0]?.pointer]).toEqual([422, "/data_set"]);
    }
  });

  it("are not changed on the basis of an earlier revision", async () => {
    const seen = await revision();
    await put("other", {});
    const { status, problem } = await ask("PUT", "/cart/data-sets", {
      revision: seen,
      data_set: "other",
      data: { a: 1 },
    });
    expect([status, problem.code]).toEqual([409, "template.stale"]);
    expect(await sets()).toEqual([{ name: "other", data: {} }]);
  });
});
