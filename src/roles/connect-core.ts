import type { Config } from "../config.ts";
import { type CoreClient, connectCoreClient } from "../rpc/client.ts";
import { callerTls } from "./tls.ts";

/** A client of the core at this address, with the settings. */
export function connectCore(config: Config, address: string, token: string): CoreClient {
  return connectCoreClient({
    address,
    token,
    deadlineMs: config.grpc.deadlineMs,
    tls: callerTls(config),
  });
}
