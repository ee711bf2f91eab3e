import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetSecondFactorRequest,
  GetSecondFactorResponseSchema,
  MemberWithoutSecondFactorSchema,
} from "../../../gen/hermod/account/v1/account_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { accountRevision } from "../../store/revisions.ts";
import type { AccountStore } from "../../store/store.ts";
import { secondFactorsOf } from "../access/second-factor.ts";
import type { Dependencies } from "../dependencies.ts";
import { describeMembers } from "../members/describe-members.ts";
import { resolveAccount } from "../resolve-account.ts";

/** Maximum number of members that one call reads. */
const MOST_READ = 10_000;
const READ_AT_ONCE = 500;
const MOST_LISTED = 100;

type Needs = Pick<Dependencies, "store">;

/** @throws Fault account.unknown */
export function createGetSecondFactor({ store }: Needs) {
  return async (
    request: GetSecondFactorRequest,
    { principal }: Pick<HandlerContext, "principal">,
  ): Promise<MessageInitShape<typeof GetSecondFactorResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const [found, own, members] = await Promise.all([
      store.accounts.find(account.id),
      principal ? secondFactorsOf(store, principal.userId) : [],
      findWithout(store, account),
    ]);
    if (!found) throw fault("account.unknown", { public: say("no_account", { id: account.id }) });
    return {
      required: found.requiresSecondFactor ?? false,
      canRequire: principal?.hasTwoFactors ?? true,
      hasSecondFactor: !principal || own.length > 0,
      ...members,
      revision: accountRevision(found),
    };
  };
}

/** Counts the members without a second factor, with three queries for each batch. */
async function findWithout(store: Needs["store"], { members }: AccountStore) {
  const without: MessageInitShape<typeof MemberWithoutSecondFactorSchema>[] = [];
  let withoutCount = 0;
  let after: string | undefined;
  for (let read = 0; read < MOST_READ; read += READ_AT_ONCE) {
    const batch = await members.list({ after, limit: READ_AT_ONCE });
    for (const { member, email, factor } of await describeMembers(store, batch)) {
      if (factor !== "none") continue;
      withoutCount++;
      const { userId, role } = member;
      if (without.length < MOST_LISTED) without.push({ userId, email, role });
    }
    if (batch.length < READ_AT_ONCE) return { without, withoutCount, complete: true };
    after = batch.at(-1)?.userId;
  }
  return { without, withoutCount, complete: (await members.list({ after, limit: 1 })).length === 0 };
}
