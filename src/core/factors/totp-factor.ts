import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BeginTotpRequest,
  BeginTotpResponseSchema,
  ConfirmTotpRequest,
  ConfirmTotpResponseSchema,
  RemoveTotpRequest,
  RemoveTotpResponseSchema,
} from "../../../gen/hermod/factor/v1/factor_service_pb.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { ownSession, renewSession } from "../sessions/own-session.ts";
import { afterRemoval, firstRecoveryCodes } from "./factor-change.ts";
import { type FactorContext, type FactorNeeds, notifyUser } from "./needs.ts";
import { newTotpSecret, stepOfCode, totpUrl } from "./totp.ts";

/** A secret that no code has confirmed expires after this time. */
const CONFIRM_MS = 30 * 60_000;

/** @throws Fault factor.exists, auth.reauthentication_required */
export function createBeginTotp(needs: FactorNeeds) {
  const { store, clock } = needs;
  return async (
    _request: BeginTotpRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof BeginTotpResponseSchema>> => {
    const { userId, email } = await ownSession(needs.store, context);
    const secret = await newTotpSecret();
    const createdAt = clock.now();
    const expireAt = new Date(createdAt.getTime() + CONFIRM_MS);
    if (!(await store.factors.beginTotp({ _id: userId, secret, createdAt, expireAt }))) {
      throw fault("factor.exists");
    }
    return { secret, url: await totpUrl(secret, email) };
  };
}

/** @throws Fault factor.unknown, factor.exists, request.validation_failed */
export function createConfirmTotp(needs: FactorNeeds) {
  const { store, clock } = needs;
  return async (
    { code }: ConfirmTotpRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof ConfirmTotpResponseSchema>> => {
    const session = await ownSession(store, context);
    const now = clock.now();
    const totp = await store.factors.findTotp(session.userId);
    if (totp?.confirmedAt) throw fault("factor.exists");
    if (!totp?.expireAt || totp.expireAt <= now) throw fault("factor.unknown");
    const step = await stepOfCode(totp.secret, code, now);
    if (step === undefined) {
      const message = say("app_code");
      throw validationFault([{ pointer: "/code", code: "field.invalid", message }]);
    }
    if (!(await store.factors.confirmTotp(totp, step, session, context.audit))) throw fault("factor.unknown");
    const recoveryCodes = await firstRecoveryCodes(needs, session, context);
    const factors = [...(session.factors ?? ["password"]), "totp"] as const;
    const sessionToken = await renewSession(store, session, { factors }, context);
    await notifyUser(needs, session, "An authenticator app was added as a second factor.", context);
    return { sessionToken, recoveryCodes: [...recoveryCodes] };
  };
}

/** @throws Fault factor.unknown, auth.reauthentication_required */
export function createRemoveTotp(needs: FactorNeeds) {
  return async (
    _request: RemoveTotpRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof RemoveTotpResponseSchema>> => {
    const session = await ownSession(needs.store, context);
    if (!(await needs.store.factors.removeTotp(session, context.audit))) throw fault("factor.unknown");
    const sessionToken = await afterRemoval(needs, { session, removed: "totp" }, context);
    await notifyUser(needs, session, "The authenticator app was removed as a second factor.", context);
    return { sessionToken };
  };
}
