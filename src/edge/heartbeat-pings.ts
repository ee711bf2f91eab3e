import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CoreClient } from "../rpc/client.ts";
import { fault } from "../shared/fault.ts";
import { isId } from "../shared/ids.ts";
import { secretKind } from "../shared/secrets.ts";
import type { Authenticate } from "./authenticate.ts";

export interface HeartbeatPingsOptions {
  readonly core: Pick<CoreClient, "heartbeats">;
  readonly authenticate: Authenticate;
}

interface Call {
  readonly Params: { readonly token: string; readonly signal?: string };
}

/** Larger than the output of a job that a client may send along. Hermod does not keep it. */
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_EXIT_STATUS = 255;

export const heartbeatPaths = ["/inbound/heartbeats/:token", "/inbound/heartbeats/:token/:signal"];

/**
 * Receives pings of heartbeats: `/inbound/heartbeats/<token>`, with `/start`, `/fail` or the exit status of the job behind
 * it. With an API key, the id of the heartbeat takes the place of the token. A mistyped token is refused without a call
 * of the core.
 */
export async function heartbeatPings(
  app: FastifyInstance,
  { core, authenticate }: HeartbeatPingsOptions,
): Promise<void> {
  app.decorateRequest("caller", null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request: FastifyRequest, payload: IncomingMessage) => discard(payload));
  app.addHook("onRequest", async (request) => {
    const { token, signal } = (request as FastifyRequest<Call>).params;
    if (!signalOf(signal)) throw fault("request.not_found");
    if (secretKind(token) === "ping") return;
    if (!isId("hbt", token)) throw fault("request.not_found");
    request.caller = await authenticate(request, { key: "account", scope: "alerts.ingest" });
  });

  for (const url of heartbeatPaths) {
    app.route({
      method: ["GET", "POST"],
      url,
      handler: async (request) => {
        const { params, caller, ip } = request as FastifyRequest<Call>;
        const { token, signal } = params;
        const pinged = caller ? { apiKey: caller.apiKey, id: token } : { token };
        const asked = { ...pinged, ...signalOf(signal), clientAddress: caller?.clientAddress ?? ip };
        const { state } = await core.heartbeats.pingHeartbeat(asked);
        return { state };
      },
    });
  }
}

/** Reads a body to its end. @throws Fault request.too_large */
function discard(payload: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    payload.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) reject(fault("request.too_large"));
    });
    payload.once("end", resolve);
    payload.once("error", reject);
  });
}

type Signal = { readonly kind: string } | { readonly exitStatus: number };

/** Fields of a ping for the last part of its path; missing: success. @returns undefined: there is no such path */
function signalOf(text = "success"): Signal | undefined {
  if (text === "success" || text === "start" || text === "fail") return { kind: text };
  const exitStatus = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return exitStatus <= MAX_EXIT_STATUS ? { exitStatus } : undefined;
}
