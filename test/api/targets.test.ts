import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";
import { startTargetServer, type TargetServer } from "../harness/target-server.ts";
import { createLocalClient, createLocalSample } from "../harness/target-worker.ts";
import { createTestTime } from "../harness/test-time.ts";

const client = createLocalClient();
let world: Dashboard;
let server: TargetServer;
let accountId: string;
let token: string;
let count = 0;
/** A sample ends after this. */
let sampled = Promise.resolve();

beforeAll(async () => {
  const time = createTestTime();
  server = await startTargetServer(() => time.clock.now().getTime());
  const local = createLocalSample(time, client);
  const postSample: typeof local = async (target, sample) => {
    const answer = await local(target, sample);
    await sampled;
    return answer;
  };
  world = await openDashboard({ allowPrivate: true, postSample });
  await world.identity.openAccount("Operator");
});
afterAll(async () => {
  await world.close();
  await client.close();
  await server.close();
});
beforeEach(async () => {
  world.identity.time.pass(1);
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId)).token;
  server.behave = () => undefined;
});

const ask = (method: Method, path: string, body?: unknown) =>
  world.ask(method, `/api/alert-targets${path}`, { token, ...(body !== undefined && { body }) });
const newTarget = (changes: { readonly name?: string } & object = {}) => {
  const { name = `ops-${count++}` } = changes;
  return { kind: "slack", name, url: server.url("slack", name), ...changes };
};
const create = async (changes: object = {}) => {
  const answer = await ask("POST", "", newTarget(changes));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};

describe("alert targets, in the dashboard", () => {
  it("are created, listed, read, replaced and deleted, without their secrets in any answer", async () => {
    const headers = [{ name: "X-Key", value: "their-own-token" }];
    const { secret, ...made } = await create({ name: "ops", description: "Channel #ops", headers });
    expect(secret).toBe("");
    expect(made).toMatchObject({
      account_id: accountId,
      kind: "slack",
      name: "ops",
      description: "Channel #ops",
      headers: ["X-Key"],
      rate_per_second: 1,
      secrets: [],
      state: "unused",
      last_failure: "",
    });
    expect(made.host).toMatch(/^127\.0\.0\.1:\d+$/);
    world.identity.time.pass(1);
    const second = await create({ kind: "teams" });
    const list = await ask("GET", "?limit=1");
    expect(list.body).toMatchObject({ data: [made], has_more: true });
    const rest = await ask("GET", `?cursor=${list.body.next_cursor}`);
    expect(rest.body.data.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    const replaced = await ask("PUT", `/${made.id}`, {
      name: "renamed",
      headers: [{ name: "X-Key" }],
      if_revision: made.revision,
    });
    expect(replaced.body).toMatchObject({
      id: made.id,
      name: "renamed",
      description: "",
      headers: ["X-Key"],
    });
    const stored = await world.identity.store.forAccount(accountId).targets.find(made.id);
    expect(stored).toMatchObject({ url: server.url("slack", "ops"), headers });
    const shown = await ask("GET", `/${made.id}`);
    expect(shown.body).toEqual(replaced.body);
    expect(JSON.stringify([made, list.body, shown.body])).not.toMatch(/their-own-token|\/slack\//);
    expect((await ask("DELETE", `/${made.id}`)).status).toBe(204);
    expect((await ask("GET", `/${made.id}`)).problem.code).toBe("alert_target.unknown");
  });

  it("of the kind webhook have a secret, which is shown once and can be rotated", async () => {
    const { secret, ...made } = await create({ kind: "webhook" });
    expect(secret).toMatch(/^whsec_/);
    expect(made.secrets).toHaveLength(1);
    const rotated = await ask("POST", `/${made.id}/rotate`, { overlap_seconds: 60 });
    expect(rotated.status).toBe(201);
    expect(rotated.body.secret).not.toBe(secret);
    expect(rotated.body.secrets).toHaveLength(2);
    expect(JSON.stringify((await ask("GET", `/${made.id}`)).body)).not.toContain("whsec_");
    const { id } = await create();
    expect((await ask("POST", `/${id}/rotate`, {})).problem.code).toBe("alert_target.no_secret");
  });

  it("are not changed on an older revision, and never to the name of another", async () => {
    const made = await create({ name: "first" });
    await create({ name: "second" });
    const body = { name: "first", description: "changed", if_revision: made.revision };
    expect((await ask("PUT", `/${made.id}`, body)).status).toBe(200);
    expect((await ask("PUT", `/${made.id}`, body)).problem.code).toBe("resource.stale");
    expect((await ask("DELETE", `/${made.id}?if_revision=${made.revision}`)).problem.code).toBe(
      "resource.stale",
    );
    expect((await ask("PUT", `/${made.id}`, { name: "second" })).problem.code).toBe("alert_target.exists");
    expect((await ask("POST", "", newTarget({ name: "second" }))).problem.code).toBe("alert_target.exists");
  });

  it.each([
    [{ kind: "email" }, "/kind"],
    [{ name: "Not A Name" }, "/name"],
    [{ url: "ftp://127.0.0.1/" }, "/url"],
    [{ url: "https://user:password@chat.example/" }, "/url"],
    [{ url: `https://chat.example/${"x".repeat(2_048)}` }, "/url"],
    [{ description: "x".repeat(201) }, "/description"],
    [{ rate_per_second: 2 }, "/rate_per_second"],
    [{ kind: "teams", rate_per_second: 5 }, "/rate_per_second"],
    [{ headers: [{ name: "Host", value: "other.example" }] }, "/headers/0/name"],
    [{ headers: [{ name: "X-Key" }] }, "/headers/0/value"],
    [{ headers: Array.from({ length: 21 }, (_, n) => ({ name: `X-${n}`, value: "x" })) }, "/headers"],
    [{ secret: "mine" }, "/secret"],
  ])("refuse %j, and name the field", async (changes, pointer) => {
    const refused = await ask("POST", "", newTarget(changes));
    expect(refused.status).toBe(422);
    expect(refused.problem.errors?.map((one) => one.pointer)).toContain(pointer);
    expect((await ask("GET", "")).body.data).toEqual([]);
  });

  it("are at most 100 of an account", async () => {
    for (let n = 0; n < 100; n++) await create();
    expect((await ask("POST", "", newTarget())).problem.code).toBe("alert_target.too_many");
  });

  it("of another account are unknown, also to rules", async () => {
    const { id } = await create();
    const other = await world.identity.openAccount();
    token = (await world.identity.memberOf(other)).token;
    for (const [method, path, body] of [
      ["GET", `/${id}`],
      ["PUT", `/${id}`, { name: "mine" }],
      ["POST", `/${id}/test`],
      ["POST", `/${id}/rotate`, {}],
      ["GET", `/${id}/deliveries`],
      ["DELETE", `/${id}?force=true`],
    ] as const) {
      const refused = await ask(method, path, body);
      expect([refused.status, refused.problem.code]).toEqual([404, "alert_target.unknown"]);
    }
    const rule = await world.ask("PUT", "/api/alert-rules/pager", {
      token,
      body: { notify: { targets: [id] } },
    });
    expect(rule.problem).toMatchObject({
      code: "alert_target.unknown",
      errors: [{ pointer: "/notify/targets/0" }],
    });
  });

  it("are tested with a sample, and the answer is that of the target", async () => {
    for (const kind of ["slack", "teams", "webhook"] as const) {
      const { id, secret } = await create({ kind, url: server.url(kind, `tested-${count}`) });
      if (kind === "webhook") server.secrets.add(secret);
      const tested = await ask("POST", `/${id}/test`);
      expect(tested.body).toMatchObject({
        accepted: true,
        status: { slack: 200, teams: 202, webhook: 204 }[kind],
      });
      expect(server.requests.at(-1)).toMatchObject({ kind, id: tested.body.event_id });
    }
    server.behave = () => ({ status: 404, body: "no_service" });
    const { id } = await create();
    const refused = await ask("POST", `/${id}/test`);
    expect([refused.status, refused.body]).toMatchObject([
      200,
      { accepted: false, status: 404, detail: "it answered 404", answer: "no_service" },
    ]);
    expect((await ask("GET", `/${id}`)).body.state).toBe("unused");
    expect((await ask("GET", `/${id}/deliveries`)).body.data).toEqual([]);
  });

  it("are tested by four tests of an account at once", async () => {
    const { id } = await create({ kind: "teams", url: server.url("teams") });
    let answer = () => {};
    sampled = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const before = server.requests.length;
    const running = Array.from({ length: 4 }, () => ask("POST", `/${id}/test`));
    await expect.poll(() => server.requests.length).toBe(before + 4);
    const refused = await ask("POST", `/${id}/test`);
    expect([refused.status, refused.problem.code]).toEqual([503, "service.busy"]);
    answer();
    expect((await Promise.all(running)).map(({ body }) => body.accepted)).toEqual([true, true, true, true]);
    expect((await ask("POST", `/${id}/test`)).body.accepted).toBe(true);
  });
});

describe("a rule", () => {
  const put = (notify: object) => world.ask("PUT", "/api/alert-rules/pager", { token, body: { notify } });

  it("names targets, also in escalation steps, and keeps them in its settings", async () => {
    const [first, second] = [await create(), await create()];
    const escalation = [{ after_seconds: 600, recipients: [], targets: [second.id] }];
    const stored = await put({ targets: [first.id], escalation });
    expect(stored.status, JSON.stringify(stored.body)).toBe(201);
    expect(stored.body.settings.notify).toMatchObject({
      recipients: [],
      targets: [first.id],
      escalation: [{ targets: [second.id] }],
    });
    for (const { id } of [first, second]) {
      const refused = await ask("DELETE", `/${id}`);
      expect(refused.status).toBe(409);
      expect(refused.problem.used_by).toMatchObject([{ kind: "alert_rule", name: "pager" }]);
    }
  });

  it("refuses unknown targets, too many, and a step without receivers", async () => {
    const { id } = await create();
    await ask("DELETE", `/${id}`);
    const gone = await put({ targets: [id] });
    expect(gone.problem).toMatchObject({
      code: "alert_target.unknown",
      errors: [{ pointer: "/notify/targets/0" }],
    });
    const other = await put({ targets: ["ops"] });
    expect(other.problem.errors).toMatchObject([{ pointer: "/notify/targets/0" }]);
    const many = await put({ targets: Array.from({ length: 21 }, () => id) });
    expect(many.problem.errors).toMatchObject([{ pointer: "/notify/targets" }]);
    const step = await put({ targets: [id], escalation: [{ after_seconds: 600, recipients: [] }] });
    expect(step.problem.errors?.map((one) => one.pointer)).toContain("/notify/escalation/0/recipients");
    expect((await world.ask("GET", "/api/alert-rules", { token })).body.data).toEqual([]);
  });
});
