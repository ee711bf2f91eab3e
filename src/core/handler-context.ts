import type { PolicyAuthor } from "../store/policy-document.ts";
import type { CallerRole } from "./access/caller-roles.ts";

/** What a handler knows of the call besides its request. */
export interface HandlerContext {
  /** Names this call in logs, faults and, for a submission, its messages. */
  readonly traceId: string;
  /** The IP address of the gRPC peer. */
  readonly peerAddress: string;
  /** In whose name the call is made; a front end makes it for an account. */
  readonly actor: PolicyAuthor;
  /**
   * Aborted when nobody waits for the answer any more: the caller has gone, or its deadline has passed. What has not
   * been stored by then is not to be; the reason is the Fault `core.timeout`, so that `throwIfAborted` says as much.
   */
  readonly signal: AbortSignal;
}

/** Whoever is not the operator calls for those who call it. */
export function actorOf(role: CallerRole): PolicyAuthor {
  return role === "operator" ? "operator" : "account";
}
