import type { HoldDocument } from "../hold-document.ts";
import type { JobDocument } from "../job-documents.ts";
import type { Classes } from "./classes.ts";

/** That it was begun, and for what, and that somebody wants its end; how it goes on is in itself. */
export const job: Classes<JobDocument> = {
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
};

export const queueHold: Classes<HoldDocument> = {
  _id: "ignore",
  accountId: "track",
  destination: "track",
  policy: "track",
  reason: "track",
  heldAt: "ignore",
};
