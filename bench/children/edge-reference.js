import { createEdgeServer } from "../../dist/src/edge/server.js";
import { createByteBudget } from "../../dist/src/shared/byte-budget.js";
import { systemClock } from "../../dist/src/shared/clock.js";
import { bucketOfNames, newIdInBucket } from "../../dist/src/shared/ids.js";
import { createLogger } from "../../dist/src/shared/logger.js";
import { newSecret } from "../../dist/src/shared/secrets.js";
import { serveParent } from "../lib/serve-parent.js";

/**
 * Reference (a): Hermod's own HTTP edge, the same contract and validation, over a core that answers at once and
 * stores nothing. No accept over this route can be faster.
 */

const core = {
  sendEmail: async (/** @type {any} */ { traceId, email }) => {
    const now = systemClock.now();
    return {
      messageId: newIdInBucket("msg", now, bucketOfNames(traceId)),
      traceId,
      status: "queued",
      createdAt: { seconds: BigInt(Math.floor(now.getTime() / 1000)), nanos: 0 },
      recipient: email.to[0],
      notDelivered: [],
      replayed: false,
      rateLimits: [],
    };
  },
  keys: { checkKey: async () => ({ keyId: "key", accountId: "acc" }) },
};

serveParent(async () => {
  const app = createEdgeServer({
    core: /** @type {any} */ (core),
    clock: systemClock,
    log: createLogger("warn"),
    bodyMaxBytes: 36 * 1024 * 1024,
    budget: createByteBudget({ maxBytes: 96 * 1024 * 1024 }),
    keyCacheMs: 3_000,
    trustedProxies: [],
    baseUrl: undefined,
    validateResponses: false,
    onResponse: () => undefined,
  });
  // The edge turns away what is no key before it reads anything.
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }), apiKey: newSecret("live") };
});
