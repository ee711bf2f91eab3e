import type { ErasureDocument } from "../erasure-document.ts";
import type { RetentionDocument } from "../retention-document.ts";
import type { Classes } from "./classes.ts";

/** Nothing of it tells whom it is about. */
export const erasure: Classes<ErasureDocument> = {
  _id: "ignore",
  accountId: "ignore",
  address: "ignore",
  salt: "ignore",
  addressHash: "ignore",
  keepSuppressed: "track",
  requestedAt: "track",
  requestedBy: "ignore",
  removed: "track",
  heldUntil: "ignore",
  waiting: "ignore",
  finishedAt: "track",
  look: { at: "ignore", messages: "track", captured: "track", auditEntries: "track" },
  left: { sharedBodies: "track", mentions: "track", suppressions: "track" },
  expireAt: "ignore",
};

/** How long an account keeps things, as somebody has set it. */
export const retention: Classes<RetentionDocument> = {
  _id: "ignore",
  accountId: "ignore",
  contentDays: "track",
  messageDays: "track",
  requestDays: "track",
  sandboxHours: "track",
  changedAt: "ignore",
  dueAt: "ignore",
  appliedAt: "ignore",
  bodiesUntil: "ignore",
};
