import type { SMTPServerDataStream } from "smtp-server";
import type { CoreClient } from "../../rpc/client.ts";
import type { MailCommand } from "./mail-command.ts";
import type { SessionOwner } from "./owner-places.ts";
import type { Recipient } from "./rcpt-command.ts";
import type { Reply } from "./reply.ts";
import type { SessionPlaces } from "./session-places.ts";

export type Submissions = CoreClient["submissions"];

/** A sending key as a session presented it; its names are those of the core's Credential. */
export interface Credential {
  readonly username: string;
  readonly password: string;
  readonly clientAddress: string;
}

/** What a session has said before DATA. */
export interface Transaction {
  readonly credential: Credential;
  readonly mail: MailCommand;
  readonly recipients: readonly Recipient[];
  /** As EHLO gave it. */
  readonly clientName: string;
  /** As a Received field names it (RFC 3848, RFC 6531). */
  readonly protocol: string;
}

/** What the sessions of a relay ask; nothing here rejects. */
export interface RelayRules extends SessionPlaces {
  readonly maxBytes: number;
  readonly maxRecipients: number;
  /** How long a client may be silent, and how long before it has authenticated. */
  readonly idleTimeoutMs: number;
  readonly unauthenticatedTimeoutMs: number;
  /** How long a message may take from DATA to its end. */
  readonly dataTimeoutMs: number;
  /** The credential of peers that need not authenticate; undefined: there are none. */
  readonly insecureCredential: Pick<Credential, "username" | "password"> | undefined;
  /** The account and key that it opens, or what stands against it. */
  authenticate(credential: Credential): Promise<SessionOwner | Reply>;
  checkSender(credential: Credential, address: string): Promise<Reply | undefined>;
  /** Reads the message to its end, whatever becomes of it. */
  acceptMessage(stream: SMTPServerDataStream, transaction: Transaction): Promise<Reply>;
}
