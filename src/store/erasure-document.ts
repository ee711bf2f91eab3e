import type { AuditActor } from "../shared/audit.ts";
import type { Removed } from "./message-removal.ts";

/** Data about a recipient that an erasure keeps, with counts. */
export interface ErasureRest {
  /** Bodies of submissions that also had other recipients. They are removed with the last of these. */
  readonly sharedBodies?: number;
  /** Messages to other recipients with the address in sender, subject, tags or metadata. */
  readonly mentions?: number;
  /** Entries of the suppression list that the request kept. */
  readonly suppressions?: number;
}

/** Counts of the final verification, which found nothing. */
export interface ErasureProgress {
  readonly at: Date;
  readonly messages: number;
  readonly captured: number;
  readonly auditEntries: number;
}

/** An erasure of all data of an account about one recipient. The finished document does not contain the address. */
export interface ErasureDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Comparison key of the address, only while the erasure is running. */
  readonly address?: string;
  /** base64url. */
  readonly salt: string;
  /** SHA-256 of the salt, as text, and the comparison key of the address, base64url. */
  readonly addressHash: string;
  readonly keepSuppressed: boolean;
  /** Data accepted later is not affected. */
  readonly requestedAt: Date;
  readonly requestedBy: AuditActor;
  /** Number of removed documents by collection. The suffix `Changed` counts documents that stay without the address. */
  readonly removed: Removed;
  /** Only while the erasure is running: end of the claim of its worker. */
  readonly heldUntil?: Date;
  /** Messages that their worker has not released yet, as of the last check. */
  readonly waiting: number;
  readonly finishedAt?: Date;
  readonly look?: ErasureProgress;
  readonly left?: ErasureRest;
  /** Only after the end: the document is removed after this time. */
  readonly expireAt?: Date;
}

/** A running erasure. */
export type OpenErasure = ErasureDocument & Required<Pick<ErasureDocument, "address" | "heldUntil">>;
