/** Filter by the owner of documents. */
export interface Owner {
  /** Missing: all owners. */
  readonly accountId?: string;
}

/** Only for the functions of `acrossAccounts`. */
export const everybodys: Owner = {};

/** A document without its owner, which the account's functions add. */
export type OfAccount<T extends Owner> = Omit<T, "accountId">;
