import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  SignInRequest,
  SignInResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { addressKey } from "../../message/address/addresses.ts";
import type { Behalf } from "../../rpc/behalf.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { hashSecret, newSessionToken } from "../../shared/secrets.ts";
import type { SessionDocument, UserDocument } from "../../store/documents.ts";
import { absoluteEnd, idleEnd } from "../access/session-life.ts";
import type { SessionNeeds } from "./needs.ts";
import { toSession } from "./own-session.ts";

/** An address or a password of more octets is nobody's, and is not looked at. */
const MAX_INPUT_LENGTH = 1_000;
const MAX_AGENT_LENGTH = 512;

/**
 * Begins a session. An address that nobody has is answered as a wrong password is, after the same work.
 *
 * @throws Fault auth.credentials_invalid, auth.throttled, service.busy
 */
export function createSignIn({ store, passwords, throttle, clock }: SessionNeeds) {
  async function firstAccountOf({ _id }: UserDocument): Promise<string> {
    const [first] = await store.acrossAccounts.members.ofUser(_id);
    return first?.accountId ?? "";
  }

  return async (
    { email: given, password }: SignInRequest,
    { behalf }: Pick<HandlerContext, "behalf">,
  ): Promise<MessageInitShape<typeof SignInResponseSchema>> => {
    if (given.length > MAX_INPUT_LENGTH || password.length > MAX_INPUT_LENGTH) {
      throw fault("auth.credentials_invalid");
    }
    const email = addressKey(given.trim());
    const attempt = { email, clientAddress: behalf?.clientAddress ?? "" };
    await throttle.begin(attempt);
    const user = await store.users.findByEmail(email);
    if (!(await passwords.matches(password, user?.passwordHash)) || !user) {
      throw fault("auth.credentials_invalid");
    }
    await throttle.succeeded(attempt);
    await store.users.settleFormer(user);
    const token = newSessionToken();
    const session = newSession(user, {
      token,
      accountId: await firstAccountOf(user),
      behalf,
      now: clock.now(),
    });
    await store.sessions.insert(session);
    return { token, session: toSession(session, session._id) };
  };
}

interface NewSession {
  readonly token: string;
  readonly accountId: string;
  readonly behalf: Behalf | undefined;
  readonly now: Date;
}

function newSession(user: UserDocument, { token, accountId, behalf, now }: NewSession): SessionDocument {
  const endsAt = absoluteEnd(now);
  return {
    _id: newId("ses", now),
    hash: hashSecret(token),
    userId: user._id,
    email: user.email,
    accountId,
    ...(user.mustChangePassword && { mustChangePassword: true as const }),
    createdAt: now,
    seenAt: now,
    authenticatedAt: now,
    clientAddress: behalf?.clientAddress ?? "",
    clientAgent: (behalf?.clientAgent ?? "").slice(0, MAX_AGENT_LENGTH),
    endsAt,
    expireAt: idleEnd(now, endsAt),
  };
}
