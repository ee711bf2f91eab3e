import type { DescMethod } from "@bufbuild/protobuf";
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerListener,
} from "@grpc/grpc-js";
import type { Clock } from "../shared/clock.ts";
import { Fault, fault } from "../shared/fault.ts";
import { newTraceId } from "../shared/ids.ts";
import { type CallerRole, type CallerTokens, type MethodCallers, roleOf } from "./callers.ts";
import { toServiceError } from "./status.ts";

export interface AdmissionOptions {
  /** What callers present as `authorization: Bearer`. */
  readonly tokens: CallerTokens;
  readonly callers: MethodCallers;
  readonly clock: Clock;
}

/**
 * Judges the token of a call, and whether its role may call the method, when the metadata arrive: what a stranger sends
 * after them is neither kept nor decoded.
 */
export interface Admission {
  readonly interceptor: ServerInterceptor;
  /** From now on calls of this path are judged; others pass. */
  guard(path: string, method: DescMethod): void;
  /**
   * The role of the caller.
   * @param metadata of an admitted call
   * @throws Fault auth.caller_invalid when nobody has admitted it
   */
  roleOf(metadata: Metadata): CallerRole;
}

export function createAdmission({ tokens, callers, clock }: AdmissionOptions): Admission {
  const guarded = new Map<string, DescMethod>();
  /** The roles of calls that were admitted; the interceptor writes it. */
  const roles = new WeakMap<Metadata, CallerRole>();

  /** @throws Fault auth.caller_invalid, auth.caller_forbidden */
  function judge(method: DescMethod, metadata: Metadata): CallerRole {
    const [given = ""] = metadata.get("authorization");
    const role = roleOf(String(given), tokens);
    if (!role) throw fault("auth.caller_invalid");
    callers.checkRole(role, method);
    return role;
  }

  return {
    interceptor: ({ path }, call) => {
      const method = guarded.get(path);
      if (!method) return new ServerInterceptingCall(call);
      const listener: ServerListener = {
        onReceiveMetadata: (metadata, next) => {
          try {
            roles.set(metadata, judge(method, metadata));
          } catch (thrown) {
            // Once a call has its status, grpc-js discards what still comes of it.
            const traceId = newTraceId(clock.now());
            return call.sendStatus(toServiceError({ fault: Fault.from(thrown), traceId }));
          }
          next(metadata);
        },
      };
      return new ServerInterceptingCall(call, { start: (next) => next(listener) });
    },

    guard: (path, method) => void guarded.set(path, method),

    roleOf: (metadata) => {
      const role = roles.get(metadata);
      if (!role) throw fault("auth.caller_invalid");
      return role;
    },
  };
}
