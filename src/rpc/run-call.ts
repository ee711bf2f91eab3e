// Refusals are recorded where all calls pass, so no handler can forget them. Those of unauthenticated clients are
// written after the answer, so that its time reveals nothing, and are limited by network and hour.

import type { DescMethod } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { faultCodes } from "../../contracts/common/fault-codes.ts";
import type { Audit, AuditActor } from "../shared/audit.ts";
import { clientNetwork } from "../shared/client-network.ts";
import type { Clock } from "../shared/clock.ts";
import { Fault } from "../shared/fault.ts";
import { type Audits, actionOf, type MethodAudit, unaudited } from "./audits.ts";
import type { Principal } from "./caller-identity.ts";
import type { Caller, Credentials, HandlerContext, MethodCallers } from "./callers.ts";

/** An incoming call. */
export interface IncomingCall {
  readonly credentials: Credentials;
  readonly method: DescMethod;
  readonly request: unknown;
  readonly traceId: string;
  readonly peerAddress: string;
  readonly signal: AbortSignal;
}

/** A call that was answered with 401, 403 or 429: an access that was not allowed. */
export interface Refusal {
  readonly fault: Fault;
  readonly audit: Audit;
  /** Holder of the session; undefined: there was no valid session. */
  readonly principal: Principal | undefined;
  /** Account in the request; empty: none. */
  readonly accountId: string;
  /** Target in the request; empty: none. */
  readonly target: string;
}

export interface CallRunnerOptions {
  readonly callers: MethodCallers;
  readonly clock: Pick<Clock, "now">;
  /** Called for refusals of calls that are audited or made for sessions. Never throws. Missing: refusals are not recorded. */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined;
}

export interface CallRunner {
  add<S extends GenServiceMethods>(service: GenService<S>, audits: Partial<Audits<S>>): void;
  /** Admits a call and runs it with the context for its handler. @throws the errors of admission and `work` */
  run<T>(call: IncomingCall, work: (context: HandlerContext) => Promise<T>): Promise<T>;
}

interface KnownAudit {
  readonly audit: MethodAudit;
  /** Computed once, because every call needs it. */
  readonly action: string;
}

const knownAudit = (method: DescMethod, audit: MethodAudit): KnownAudit => ({
  audit,
  action: actionOf(method, audit),
});

const NONE = unaudited("the area was not added");
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429]);

/** Runs every call of the core, on every transport. It is the only place that detects refusals. */
export function createCallRunner({ callers, clock, onRefused }: CallRunnerOptions): CallRunner {
  const audits = new Map<DescMethod, KnownAudit>();
  const now = () => clock.now();

  function auditOf(call: IncomingCall, caller: Pick<Caller, "principal">): Audit {
    const { credentials, method, traceId, peerAddress } = call;
    const { principal } = caller;
    const clientAddress = credentials.identity?.clientAddress || (credentials.identity ? "" : peerAddress);
    return {
      actor: actorOf(credentials, principal, clientAddress),
      sessionId: principal?.sessionId ?? "",
      clientAddress,
      clientAgent: credentials.identity?.clientAgent ?? "",
      action: (audits.get(method) ?? knownAudit(method, NONE)).action,
      traceId,
      now,
    };
  }

  /** Finds the holder of the session of a call that was refused before its handler. */
  async function holderOf({ credentials }: IncomingCall, { code }: Fault): Promise<Principal | undefined> {
    if (!credentials.identity?.session || code === "auth.session_invalid") return undefined;
    return callers.holderOf(credentials.identity).catch(() => undefined);
  }

  async function refused(call: IncomingCall, thrown: unknown, caller: Caller | undefined): Promise<void> {
    if (!onRefused || !(thrown instanceof Fault) || !REFUSED.has(faultCodes[thrown.code].http)) return;
    const { method, request } = call;
    const { audit } = audits.get(method) ?? knownAudit(method, NONE);
    if (audit.action === undefined && !callers.isForSessions(method)) return;
    const principal = caller?.principal ?? (await holderOf(call, thrown));
    onRefused({
      fault: thrown,
      audit: auditOf(call, { principal }),
      principal,
      accountId: textIn(request, "accountId"),
      target: audit.target === undefined ? "" : textIn(request, audit.target),
    });
  }

  return {
    add: (service, added) => {
      for (const method of service.methods) {
        audits.set(method, knownAudit(method, added[method.localName] ?? NONE));
      }
    },
    run: async (call, work) => {
      const { credentials, method, request, traceId, peerAddress, signal } = call;
      let caller: Caller | undefined;
      try {
        caller = await callers.admit(credentials, method, request);
        return await work({ ...caller, traceId, peerAddress, signal, audit: auditOf(call, caller) });
      } catch (thrown) {
        await refused(call, thrown, caller);
        throw thrown;
      }
    },
  };
}

function actorOf(
  { role, identity }: Credentials,
  principal: Principal | undefined,
  clientAddress: string,
): AuditActor {
  if (principal) return { kind: "user", id: principal.userId, name: principal.name };
  if (role === "front_end" && identity) {
    const network = clientNetwork(clientAddress);
    return { kind: "stranger", id: network, name: network };
  }
  return { kind: role, id: role, name: role };
}

function textIn(request: unknown, field: string): string {
  const value = (request as Readonly<Record<string, unknown>> | null)?.[field];
  return typeof value === "string" ? value : "";
}
