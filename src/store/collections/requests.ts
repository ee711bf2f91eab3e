import type { RequestCounterDocument } from "../request-counters.ts";
import type { RequestsDocument } from "../request-store.ts";
import { BY_ACCOUNT, EXPIRES, FEW, type Manifest } from "./manifest.ts";

/** API requests, several in a document: an account makes many, and few are ever read. */
export interface RequestDocuments {
  readonly requests: RequestsDocument;
  readonly requestCounters: RequestCounterDocument;
}

/**
 * The request log, which members search on the dashboard, and its sums. Each document expires as a whole.
 */
export const requestManifest = {
  // A search uses one mark, and reads the few requests with it.
  requests: {
    indexes: [{ key: { accountId: 1, _id: -1 } }, { key: { accountId: 1, marks: 1, _id: -1 } }, EXPIRES],
    shardKey: BY_ACCOUNT,
    deletion: "settings",
    // Marks only serve searches, and repeat values of the entries.
    export: { by: ["-_id"], without: ["marks", "expireAt"], limit: FEW },
    audited: {},
  },
  // After the log: no request is counted once it is removed.
  requestCounters: {
    indexes: [{ key: { accountId: 1, step: 1, at: 1 } }, EXPIRES],
    deletion: "settings",
    export: { omitted: "sums of the requests" },
    audited: {},
  },
} as const satisfies Manifest<RequestDocuments>;
