import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  CreateUserResponseSchema,
  RemoveFactorsResponseSchema,
  ResetPasswordResponseSchema,
  UserSchema,
} from "../../gen/hermod/user/v1/user_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const user = create(UserSchema, { id: "usr_1", email: "ada@example.com", mustChangePassword: true });
const json = { id: "usr_1", email: "ada@example.com", created_at: null, must_change_password: true };

it("hermod user create writes only the password, once", async () => {
  const asked: unknown[] = [];
  const createUser = async (request: unknown) => {
    asked.push(request);
    return create(CreateUserResponseSchema, { user, password: "secret" });
  };
  const core = { users: { createUser } };
  const argv = ["user", "create", "ada@example.com", "--role", "viewer", "--account", "acc_1"];
  const ran = await runHermod(argv, { core });
  expect(asked).toEqual([{ email: "ada@example.com", role: "viewer", accountId: "acc_1" }]);
  expect(ran.out).toBe("secret\n");
  expect(JSON.parse((await runHermod([...argv, "--json"], { core })).out)).toEqual({
    ...json,
    password: "secret",
  });
});

it("hermod user create shows no password for an existing user", async () => {
  const createUser = async () => create(CreateUserResponseSchema, { user });
  const core = { users: { createUser } };
  expect((await runHermod(["user", "create", "ada@example.com"], { core })).out).toContain(
    "already was a user",
  );
  const { out } = await runHermod(["user", "create", "ada@example.com", "--json"], { core });
  expect(JSON.parse(out)).toEqual(json);
});

it("hermod user reset-password writes only the password, and reports the number of ended sessions", async () => {
  const resetPassword = async () =>
    create(ResetPasswordResponseSchema, { user, password: "secret", ended: 2 });
  const core = { users: { resetPassword } };
  const ran = await runHermod(["user", "reset-password", "ada@example.com"], { core });
  expect([ran.out, ran.err]).toEqual(["secret\n", expect.stringContaining("Sessions ended: 2.")]);
});

it("hermod user remove-factors reports the number of ended sessions", async () => {
  const asked: unknown[] = [];
  const removeFactors = async (request: unknown) => {
    asked.push(request);
    return create(RemoveFactorsResponseSchema, { user, ended: 2 });
  };
  const core = { users: { removeFactors } };
  const { out } = await runHermod(["user", "remove-factors", "ada@example.com"], { core });
  expect(asked).toEqual([{ email: "ada@example.com" }]);
  expect(out).toContain("Sessions ended: 2.");
});
