import type { FastifyRequest } from "fastify";
import type { Permission } from "../../contracts/common/permission.ts";
import type { CoreClient } from "../rpc/client.ts";
import { createCached } from "../shared/cached.ts";
import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { secretKind } from "../shared/secrets.ts";
import { hasForeignAuthorization, readApiKey, readHeaderKey } from "./read-api-key.ts";

/** The owner of the key that a request carries. */
export interface Caller {
  readonly apiKey: string;
  readonly keyId: string;
  readonly accountId: string;
  /** Address at the time of the key check. A closed connection no longer has an address. */
  readonly clientAddress: string;
}

/**
 * Checks the key of a request from its head alone: the body of an unauthenticated request is not read.
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

const MAX_CALLERS = 10_000;

/** A key that is mistyped is refused here; of those that may exist the core knows. Only good ones are remembered. */
export function createAuthenticate({ core, cacheMs }: AuthenticateOptions): Authenticate {
  const callers = createCached<Caller>({ load: askCore, ttlMs: cacheMs, maxEntries: MAX_CALLERS });

  /** @param name what is asked about, in words: a key that is well formed holds no space */
  async function askCore(name: string): Promise<Caller> {
    const [apiKey = "", kind = "", scope = "", clientAddress = ""] = name.split(" ");
    const { keyId, accountId } = await core.keys.checkKey({ apiKey, kind, scope, clientAddress });
    return { apiKey, keyId, accountId, clientAddress };
  }

  return async (request, { key: kind, scope }) => {
    const isDeliverability = kind === "deliverability";
    const apiKey = isDeliverability ? readHeaderKey(request) : readApiKey(request);
    if (apiKey === "") throw keyMissing(request, isDeliverability);
    const name = [apiKey, kind, scope, request.ip].join(" ");
    const known = callers.peek(name);
    if (known) return known;
    const caller = secretKind(apiKey) === undefined ? undefined : await callers.get(name);
    if (!caller) throw fault("auth.key_invalid");
    return caller;
  };
}

const HEADER_ONLY = say("deliverability_key_goes_into_header_x");

const NO_BEARER = say("no_bearer");

/** A user who tries a dashboard session here is referred to API keys. */
function keyMissing(request: Pick<FastifyRequest, "raw">, isDeliverability: boolean): Fault {
  const hasSession = /(?:^|[ ;])(?:__Host-)?hermod=/.test(request.raw.headers.cookie ?? "");
  if (!hasSession && isDeliverability) return fault("auth.key_missing", { public: HEADER_ONLY });
  if (!hasSession)
    return fault("auth.key_missing", hasForeignAuthorization(request) ? { public: NO_BEARER } : {});
  return fault("auth.key_missing", {
    public: say("session_dashboard_does_not_open_send"),
  });
}
