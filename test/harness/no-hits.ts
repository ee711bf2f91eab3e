import type { EdgeServerOptions } from "../../src/edge/server.ts";
import { createTrackingTokens } from "../../src/message/tracking/token.ts";

/** For servers on which no tracked link is followed. */
export const noHits: EdgeServerOptions["hits"] = {
  tokens: async () => createTrackingTokens(Buffer.alloc(32)),
  add: () => undefined,
};
