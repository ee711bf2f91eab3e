import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { SessionSchema } from "../../../gen/hermod/session/v1/session_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { hashSecret, newSessionToken } from "../../shared/secrets.ts";
import type { SessionDocument } from "../../store/documents.ts";
import type { SessionChanges } from "../../store/session-store.ts";
import type { Store } from "../../store/store.ts";

/** Call context for session handlers. */
export type SessionContext = Pick<HandlerContext, "identity" | "principal" | "audit">;

/**
 * Stored session of a call.
 * @throws Fault auth.session_missing for a call without a session, such as the operator's; auth.session_invalid
 */
export async function ownSession(
  { sessions }: Pick<Store, "sessions">,
  { identity, principal }: Omit<SessionContext, "audit">,
): Promise<SessionDocument> {
  if (!identity || !principal) throw fault("auth.session_missing");
  const session = await sessions.findByHash(hashSecret(identity.session));
  if (!session) throw fault("auth.session_invalid");
  return session;
}

/**
 * Continues a session with a new token after each rise of privilege, which invalidates the former token.
 * @throws Fault auth.session_invalid if another call has renewed or ended it since
 */
export async function renewSession(
  { sessions }: Pick<Store, "sessions">,
  session: SessionDocument,
  changes: Omit<SessionChanges, "hash">,
  { audit }: Pick<HandlerContext, "audit">,
): Promise<string> {
  const token = newSessionToken();
  if (await sessions.renew(session, { ...changes, hash: hashSecret(token) }, audit)) return token;
  throw fault("auth.session_invalid");
}

/** A session in answers to its user, without its token. */
export function toSession(
  session: SessionDocument,
  currentId: string,
): MessageInitShape<typeof SessionSchema> {
  return {
    id: session._id,
    createdAt: timestampFromDate(session.createdAt),
    seenAt: timestampFromDate(session.seenAt),
    endsAt: timestampFromDate(session.endsAt),
    authenticatedAt: timestampFromDate(session.authenticatedAt),
    clientAddress: session.clientAddress,
    clientAgent: session.clientAgent,
    current: session._id === currentId,
  };
}
