/**
 * Kind of actor. `operator`: a caller with the operator's token. `user`: a member with a session. `key`: a program with
 * a key. `recipient`: a recipient of mail, through a link in it. `system`: Hermod itself, because of another server.
 * `front_end` and `worker`: a process with such a token. `stranger`: a client without a session, identified by its
 * network.
 */
export type AuditActorKind =
  | "operator"
  | "user"
  | "key"
  | "recipient"
  | "system"
  | "front_end"
  | "worker"
  | "stranger";

export interface AuditActor {
  readonly kind: AuditActorKind;
  readonly id: string;
  /** Name at that time, because the actor may be renamed or removed later. */
  readonly name: string;
}

/** Call that makes a change: actor, origin and action. Every change of an account's resource needs one. */
export interface Audit {
  readonly actor: AuditActor;
  /** Empty: none. */
  readonly sessionId: string;
  /** IP address and agent of the client; empty: unknown. */
  readonly clientAddress: string;
  readonly clientAgent: string;
  /** `resource.verb`, from the area of the call. */
  readonly action: string;
  readonly traceId: string;
  /** Time of the write. It increases with each change of a resource. */
  now(): Date;
}

/** Hermod itself, because of another server. */
export const SYSTEM: AuditActor = { kind: "system", id: "system", name: "Hermod" };

/** Audit for an action of Hermod itself at that time, without a caller. */
export function systemAudit(action: string, traceId: string, at: Date): Audit {
  return { actor: SYSTEM, sessionId: "", clientAddress: "", clientAgent: "", action, traceId, now: () => at };
}
