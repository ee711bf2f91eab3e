/** In a filter: whose documents are meant. */
export interface Whose {
  /** Missing: everybody's. */
  readonly accountId?: string;
}

/** For the functions of `acrossAccounts`, and for no others. */
export const everybodys: Whose = {};

/** A document as the functions of its account take it: whose it is, is theirs to say. */
export type OfAccount<T extends Whose> = Omit<T, "accountId">;
