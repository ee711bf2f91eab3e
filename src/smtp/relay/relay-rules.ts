import type { SMTPServerDataStream } from "smtp-server";
import type { CoreClient } from "../../rpc/client.ts";
import type { MailCommand } from "./mail-command.ts";
import type { SessionOwner } from "./owner-slots.ts";
import type { Recipient } from "./rcpt-command.ts";
import type { Reply } from "./reply.ts";
import type { SessionSlots } from "./session-slots.ts";

export type Submissions = CoreClient["submissions"];

/** A sending key as presented by a session, with the field names of the core's Credential. */
export interface Credential {
  readonly username: string;
  readonly password: string;
  readonly clientAddress: string;
}

/** Data of a session before DATA. */
export interface Transaction {
  readonly credential: Credential;
  readonly mail: MailCommand;
  readonly recipients: readonly Recipient[];
  /** Name from EHLO. */
  readonly clientName: string;
  /** Protocol name for a Received field (RFC 3848, RFC 6531). */
  readonly protocol: string;
}

/** Functions and limits that the sessions of a relay use. No function rejects. */
export interface RelayRules extends SessionSlots {
  readonly maxBytes: number;
  readonly maxRecipients: number;
  /** Idle timeout of a client, and its idle timeout before authentication. */
  readonly idleTimeoutMs: number;
  readonly unauthenticatedTimeoutMs: number;
  /** Time limit of a message from DATA to its end. */
  readonly dataTimeoutMs: number;
  /** Credential of peers that need not authenticate; undefined: there are none. */
  readonly insecureCredential: Pick<Credential, "username" | "password"> | undefined;
  /** Returns the account and key of the credential, or the reply of a refusal. */
  authenticate(credential: Credential): Promise<SessionOwner | Reply>;
  checkSender(credential: Credential, address: string): Promise<Reply | undefined>;
  /** Reads the message to its end in any case. */
  acceptMessage(stream: SMTPServerDataStream, transaction: Transaction): Promise<Reply>;
}
