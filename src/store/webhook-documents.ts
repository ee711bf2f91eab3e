/** The documents of webhooks, as they are stored. */

/** Where an account hears of its events. Secrets and the values of headers are encrypted where it is stored. */
export interface WebhookEndpointDocument {
  /** `wep_…`. */
  readonly _id: string;
  readonly accountId: string;
  /** Which of the endpoints that an account may have: no two have the same, so that none is made beyond them. */
  readonly place: number;
  readonly url: string;
  /** For people; empty: none. */
  readonly description: string;
  /** The types of events that it gets; missing: all, those of later releases too. */
  readonly types?: readonly string[];
  /** It gets only what happens to messages that have one of these tags; missing: whatever theirs. */
  readonly tags?: readonly string[];
  /** It gets only what happens to messages of one of these routing policies; missing: whatever theirs. */
  readonly policies?: readonly string[];
  /** It gets the events of a message one after the other, in their order. Missing: as they come. */
  readonly ordered?: true;
  /** Sent with every request, besides Hermod's own. */
  readonly headers: readonly WebhookHeader[];
  /** What requests are signed with, the youngest first: one, or two while a rotation lasts. */
  readonly secrets: readonly WebhookSecret[];
  /** The version of the payloads. */
  readonly version: string;
  /** Missing: it is enabled. */
  readonly disabled?: WebhookDisabled;
  /** Its owners are still to be told that it was disabled. */
  readonly untold?: true;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Grows with each change: whoever names an older one changes nothing. */
  readonly revision: number;
}

export interface WebhookHeader {
  readonly name: string;
  readonly value: string;
}

export interface WebhookSecret {
  /** `whsec_…`. */
  readonly secret: string;
  readonly createdAt: Date;
  /** It signs until then; missing: until it is rotated. */
  readonly expiresAt?: Date;
}

export interface WebhookDisabled {
  readonly at: Date;
  /**
   * - `owner`: somebody of the account wanted it
   * - `gone`: it has answered 410
   * - `failing`: for days nothing that was sent there was taken
   */
  readonly reason: "owner" | "gone" | "failing";
  /** For people. */
  readonly detail: string;
}
