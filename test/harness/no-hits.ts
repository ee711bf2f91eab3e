import type { EdgeServerOptions } from "../../src/edge/server.ts";
import { createTrackingTokens } from "../../src/message/tracking/token.ts";

/** For servers that nobody follows a tracked link to. */
export const noHits: EdgeServerOptions["hits"] = {
  tokens: async () => createTrackingTokens(Buffer.alloc(32)),
  add: () => undefined,
};
