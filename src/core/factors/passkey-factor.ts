import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  BeginPasskeyRequest,
  BeginPasskeyResponseSchema,
  ConfirmPasskeyRequest,
  ConfirmPasskeyResponseSchema,
  PasskeySchema,
  RemovePasskeyRequest,
  RemovePasskeyResponseSchema,
  RenamePasskeyRequest,
  RenamePasskeyResponseSchema,
} from "../../../gen/hermod/factor/v1/factor_service_pb.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { passkeyRevision } from "../../store/revisions.ts";
import type { PasskeyDocument } from "../../store/user-documents.ts";
import { ownSession, renewSession } from "../sessions/own-session.ts";
import { afterRemoval, firstRecoveryCodes } from "./factor-change.ts";
import { type FactorContext, type FactorNeeds, notifyUser } from "./needs.ts";

const MAX_PASSKEYS = 20;
const MAX_NAME_LENGTH = 100;

/** @throws Fault passkey.not_available, factor.too_many, auth.reauthentication_required */
export function createBeginPasskey(needs: FactorNeeds) {
  const { store, webauthn } = needs;
  return async (
    _request: BeginPasskeyRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof BeginPasskeyResponseSchema>> => {
    const session = await ownSession(needs.store, context);
    if ((await store.passkeys.listOfUser(session.userId)).length >= MAX_PASSKEYS) {
      throw fault("factor.too_many");
    }
    return { optionsJson: await webauthn.beginRegistration(session) };
  };
}

/** @throws Fault passkey.not_available, request.validation_failed, factor.exists, auth.reauthentication_required */
export function createConfirmPasskey(needs: FactorNeeds) {
  const { store, clock, webauthn } = needs;
  return async (
    { name: given, responseJson }: ConfirmPasskeyRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof ConfirmPasskeyResponseSchema>> => {
    const name = readName(given);
    const session = await ownSession(needs.store, context);
    const found = await webauthn.finishRegistration(session.userId, responseJson);
    if (!found) {
      const message = say("passkey_answer");
      throw validationFault([{ pointer: "/response", code: "field.invalid", message }]);
    }
    const passkey = { ...found, userId: session.userId, name, createdAt: clock.now() };
    if (!(await store.passkeys.insert(passkey, session, context.audit))) throw fault("factor.exists");
    const recoveryCodes = await firstRecoveryCodes(needs, session, context);
    const factors = [...new Set([...(session.factors ?? ["password" as const]), "passkey" as const])];
    const sessionToken = await renewSession(store, session, { factors }, context);
    await notifyUser(needs, session, "A passkey was added. It signs in without a password.", context);
    return {
      sessionToken,
      recoveryCodes: [...recoveryCodes],
      passkey: toPasskey({ ...passkey, _id: found.id }),
    };
  };
}

/** @throws Fault factor.unknown, request.validation_failed */
export function createRenamePasskey({ store }: FactorNeeds) {
  return async (
    { passkeyId, name: given, ifRevision }: RenamePasskeyRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof RenamePasskeyResponseSchema>> => {
    const name = readName(given);
    const session = await ownSession(store, context);
    const passkey = await store.passkeys.rename(session, passkeyId, name, context.audit, ifRevision);
    if (!passkey) throw fault("factor.unknown");
    return { passkey: toPasskey(passkey) };
  };
}

/** @throws Fault factor.unknown, auth.reauthentication_required, resource.stale */
export function createRemovePasskey(needs: FactorNeeds) {
  const { store } = needs;
  return async (
    { passkeyId, ifRevision }: RemovePasskeyRequest,
    context: FactorContext,
  ): Promise<MessageInitShape<typeof RemovePasskeyResponseSchema>> => {
    const session = await ownSession(needs.store, context);
    const isRemoved = await store.passkeys.remove(session, passkeyId, context.audit, ifRevision);
    if (!isRemoved) throw fault("factor.unknown");
    const sessionToken = await afterRemoval(needs, { session, removed: "passkey" }, context);
    await notifyUser(needs, session, "A passkey was removed.", context);
    return { sessionToken };
  };
}

/** @throws Fault request.validation_failed */
function readName(given: string): string {
  const name = given.trim();
  if (name !== "" && name.length <= MAX_NAME_LENGTH) return name;
  const code = name === "" ? "field.required" : "field.too_long";
  const message = say("passkey_name", { max: MAX_NAME_LENGTH });
  throw validationFault([{ pointer: "/name", code, message }]);
}

/** A passkey in answers to its user. */
export function toPasskey(
  passkey: Omit<PasskeyDocument, "publicKey">,
): MessageInitShape<typeof PasskeySchema> {
  const { _id: id, name, createdAt, lastUsedAt, backedUp } = passkey;
  return {
    id,
    name,
    createdAt: timestampFromDate(createdAt),
    ...(lastUsedAt && { lastUsedAt: timestampFromDate(lastUsedAt) }),
    backedUp,
    revision: passkeyRevision(passkey),
  };
}
