import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  ChangeRoleResponseSchema,
  ListMembersResponseSchema,
  MemberSchema,
  RemoveMemberResponseSchema,
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
