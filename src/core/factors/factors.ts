import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  FactorService,
  type ListFactorsRequest,
  type ListFactorsResponseSchema,
  type RenewRecoveryCodesRequest,
  type RenewRecoveryCodesResponseSchema,
  type UnlinkIdentityRequest,
  type UnlinkIdentityResponseSchema,
} from "../../../gen/hermod/factor/v1/factor_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS, refusals } from "../../rpc/audits.ts";
import { SIGNED_IN } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { secondFactorsOf } from "../access/second-factor.ts";
import { ownSession } from "../sessions/own-session.ts";
import { replaceRecoveryCodes } from "./factor-change.ts";
import { type FactorContext, type FactorNeeds, tellUser } from "./needs.ts";
import {
  createBeginPasskey,
  createConfirmPasskey,
  createRemovePasskey,
  createRenamePasskey,
  toPasskey,
} from "./passkey-factor.ts";
import { createBeginTotp, createConfirmTotp, createRemoveTotp } from "./totp-factor.ts";

/** Second factors of the user of a session. */
export const factors = defineArea({
  service: FactorService,
  callers: {
    listFactors: SIGNED_IN,
    beginTotp: SIGNED_IN,
    confirmTotp: SIGNED_IN,
    removeTotp: SIGNED_IN,
    renewRecoveryCodes: SIGNED_IN,
    unlinkIdentity: SIGNED_IN,
    beginPasskey: SIGNED_IN,
    confirmPasskey: SIGNED_IN,
    renamePasskey: SIGNED_IN,
    removePasskey: SIGNED_IN,
  },
  audits: {
    listFactors: LOOKS,
    beginTotp: refusals("factor.begin_totp"),
    confirmTotp: changes("factor.confirm_totp"),
    removeTotp: changes("factor.remove_totp"),
    renewRecoveryCodes: changes("factor.renew_recovery_codes"),
    unlinkIdentity: changes("factor.unlink_identity", "identityId"),
    beginPasskey: refusals("factor.begin_passkey"),
    confirmPasskey: changes("factor.confirm_passkey"),
    renamePasskey: changes("factor.rename_passkey", "passkeyId"),
    removePasskey: changes("factor.remove_passkey", "passkeyId"),
  },
  handlers: (needs: FactorNeeds) => ({
    listFactors: createListFactors(needs),
    beginTotp: createBeginTotp(needs),
    confirmTotp: createConfirmTotp(needs),
    removeTotp: createRemoveTotp(needs),
    renewRecoveryCodes: createRenewRecoveryCodes(needs),
    unlinkIdentity: createUnlinkIdentity(needs),
    beginPasskey: createBeginPasskey(needs),
    confirmPasskey: createConfirmPasskey(needs),
    renamePasskey: createRenamePasskey(needs),
    removePasskey: createRemovePasskey(needs),
  }),
});

function createListFactors({ store }: FactorNeeds) {
  return async (
    _request: ListFactorsRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof ListFactorsResponseSchema>> => {
    const { userId } = await ownSession(store, context);
    const [totp, recoveryCodesLeft, passkeys, identities] = await Promise.all([
      store.factors.findTotp(userId),
      store.factors.countRecoveryCodes(userId),
      store.passkeys.listOfUser(userId),
      store.identities.listOfUser(userId),
    ]);
    return {
      ...(totp?.confirmedAt && { totpConfirmedAt: timestampFromDate(totp.confirmedAt) }),
      recoveryCodesLeft,
      passkeys: passkeys.map(toPasskey),
      identities: identities.map(({ _id: id, issuer, email, createdAt }) => ({
        id,
        issuer,
        email,
        linkedAt: timestampFromDate(createdAt),
      })),
    };
  };
}

/** @throws Fault factor.unknown for who has no second factor, auth.reauthentication_required */
function createRenewRecoveryCodes(needs: FactorNeeds) {
  return async (
    _request: RenewRecoveryCodesRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof RenewRecoveryCodesResponseSchema>> => {
    const session = await ownSession(needs.store, context);
    if ((await secondFactorsOf(needs.store, session.userId)).length === 0) throw fault("factor.unknown");
    const recoveryCodes = await replaceRecoveryCodes(needs, session, context);
    await tellUser(needs, session, "New recovery codes were made; those before are void.", context);
    return { recoveryCodes: [...recoveryCodes] };
  };
}

/**
 * Takes a provider away from the user, who comes in by something else.
 *
 * @throws Fault factor.unknown, factor.last, auth.reauthentication_required
 */
function createUnlinkIdentity(needs: FactorNeeds) {
  const { store } = needs;
  return async (
    { identityId }: UnlinkIdentityRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof UnlinkIdentityResponseSchema>> => {
    const session = await ownSession(needs.store, context);
    const { userId } = session;
    const [user, hasPasskey] = await Promise.all([store.users.findById(userId), store.passkeys.has(userId)]);
    if (!user?.passwordHash && !hasPasskey) throw fault("factor.last");
    if (!(await store.identities.unlink(session, identityId, context.audit))) throw fault("factor.unknown");
    await tellUser(needs, session, "A provider by which you could sign in was removed.", context);
    return {};
  };
}
