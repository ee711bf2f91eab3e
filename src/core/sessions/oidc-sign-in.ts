import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BeginOidcLinkRequest,
  BeginOidcLinkResponseSchema,
  BeginOidcRequest,
  BeginOidcResponseSchema,
  FinishOidcRequest,
  FinishOidcResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { hashOfLinkToken, hashSecret, newLinkToken } from "../../shared/secrets.ts";
import type { SessionDocument } from "../../store/documents.ts";
import type { Oidc, OidcBinding } from "../access/oidc.ts";
import { securityNotice } from "../system-mail/notices.ts";
import { createBeginSession } from "./begin-session.ts";
import type { SessionNeeds } from "./needs.ts";
import { byUser, identityOf, userOf } from "./oidc-user.ts";
import { ownSession, type SessionContext } from "./own-session.ts";
import { readReturnPath } from "./return-path.ts";

const REQUEST_MS = 10 * 60_000;
const MAX_QUERY_LENGTH = 10_000;

/** @throws Fault oidc.not_configured */
function configured({ oidc }: SessionNeeds): Oidc {
  if (oidc) return oidc;
  throw fault("oidc.not_configured");
}

/**
 * All data that binds a request to its browser is derived from the token that this browser keeps: the store contains
 * nothing that permits another client to finish it.
 */
function bindingOf(state: string, browserToken: string): OidcBinding {
  const derived = (purpose: string) => hashSecret(`${purpose} ${browserToken}`);
  return { state, nonce: derived("nonce"), verifier: derived("verifier") };
}

/** @param holder session of the user who is linked to the provider; undefined: the request is a sign-in */
async function begin(
  needs: SessionNeeds,
  holder: Pick<SessionDocument, "_id" | "userId"> | undefined,
  returnTo: string,
) {
  const oidc = configured(needs);
  const [state, browserToken] = [newLinkToken(), newLinkToken()];
  const url = await oidc.authorizationUrl(bindingOf(state, browserToken));
  const expireAt = new Date(needs.clock.now().getTime() + REQUEST_MS);
  const browser = hashSecret(browserToken);
  const link = holder ? { userId: holder.userId, sessionId: holder._id } : { userId: "" };
  const after = returnTo === "" ? {} : { returnTo };
  await needs.store.identities.putRequest({ _id: hashSecret(state), browser, ...link, ...after, expireAt });
  return { url, browserToken };
}

/**
 * Returns the address to which the browser is sent to sign in.
 *
 * @throws Fault oidc.not_configured, oidc.unavailable, auth.throttled, request.validation_failed
 */
export function createBeginOidc(needs: SessionNeeds) {
  return async (
    request: BeginOidcRequest,
    { identity }: Pick<HandlerContext, "identity">,
  ): Promise<MessageInitShape<typeof BeginOidcResponseSchema>> => {
    configured(needs);
    const returnTo = readReturnPath(request.returnTo);
    await needs.throttle.countChallenge(identity?.clientAddress ?? "");
    return begin(needs, undefined, returnTo);
  };
}

/**
 * Returns the address to which the browser is sent to link an identity at the provider to the session's user.
 *
 * @throws Fault oidc.not_configured, oidc.unavailable, auth.reauthentication_required, request.validation_failed
 */
export function createBeginOidcLink(needs: SessionNeeds) {
  return async (
    request: BeginOidcLinkRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof BeginOidcLinkResponseSchema>> => {
    const session = await ownSession(needs.store, context);
    return begin(needs, session, readReturnPath(request.returnTo));
  };
}

/**
 * Finishes a sign-in or a link after the provider has sent the browser back.
 *
 * @throws Fault oidc.not_configured, oidc.request_unknown, oidc.refused, oidc.unavailable, oidc.not_allowed,
 *   oidc.link_required, oidc.linked_elsewhere
 */
export function createFinishOidc(needs: SessionNeeds) {
  const { store, clock, systemMail } = needs;
  const beginSession = createBeginSession({ store, clock });
  return async (
    { query, browserToken }: FinishOidcRequest,
    { identity, audit }: Pick<HandlerContext, "identity" | "audit">,
  ): Promise<MessageInitShape<typeof FinishOidcResponseSchema>> => {
    const oidc = configured(needs);
    const state = query.length > MAX_QUERY_LENGTH ? "" : (new URLSearchParams(query).get("state") ?? "");
    const id = hashOfLinkToken(state);
    const now = clock.now();
    const request = id === undefined ? null : await store.identities.takeRequest(id, now);
    if (!request || request.browser !== hashOfLinkToken(browserToken)) throw fault("oidc.request_unknown");
    const { returnTo = "" } = request;
    const claims = await oidc.exchange(query, bindingOf(state, browserToken));
    if (request.userId === "") {
      const user = await userOf(needs, { claims, settings: oidc.settings, audit });
      return { sessionToken: (await beginSession(user, ["oidc"], { identity, audit })).token, returnTo };
    }
    // A link from a session that was ended since, for example by a password reset, must not be finished.
    const holding = await store.sessions.find(request.sessionId ?? "");
    const user = holding && holding.endsAt > now ? await store.users.findById(request.userId) : null;
    if (!user) throw fault("oidc.request_unknown");
    const holder = { userId: user._id, email: user.email, accountId: "" };
    if (!(await store.identities.link(identityOf(claims, user._id, now), holder, byUser(audit, user)))) {
      throw fault("oidc.linked_elsewhere");
    }
    const what = `You can now sign in with ${oidc.settings.name}.`;
    await systemMail.notify(user.email, securityNotice({ what, at: now, identity }));
    return { sessionToken: "", returnTo };
  };
}
