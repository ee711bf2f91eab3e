import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type CreateUserRequest,
  type CreateUserResponseSchema,
  type ListUsersRequest,
  type ListUsersResponseSchema,
  type ResetPasswordRequest,
  type ResetPasswordResponseSchema,
  type UserSchema,
  UserService,
} from "../../gen/hermod/user/v1/user_service_pb.ts";
import { addressKey, parseAddress } from "../message/address/addresses.ts";
import { defineArea } from "../rpc/area.ts";
import { OPERATOR_ONLY } from "../rpc/callers.ts";
import { fault, validationFault } from "../shared/fault.ts";
import { newId } from "../shared/ids.ts";
import { newPassword } from "../shared/secrets.ts";
import type { UserDocument } from "../store/documents.ts";
import type { Store } from "../store/store.ts";
import { hashPassword } from "./access/passwords.ts";
import { readRole } from "./access/roles.ts";
import type { Dependencies } from "./dependencies.ts";
import { pageOf, pageSizeOf, pageStartOf } from "./page.ts";
import { resolveAccount } from "./resolve-account.ts";

interface UserNeeds extends Pick<Dependencies, "clock"> {
  readonly store: Pick<Store, "accounts" | "forAccount" | "sessions" | "users">;
}

/** People who sign in, as the operator makes them: for when mail does not work yet, or no more. */
export const users = defineArea({
  service: UserService,
  callers: { createUser: OPERATOR_ONLY, listUsers: OPERATOR_ONLY, resetPassword: OPERATOR_ONLY },
  handlers: ({ store, clock }: Pick<Dependencies, "store" | "clock">) => ({
    createUser: createCreateUser({ store, clock }),
    listUsers: createListUsers({ store }),
    resetPassword: createResetPassword({ store }),
  }),
});

/**
 * Makes a user who belongs to an account; the password is in the answer and nowhere else.
 *
 * @throws Fault account.unknown, member.exists, request.validation_failed
 */
function createCreateUser({ store, clock }: UserNeeds) {
  return async (request: CreateUserRequest): Promise<MessageInitShape<typeof CreateUserResponseSchema>> => {
    const email = readEmail(request.email);
    const role = readRole(request.role || "owner");
    const account = await resolveAccount(store, request);
    const now = clock.now();
    const password = newPassword();
    const fresh: UserDocument = {
      _id: newId("usr", now),
      email,
      passwordHash: await hashPassword(password),
      mustChangePassword: true,
      createdAt: now,
    };
    const { user, joined } = await account.members.add(fresh, { role, createdAt: now });
    if (!joined) throw fault("member.exists", { public: `${email} belongs to the account already.` });
    return { user: toUser(user), password: user._id === fresh._id ? password : "" };
  };
}

/** All users, by address. */
function createListUsers({ store }: Pick<UserNeeds, "store">) {
  return async ({
    pageSize,
    pageToken,
  }: ListUsersRequest): Promise<MessageInitShape<typeof ListUsersResponseSchema>> => {
    const limit = pageSizeOf(pageSize);
    const after = pageStartOf(pageToken, addressIn);
    const found = await store.users.list({ after, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ email }) => tokenOf(email));
    return { users: entries.map(toUser), nextPageToken };
  };
}

/**
 * Gives a user a new password, which is in the answer and nowhere else, and ends all of the user's sessions.
 *
 * @throws Fault user.unknown
 */
function createResetPassword({ store }: Pick<UserNeeds, "store">) {
  return async (
    request: ResetPasswordRequest,
  ): Promise<MessageInitShape<typeof ResetPasswordResponseSchema>> => {
    const email = addressKey(request.email.trim());
    const password = newPassword();
    const passwordHash = await hashPassword(password);
    for (;;) {
      const user = await store.users.findByEmail(email);
      if (!user) throw fault("user.unknown", { public: `There is no user ${email}. Nothing was changed.` });
      if (!(await store.users.setPassword(user, { passwordHash, mustChangePassword: true }))) continue;
      const ended = await store.sessions.endAll(user._id);
      return { user: toUser({ ...user, mustChangePassword: true }), password, ended };
    }
  };
}

/** @throws Fault request.validation_failed */
function readEmail(given: string): string {
  const result = parseAddress(given.trim());
  if (result.ok) return addressKey(result.address);
  throw validationFault([{ pointer: "/email", code: result.code, message: result.message }]);
}

/** Keeps addresses out of command lines and logs. */
const tokenOf = (email: string) => Buffer.from(email).toString("base64url");

function addressIn(token: string): string | undefined {
  const email = Buffer.from(token, "base64url").toString();
  return tokenOf(email) === token ? email : undefined;
}

function toUser(user: UserDocument): MessageInitShape<typeof UserSchema> {
  return {
    id: user._id,
    email: user.email,
    createdAt: timestampFromDate(user.createdAt),
    mustChangePassword: user.mustChangePassword ?? false,
  };
}
