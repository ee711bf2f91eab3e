import type { BackupProgress } from "./backup.ts";
import type { LostCommits } from "./storage/lost-commits.ts";

/** What the engine's thread is given, and what it says. */
export interface ThreadOptions {
  directory: string;
  socketPath: string;
  /** Of the exit gate. */
  exitGate: SharedArrayBuffer;
  housekeepingIntervalMs?: number;
  acceptedLoss?: number;
}

export type ThreadRequest = { kind: "close" } | { kind: "backUp"; target: string };

export type ThreadMessage =
  | { kind: "ready"; lost: LostCommits | undefined; unchecked: number; stuckBytes: number }
  | { kind: "refused"; inUse: boolean; message: string }
  | { kind: "failed"; message: string }
  | { kind: "troubled"; trouble: string | undefined }
  | { kind: "backingUp"; progress: BackupProgress }
  | { kind: "backedUp"; failure: { message: string; code: string | undefined } | undefined }
  | { kind: "closed" };
