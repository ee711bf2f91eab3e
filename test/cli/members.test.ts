import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  ChangeRoleResponseSchema,
  ListMembersResponseSchema,
  MemberSchema,
  RemoveMemberResponseSchema,
  SignOutMemberResponseSchema,
} from "../../gen/hermod/member/v1/member_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const member = create(MemberSchema, {
  userId: "usr_1",
  email: "ada@example.com",
  role: "admin",
  revision: "r1",
});

it("hermod member list shows the members of the account", async () => {
  const listMembers = async () => create(ListMembersResponseSchema, { members: [member] });
  const core = { members: { listMembers } };
  expect((await runHermod(["member", "list"], { core })).out).toContain("ada@example.com  admin");
});

it("hermod member list passes filters on, and shows how each member signs in", async () => {
  const asked: unknown[] = [];
  const signIn = { secondFactor: "totp", openSessions: 2, lastSeenAt: timestampFromDate(new Date(0)) };
  const known = create(MemberSchema, {
    userId: "usr_2",
    email: "bob@example.com",
    role: "viewer",
    ...signIn,
  });
  const listMembers = async (request: unknown) => {
    asked.push(request);
    return create(ListMembersResponseSchema, { members: [known, member] });
  };
  const filter = ["--role", "viewer", "--search", "bob", "--without-second-factor"];
  const { out } = await runHermod(["member", "list", ...filter], { core: { members: { listMembers } } });
  expect(asked).toMatchObject([{ role: "viewer", search: "bob", withoutSecondFactor: true }]);
  expect(out).toMatch(/bob@example.com +viewer +usr_2 +totp +2 +1970-01-01/);
  expect(out).toMatch(/ada@example.com +admin +usr_1 +- +- +-/);
});

it("hermod member sign-out says how many sessions it has ended", async () => {
  const asked: unknown[] = [];
  const signOutMember = async (request: unknown) => {
    asked.push(request);
    return create(SignOutMemberResponseSchema, { ended: 2 });
  };
  const core = { members: { signOutMember } };
  const { out } = await runHermod(["member", "sign-out", "usr_1", "--account", "acc_1"], { core });
  expect(asked).toEqual([{ accountId: "acc_1", user: "usr_1" }]);
  expect(out).toBe("Ended 2 sessions of usr_1 in the account.\n");
  const json = await runHermod(["member", "sign-out", "usr_1", "--json"], { core });
  expect(JSON.parse(json.out)).toEqual({ user: "usr_1", sessions_ended: 2 });
});

it("hermod member set-role accepts existing roles", async () => {
  const asked: unknown[] = [];
  const changeRole = async (request: unknown) => {
    asked.push(request);
    return create(ChangeRoleResponseSchema, { member });
  };
  const core = { members: { changeRole } };
  const ran = await runHermod(["member", "set-role", "usr_1", "admin", "--account", "acc_1"], { core });
  expect(asked).toEqual([{ accountId: "acc_1", user: "usr_1", role: "admin" }]);
  expect(ran.out).toBe("ada@example.com is now admin of the account.\n");
  const refused = await runHermod(["member", "set-role", "usr_1", "god"], { core });
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining("Allowed choices are owner, admin,"),
  ]);
});

it("hermod member remove removes a member", async () => {
  const asked: unknown[] = [];
  const removeMember = async (request: unknown) => {
    asked.push(request);
    return create(RemoveMemberResponseSchema);
  };
  const core = { members: { removeMember } };
  const { out } = await runHermod(["member", "remove", "ada@example.com", "--json"], { core });
  expect(asked).toEqual([{ accountId: "", user: "ada@example.com" }]);
  expect(JSON.parse(out)).toEqual({ removed: "ada@example.com" });
});
