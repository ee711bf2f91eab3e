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
  /** Tokens that callers present as `authorization: Bearer`. */
  readonly tokens: CallerTokens;
  readonly callers: MethodCallers;
  readonly clock: Clock;
}

/**
 * Checks the token of a call, and whether its role may call the method, when the metadata arrive. The following data of
 * an unauthenticated client are neither stored nor decoded.
 */
export interface Admission {
  readonly interceptor: ServerInterceptor;
  /** Checks calls of this path from now on. Other paths are not checked. */
  guard(path: string, method: DescMethod): void;
  /**
   * Returns the role of the caller.
   * @param metadata of an admitted call
   * @throws Fault auth.caller_invalid if the call was not admitted
   */
  roleOf(metadata: Metadata): CallerRole;
}

export function createAdmission({ tokens, callers, clock }: AdmissionOptions): Admission {
  const guarded = new Map<string, DescMethod>();
  /** Roles of admitted calls, written by the interceptor. */
  const roles = new WeakMap<Metadata, CallerRole>();

  /** @throws Fault auth.caller_invalid, auth.caller_forbidden */
  function evaluate(method: DescMethod, metadata: Metadata): CallerRole {
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
            roles.set(metadata, evaluate(method, metadata));
          } catch (thrown) {
            // After the status of a call, grpc-js discards its further data.
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
