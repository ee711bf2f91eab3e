import { waitingStates } from "../../shared/message-state.ts";
import type { Classes } from "../audit/classes.ts";
import type { HoldDocument } from "../hold-document.ts";
import type {
  ChunkDocument,
  ContentDocument,
  EventDocument,
  MessageDocument,
  QuarantineDocument,
  SandboxDocument,
} from "../message-documents.ts";
import { messageFault } from "../message-fault.ts";
import { type SealedBody, sealedBodies } from "../sealing/sealed-body.ts";
import { BY_BUCKET, BY_HASHED_ID, EXPIRES, ID_ONLY, ifPresent, type Manifest } from "./manifest.ts";

/** Fields of a message that members change. Its events record the rest. */
const message: Classes<Pick<MessageDocument, "state" | "cancelRequestedAt" | "nextAttemptAt">> = {
  state: "track",
  nextAttemptAt: "track",
  cancelRequestedAt: "track",
};

const tally: Classes<{ readonly count: number }> = { count: "track" };

export interface MessageDocuments {
  readonly messages: MessageDocument;
  readonly contents: ContentDocument;
  readonly chunks: ChunkDocument;
  readonly sealedBodies: SealedBody;
  readonly events: EventDocument;
  readonly sandboxMessages: SandboxDocument;
  readonly quarantine: QuarantineDocument;
  readonly queueHolds: HoldDocument;
}

export const messageManifest = {
  messages: {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { traceId: 1 } },
      // One atomic write stores a message unless it exists, without a lock that can expire.
      {
        key: { bucket: 1, accountId: 1, operation: 1, idempotencyKey: 1 },
        name: "idempotency_in_bucket",
        unique: true,
        ...ifPresent("idempotencyKey"),
      },
      // The queue: waiting messages by either of two marks, so that a message with one damaged mark is found.
      {
        key: { partition: 1, priority: 1, nextAttemptAt: 1, recipientDomain: 1 },
        name: "waiting",
        partialFilterExpression: {
          $or: [{ nextAttemptAt: { $exists: true } }, { state: { $in: [...waitingStates] } }],
        },
      },
      // Waiting messages of an account by destination, also those of one policy, countable without reading messages.
      {
        key: { accountId: 1, recipientDomain: 1, createdAt: 1, state: 1, policy: 1 },
        name: "waiting_of_policy",
        partialFilterExpression: { state: { $in: [...waitingStates] } },
      },
      {
        key: { partition: 1, cancelRequestedAt: 1 },
        name: "cancel_requests",
        ...ifPresent("cancelRequestedAt"),
      },
      { key: { expireAt: 1 }, expireAfterSeconds: 0, ...ifPresent("expireAt") },
    ],
    shardKey: BY_BUCKET,
    deletion: "messages",
    export: { by: ["-_id"], faultOf: messageFault },
    audited: {},
    auditedInPart: {
      message,
    },
  },
  contents: {
    indexes: [EXPIRES],
    shardKey: BY_BUCKET,
    deletion: "messages",
    export: { within: "message" },
    audited: {},
  },
  chunks: {
    indexes: [EXPIRES],
    shardKey: BY_HASHED_ID,
    deletion: "messages",
    export: { within: "message" },
    audited: {},
  },
  sealedBodies: { owner: "installation", indexes: [EXPIRES], audited: {}, sealed: sealedBodies },
  events: {
    indexes: [EXPIRES],
    shardKey: BY_BUCKET,
    deletion: "messages",
    export: { within: "message" },
    audited: {},
  },
  sandboxMessages: {
    indexes: [{ key: { accountId: 1, _id: -1 } }, EXPIRES],
    deletion: "messages",
    export: { by: ["-_id"], without: ["source", "chunkCount"] },
    audited: {},
    auditedInPart: {
      sandbox: tally,
    },
  },
  quarantine: {
    indexes: [{ key: { accountId: 1, _id: 1 } }],
    deletion: "settings",
    export: { by: ["_id"] },
    audited: {
      quarantined: {
        _id: "ignore",
        bucket: "ignore",
        accountId: "ignore",
        traceId: "track",
        reason: "track",
        at: "track",
        from: "track",
        recipient: "track",
        subject: "track",
        cancelRequestedAt: "track",
      },
    },
    named: { quarantined: ({ subject = "" }) => ({ name: subject }) },
  },
  queueHolds: {
    owner: "installation",
    indexes: [ID_ONLY],
    audited: {
      queue_hold: {
        _id: "ignore",
        accountId: "track",
        destination: "track",
        policy: "track",
        reason: "track",
        heldAt: "ignore",
      },
    },
    named: { queue_hold: ({ _id }) => ({ name: _id }) },
  },
} as const satisfies Manifest<MessageDocuments>;
