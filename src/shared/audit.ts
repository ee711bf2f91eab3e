/**
 * Who did something. `operator`: who has the operator's token. `user`: a member, by a session. `key`: a program with a key.
 * `recipient`: somebody whom mail went to, by a link in it. `system`: Hermod itself, for what another server said.
 * `front_end` and `worker`: a process with such a token. `stranger`: somebody without a session, named by the network.
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
  /** As it was then, for who is called otherwise later, or is gone. */
  readonly name: string;
}

/** The call that something is done by: who does it, from where, and what. What changes a resource of an account takes one. */
export interface Audit {
  readonly actor: AuditActor;
  /** Empty: none. */
  readonly sessionId: string;
  /** IP address and agent of the client; empty: not known. */
  readonly clientAddress: string;
  readonly clientAgent: string;
  /** `resource.verb`, as the area of the call says. */
  readonly action: string;
  readonly traceId: string;
  /** The time at which it is written: of two changes of one thing the later one has the later. */
  now(): Date;
}

/** Hermod itself, for what another server said. */
export const SYSTEM: AuditActor = { kind: "system", id: "system", name: "Hermod" };

/** What Hermod does by itself, at that time, and not for a caller. */
export function systemAudit(action: string, traceId: string, at: Date): Audit {
  return { actor: SYSTEM, sessionId: "", clientAddress: "", clientAgent: "", action, traceId, now: () => at };
}
