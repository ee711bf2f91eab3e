/** A part of what an account has, in the order of one field. */
export interface ListPage {
  /** That field of the last entry of the page before; undefined: from the beginning. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Filters for what an account has behind the page before; there is an index of the account and the field. */
export function afterPage<F extends string>(accountId: string, { after }: ListPage, field: F) {
  const behind = after === undefined ? {} : { [field]: { $gt: after } };
  return { accountId, ...(behind as { readonly [K in F]?: { readonly $gt: string } }) };
}
