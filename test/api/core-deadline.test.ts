import { afterEach, expect, it } from "vitest";
import { createEdgeServer } from "../../src/edge/server.ts";
import type { CoreClient } from "../../src/rpc/client.ts";
import { createByteBudget } from "../../src/shared/byte-budget.ts";
import { fault } from "../../src/shared/fault.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { newSecret } from "../../src/shared/secrets.ts";
import { noHits } from "../harness/no-hits.ts";

const CHECK_MS = 4_000;
const MB = 1024 * 1024;
const edges: ReturnType<typeof createEdgeServer>[] = [];
afterEach(async () => {
  await Promise.all(edges.splice(0).map((edge) => edge.close()));
});

/** A core that is slow to check a key, at an edge with its own clock. */
function slowCore() {
  let nowMs = 0;
  const waited: (number | undefined)[] = [];
  const core = {
    keys: {
      checkKey: async () => {
        nowMs += CHECK_MS;
        return { keyId: "key_1", accountId: "acc_1" };
      },
    },
    sendEmail: async (_request: unknown, waitedMs?: number) => {
      waited.push(waitedMs);
      throw fault("core.timeout", { retryAfterSeconds: 1 });
    },
  };
  const edge = createEdgeServer({
    core: core as unknown as CoreClient,
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
    log: createLogger("silent"),
    bodyMaxBytes: MB,
    budget: createByteBudget({ maxBytes: MB }),
    keyCacheMs: 60_000,
    trustedProxies: [],
    baseUrl: undefined,
    validateResponses: true,
    requests: { add: () => undefined },
    hits: noHits,
    onResponse: () => undefined,
  });
  edges.push(edge);
  return { edge, waited };
}

it("the deadline of a request includes the time in which the core checks the key, and none for a known key", async () => {
  const { edge, waited } = slowCore();
  const post = {
    method: "POST",
    url: "/v1/email/send",
    headers: { "x-api-key": newSecret("live") },
  } as const;
  const payload = { from: "a@example.com", to: "b@example.net", subject: "Hi", text: "Hello" };
  const refused = await edge.inject({ ...post, payload });
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "1"]);
  await edge.inject({ ...post, payload });
  expect(waited).toEqual([CHECK_MS, 0]);
});
