import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Permission } from "../../contracts/common/permission.ts";
import type { CoreClient } from "../core/client.ts";
import { fault } from "../shared/fault.ts";
import { hashSecret, secretKind } from "../shared/secrets.ts";
import { readApiKey } from "./read-api-key.ts";

/** Whose key a request carries. */
export interface Caller {
  readonly apiKey: string;
  readonly keyId: string;
  readonly accountId: string;
}

/**
 * Judges the key of a request by its head alone: nothing is read of a body whose sender has no right to send it.
 * @throws Fault auth.* or core.unavailable
 */
export type Authenticate = (
  request: Pick<FastifyRequest, "raw" | "query" | "ip">,
  permission: Permission,
) => Promise<Caller>;

export interface AuthenticateOptions {
  readonly core: Pick<CoreClient, "keys">;
  /** How long a key that the core found good is taken for good; the core judges each operation again. */
  readonly cacheMs: number;
}

interface KeyCheck {
  readonly apiKey: string;
  readonly kind: string;
  readonly scope: string;
  readonly clientAddress: string;
}

const MAX_CALLERS = 10_000;

/** A key that is mistyped is refused here; of those that may exist the core knows. Only good ones are remembered. */
export function createAuthenticate({ core, cacheMs }: AuthenticateOptions): Authenticate {
  const known = new LRUCache<string, Caller>({ max: MAX_CALLERS, ttl: Math.max(cacheMs, 1) });
  /** Who asks for the same at once shares one answer. */
  const asked = new Map<string, Promise<Caller>>();

  async function ask(name: string, call: KeyCheck): Promise<Caller> {
    try {
      const { keyId, accountId } = await core.keys.checkKey(call);
      const caller = { apiKey: call.apiKey, keyId, accountId };
      if (cacheMs > 0) known.set(name, caller);
      return caller;
    } finally {
      asked.delete(name);
    }
  }

  return async (request, { key: kind, scope }) => {
    const apiKey = readApiKey(request);
    if (apiKey === "") throw fault("auth.key_missing");
    const clientAddress = request.ip;
    const name = hashSecret([apiKey, kind, scope, clientAddress].join(" "));
    const caller = known.get(name);
    if (caller) return caller;
    if (secretKind(apiKey) === undefined) throw fault("auth.key_invalid");
    const asking = asked.get(name) ?? ask(name, { apiKey, kind, scope, clientAddress });
    asked.set(name, asking);
    return asking;
  };
}
