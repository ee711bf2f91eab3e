import type { JobDocument, JobItemsDocument, JobResultsDocument } from "../job-documents.ts";
import { EXPIRES, FEW, ifPresent, type Manifest } from "./manifest.ts";

export interface JobDocuments {
  readonly jobs: JobDocument;
  readonly jobResults: JobResultsDocument;
  readonly jobItems: JobItemsDocument;
}

export const jobManifest = {
  jobs: {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { accountId: 1, state: 1, _id: -1 } },
      { key: { accountId: 1, kind: 1, _id: -1 } },
      { key: { accountId: 1, kind: 1, state: 1, _id: -1 } },
      // An account has at most as many open jobs as slots, also with concurrent starts.
      { key: { accountId: 1, slot: 1 }, name: "open", unique: true, ...ifPresent("slot") },
      { key: { turnAt: 1, ranAt: 1 }, name: "turns", ...ifPresent("turnAt") },
      EXPIRES,
    ],
    deletion: "access",
    export: { by: ["-_id"] },
    audited: {
      /** Start and cancellation. The job itself records its progress. */
      job: {
        _id: "ignore",
        accountId: "ignore",
        kind: "track",
        params: "ignore",
        about: "track",
        permission: "ignore",
        startedBy: "ignore",
        state: "ignore",
        total: "ignore",
        done: "ignore",
        skipped: "ignore",
        failed: "ignore",
        place: "ignore",
        steps: "ignore",
        createdAt: "ignore",
        startedAt: "ignore",
        finishedAt: "ignore",
        cancelRequestedAt: "track",
        expireAt: "ignore",
        failure: "ignore",
        slot: "ignore",
        turnAt: "ignore",
        ranAt: "ignore",
        holder: "ignore",
        expiresAt: "ignore",
        epoch: "ignore",
        takes: "ignore",
      },
    },
    named: { job: ({ kind }) => ({ name: kind }) },
  },
  jobResults: {
    indexes: [
      { key: { accountId: 1, jobId: 1, _id: 1 } },
      { key: { accountId: 1, jobId: 1, outcomes: 1, _id: 1 } },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["jobId", "_id"], limit: FEW },
    audited: {},
  },
  jobItems: {
    indexes: [{ key: { accountId: 1, _id: 1 } }, EXPIRES],
    deletion: "settings",
    export: { omitted: "ids of messages that a running job has not processed yet" },
    audited: {},
  },
} as const satisfies Manifest<JobDocuments>;
