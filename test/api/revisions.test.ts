import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ZodObject } from "zod";
import { sessionRouteOf } from "../../contracts/common/session-access.ts";
import { api, dashboard } from "../../contracts/index.ts";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";
import { type Target, targets } from "../harness/dashboard-targets.ts";

const routes = [...Object.values(dashboard), ...Object.values(api)].flatMap((router) =>
  Object.entries(router).map(([name, route]) => ({ name, route, method: route.method as Method })),
);
const fieldsOf = (schema: unknown) => Object.keys((schema as ZodObject | undefined)?.shape ?? {});
const checked = routes.filter(({ route }) =>
  ["body", "query"].some((part) => fieldsOf(Reflect.get(route, part)).includes("if_revision")),
);

describe("a change with `if_revision`", () => {
  let world: Dashboard;
  let accountId: string;
  beforeAll(async () => {
    world = await openDashboard();
    const { account } = await world.identity.operator.accounts.createAccount({ name: "Acme" });
    accountId = account?.id ?? "";
  });
  afterAll(() => world.close());

  const pathOf = (path: string, params: Readonly<Record<string, string>> = {}) =>
    path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "missing"));

  it.each(checked)(
    "$name is refused on another revision with the present one, and made on that",
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
      const refused = await ask("an older one");
      const { code, revision: present = "" } = refused.problem;
      expect([refused.status, code, present]).toEqual([409, "resource.stale", expect.stringMatching(/./)]);
      expect(sessionRouteOf(route).faults).toContain("resource.stale");
      // Nothing was changed: it is the present one still.
      expect((await ask("an older one")).problem.revision).toBe(present);
      const made = await ask(present);
      expect([made.status, made.body]).toEqual([target?.status ?? 200, made.body]);
      if (method !== "DELETE") expect(made.body.revision).toEqual(expect.any(String));
    },
  );
});
