import { describe, expect, it } from "vitest";
import { roles } from "../../src/core/access/roles.ts";
import { isWithin } from "../../src/dashboard/pages/account/role-permissions.ts";

/** Roles as `GET /api/roles` has them. */
const all = Object.entries(roles).map(([name, permissions]) => ({
  name,
  description: "",
  permissions: [...permissions],
}));

describe("the roles that a member can give", () => {
  it("are the own role and those below it", () => {
    const given = (role: keyof typeof roles) =>
      all.map(({ name }) => name).filter((other) => isWithin(other, [...roles[role]], all));
    expect(given("owner")).toEqual(["owner", "admin", "developer", "support", "viewer"]);
    expect(given("admin")).toEqual(["admin", "developer", "support", "viewer"]);
    expect(given("developer")).toEqual(["developer", "support", "viewer"]);
    expect(given("viewer")).toEqual(["viewer"]);
  });

  it("include a role that the page does not know, about which the server decides", () => {
    expect(isWithin("auditor", [], all)).toBe(true);
    expect(isWithin("owner", [], [])).toBe(true);
  });
});
