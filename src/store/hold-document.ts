/** A hold: the selected waiting messages are not sent until it is released. A missing field selects all messages. */
export interface HoldDocument {
  /** Derived from the other fields. */
  readonly _id: string;
  /** Missing: all accounts. */
  readonly accountId?: string;
  /** Domain of the recipients, in A-labels and lower case. */
  readonly destination?: string;
  readonly policy?: string;
  readonly reason: string;
  readonly heldAt: Date;
}

/** Each worker keeps all of them in memory. */
export const MAX_HOLDS = 1_000;

type HoldSelection = Pick<HoldDocument, "accountId" | "destination" | "policy">;

/** Id of the hold of these messages: there is one for each selection. */
export function holdId({ accountId = "", destination = "", policy = "" }: HoldSelection): string {
  return [accountId, destination, policy].join("/");
}
