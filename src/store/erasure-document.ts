import type { AuditActor } from "../shared/audit.ts";
import type { Removed } from "./message-removal.ts";

/** What of a recipient an erasure has left, and how many of each. */
export interface ErasureRest {
  /** Bodies of submissions that had other recipients, too: they go with the last of these. */
  readonly sharedBodies?: number;
  /** Messages to others in whose sender, subject, tags or metadata the address stands. */
  readonly mentions?: number;
  /** Entries of the suppression list that were to stay. */
  readonly suppressions?: number;
}

/** What a look at everything at the end has seen, and found nothing in. */
export interface ErasureLook {
  readonly at: Date;
  readonly messages: number;
  readonly captured: number;
  readonly auditEntries: number;
}

/** That all which an account had about one recipient was removed, or is being removed; in the end without the address. */
export interface ErasureDocument {
  readonly _id: string;
  readonly accountId: string;
  /** The comparison key of the address; only while it is under way. */
  readonly address?: string;
  /** base64url. */
  readonly salt: string;
  /** SHA-256 of the salt, as text, and the comparison key of the address, base64url. */
  readonly addressHash: string;
  readonly keepSuppressed: boolean;
  /** What was accepted later is not meant. */
  readonly requestedAt: Date;
  readonly requestedBy: AuditActor;
  /** How many documents were removed, by collection; with `Changed` at the end of the name those that stay without the address. */
  readonly removed: Removed;
  /** Only while it is under way: whoever works on it has it until then. */
  readonly heldUntil?: Date;
  /** Messages that their worker has still to give up, when that was last looked at. */
  readonly waiting: number;
  readonly finishedAt?: Date;
  readonly look?: ErasureLook;
  readonly left?: ErasureRest;
  /** Only when it is finished: removed after this. */
  readonly expireAt?: Date;
}

/** An erasure that is under way. */
export type OpenErasure = ErasureDocument & Required<Pick<ErasureDocument, "address" | "heldUntil">>;
