import { describe, expect, it } from "vitest";
import { roles } from "../../src/core/access/roles.ts";
import { isWithin, permissionsOf, roleNames } from "../../src/dashboard/pages/account/role-permissions.ts";

describe("the permissions by role that the dashboard explains", () => {
  it("are those of the server", () => {
    const ofServer = Object.entries(roles).map(([role, names]) => [role, [...names].toSorted()]);
    const ofPage = roleNames.map((role) => [role, permissionsOf[role].toSorted()]);
    expect(ofPage).toEqual(ofServer);
  });

  it("decide the roles that a member can give: the own role and those below it", () => {
    const given = (role: (typeof roleNames)[number]) =>
      roleNames.filter((other) => isWithin(other, permissionsOf[role]));
    expect(given("owner")).toEqual(["owner", "admin", "developer", "support", "viewer"]);
    expect(given("admin")).toEqual(["admin", "developer", "support", "viewer"]);
    expect(given("developer")).toEqual(["developer", "support", "viewer"]);
    expect(given("viewer")).toEqual(["viewer"]);
  });

  it("leave a role of a later version to the server", () => {
    expect(isWithin("auditor", [])).toBe(true);
  });
});
