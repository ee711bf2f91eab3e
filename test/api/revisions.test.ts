import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ZodObject } from "zod";
import { sessionRouteOf } from "../../contracts/common/session-access.ts";
import { api, dashboard } from "../../contracts/index.ts";
import { areas } from "../../src/roles/areas.ts";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";
import { type Target, targets } from "../harness/dashboard-targets.ts";

/** Changes that accept no `if_revision`, each with its reason. A new PUT or PATCH accepts it, or has a reason here. */
const WITHOUT_IF_REVISION: Readonly<Record<string, string>> = {
  replacePolicy: "its `revision` is required",
  saveDraft: "its `revision` is required",
  putTestData: "its `revision` is required",
  putDataSet: "its `revision` is required",
  replaceWebhook: "its `revision` is required",
};
/** Removals of resources that a PUT or PATCH edits, without `if_revision`. */
const REMOVED_WITHOUT: Readonly<Record<string, string>> = {
  deletePolicy: "its `revision` is required",
  deleteAccount: "it removes all that the account has, whatever was edited in it",
};

/** Methods of the core that edit by their name, and accept no revision. */
const METHODS_WITHOUT: Readonly<Record<string, string>> = {
  PutTemplate: "it publishes one more version, and the former ones stay",
  ChangePassword: "it takes the current password",
};

/** Codes of resources with their own code. */
const STALE_CODES: Readonly<Record<string, string>> = {
  deleteWebhook: "webhook.stale",
  deleteTemplate: "template.stale",
};

const routes = [...Object.values(dashboard), ...Object.values(api)].flatMap((router) =>
  Object.entries(router).map(([name, route]) => ({ name, route, method: route.method as Method })),
);
/** Steps of the work on an incident, which has no revision: the last one counts, as with an acknowledgment. */
const STEPS = ["assignIncident"];
const edits = routes.filter(
  ({ name, method }) => (method === "PUT" || method === "PATCH") && !STEPS.includes(name),
);
const editedPaths = new Set(edits.map(({ route }) => route.path));
const removals = routes.filter(
  ({ method, route }) => method === "DELETE" && (editedPaths.has(route.path) || isBelow(route.path)),
);
const checked = [...edits, ...removals].filter(
  ({ name }) => !(name in WITHOUT_IF_REVISION) && !(name in REMOVED_WITHOUT),
);

/** A template has no PUT, but its parts have. */
function isBelow(path: string): boolean {
  return [...editedPaths].some((edited) => edited.startsWith(`${path}/`) && path.includes("/:"));
}

const fieldsOf = (schema: unknown) => Object.keys((schema as ZodObject | undefined)?.shape ?? {});

describe("every route that edits a resource", () => {
  it.each(edits)("$name answers with the revision of the resource", ({ route }) => {
    const success = Object.entries(route.responses).filter(([status]) => Number(status) < 300);
    expect(success.length).toBeGreaterThan(0);
    for (const [, schema] of success) expect(fieldsOf(schema)).toContain("revision");
  });

  it.each(edits)("$name accepts the revision that the change is based on", ({ name, route }) => {
    const body = "body" in route ? route.body : undefined;
    const field = name in WITHOUT_IF_REVISION ? "revision" : "if_revision";
    expect(fieldsOf(body)).toContain(field);
  });

  it.each(removals)("$name accepts the revision that the removal is based on", ({ name, route }) => {
    if (REMOVED_WITHOUT[name]?.startsWith("it ")) return;
    const field = name in REMOVED_WITHOUT ? "revision" : "if_revision";
    expect(fieldsOf("query" in route ? route.query : undefined)).toContain(field);
  });

  it("has the same revision over gRPC", () => {
    const methods = areas.flatMap(({ service }) => Object.values(service.method));
    const editing = methods.filter(({ name }) =>
      /^(?:Put|Replace|Update|Rename|Change|Require|Mute|Save)[A-Z]/.test(name),
    );
    expect(editing.length).toBeGreaterThan(15);
    const without = editing.filter(
      ({ input }) => !input.fields.some(({ name }) => ["if_revision", "revision"].includes(name)),
    );
    expect(without.map(({ name }) => name).toSorted()).toEqual(Object.keys(METHODS_WITHOUT).toSorted());
  });

  it("has a reason if it accepts no `if_revision`", () => {
    const excused = [...Object.keys(WITHOUT_IF_REVISION), ...Object.keys(REMOVED_WITHOUT)];
    const names = [...edits, ...removals].map(({ name }) => name);
    expect(excused.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe("a change with `if_revision`", () => {
  let world: Dashboard;
  let accountId: string;
  beforeAll(async () => {
    world = await openDashboard();
    accountId = await world.identity.openAccount();
  });
  afterAll(() => world.close());

  const pathOf = (path: string, params: Readonly<Record<string, string>> = {}) =>
    path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "missing"));

  it.each(checked)(
    "$name is refused on another revision, which the answer corrects, and done on the current one",
    async (one) => {
      const { name, method, route } = one;
      const { token, userId, email } = await world.identity.memberOf(accountId);
      const target: Target | undefined = await targets[name]?.({ world, accountId, self: { userId, email } });
      const ask = (revision: string) => {
        const given = { if_revision: revision };
        const isQuery = method === "DELETE";
        const query = new URLSearchParams({ ...target?.query, ...(isQuery && given) });
        return world.ask(method, `${pathOf(route.path, target?.params)}?${query}`, {
          token,
          ...(!isQuery && { body: { ...target?.body, ...given } }),
        });
      };
      const staleCode = STALE_CODES[name] ?? "resource.stale";
      const refused = await ask("an older one");
      const { code, revision: present = "" } = refused.problem;
      expect([refused.status, code, present]).toEqual([409, staleCode, expect.stringMatching(/./)]);
      expect(sessionRouteOf(route).faults).toContain(code);
      // Nothing was changed: the revision is still the current one.
      expect((await ask("an older one")).problem.revision).toBe(present);
      const made = await ask(present);
      expect([made.status, made.body]).toEqual([target?.status ?? 200, made.body]);
      if (method !== "DELETE") expect(made.body.revision).toEqual(expect.any(String));
    },
  );
});
