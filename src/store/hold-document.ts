/** A hold: waiting messages that it selects are not sent until it is released. Without a field it selects all messages. */
export interface HoldDocument {
  /** Follows from the other fields. */
  readonly _id: string;
  /** Missing: every account's. */
  readonly accountId?: string;
  /** Domain of the recipients, as A-labels in lower case. */
  readonly destination?: string;
  readonly policy?: string;
  readonly reason: string;
  readonly heldAt: Date;
}

/** Each worker has all of them in memory. */
export const MAX_HOLDS = 1_000;

type HoldSelection = Pick<HoldDocument, "accountId" | "destination" | "policy">;

/** The id of the hold of these messages: there is one for each selection. */
export function holdId({ accountId = "", destination = "", policy = "" }: HoldSelection): string {
  return [accountId, destination, policy].join("/");
}
