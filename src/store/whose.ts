/** Filter by the owner of documents. */
export interface Whose {
  /** Missing: all owners. */
  readonly accountId?: string;
}

/** Only for the functions of `acrossAccounts`. */
export const everybodys: Whose = {};

/** A document without its owner, which the account's functions add. */
export type OfAccount<T extends Whose> = Omit<T, "accountId">;
