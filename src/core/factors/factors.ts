import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FactorService } from "../../../gen/hermod/factor/v1/factor_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS, refusals } from "../../rpc/audits.ts";
import { SIGNED_IN } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { secondFactorsOf } from "../access/second-factor.ts";
import { ownSession } from "../sessions/own-session.ts";
import { replaceRecoveryCodes } from "./factor-change.ts";
import { type FactorNeeds, notifyUser } from "./needs.ts";
import {
  createBeginPasskey,
  createConfirmPasskey,
  createRemovePasskey,
  createRenamePasskey,
  toPasskey,
} from "./passkey-factor.ts";
import { createBeginTotp, createConfirmTotp, createRemoveTotp } from "./totp-factor.ts";

/** Second factors of the session's user. */
export const factors: Area<FactorNeeds> = defineArea(FactorService, {
  listFactors: [
    SIGNED_IN,
    READS,
    ({ store }) =>
      async (_request, context) => {
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
      },
  ],
  beginTotp: [SIGNED_IN, refusals("factor.begin_totp"), createBeginTotp],
  confirmTotp: [SIGNED_IN, changes("factor.confirm_totp"), createConfirmTotp],
  removeTotp: [SIGNED_IN, changes("factor.remove_totp"), createRemoveTotp],
  /** @throws Fault factor.unknown if the user has no second factor, auth.reauthentication_required */
  renewRecoveryCodes: [
    SIGNED_IN,
    changes("factor.renew_recovery_codes"),
    (needs) => async (_request, context) => {
      const session = await ownSession(needs.store, context);
      if ((await secondFactorsOf(needs.store, session.userId)).length === 0) throw fault("factor.unknown");
      const recoveryCodes = await replaceRecoveryCodes(needs, session, context);
      await notifyUser(
        needs,
        session,
        "New recovery codes were created. The former codes are invalid.",
        context,
      );
      return { recoveryCodes: [...recoveryCodes] };
    },
  ],
  /**
   * Removes the link to a provider; the user must have another sign-in method.
   *
   * @throws Fault factor.unknown, factor.last, auth.reauthentication_required
   */
  unlinkIdentity: [
    SIGNED_IN,
    changes("factor.unlink_identity", "identityId"),
    (needs) => {
      const { store } = needs;
      return async ({ identityId }, context) => {
        const session = await ownSession(needs.store, context);
        const { userId } = session;
        const [user, hasPasskey] = await Promise.all([
          store.users.findById(userId),
          store.passkeys.has(userId),
        ]);
        if (!user?.passwordHash && !hasPasskey) throw fault("factor.last");
        if (!(await store.identities.unlink(session, identityId, context.audit)))
          throw fault("factor.unknown");
        await notifyUser(needs, session, "A provider of your sign-in was removed.", context);
        return {};
      };
    },
  ],
  beginPasskey: [SIGNED_IN, refusals("factor.begin_passkey"), createBeginPasskey],
  confirmPasskey: [SIGNED_IN, changes("factor.confirm_passkey"), createConfirmPasskey],
  renamePasskey: [SIGNED_IN, changes("factor.rename_passkey", "passkeyId"), createRenamePasskey],
  removePasskey: [SIGNED_IN, changes("factor.remove_passkey", "passkeyId"), createRemovePasskey],
});
