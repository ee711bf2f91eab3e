/** A header of every request, in a form. */
export interface HeaderValue {
  readonly name: string;
  /** Empty: the stored value stays. */
  readonly value: string;
}

/** Stored headers in a form, which has no values of them. */
export const storedHeaders = (names: readonly string[]): HeaderValue[] =>
  names.map((name) => ({ name, value: "" }));

/** The headers as a request sends them, without empty rows. */
export const sentHeaders = (headers: readonly HeaderValue[]) =>
  headers
    .filter(({ name, value }) => name !== "" || value !== "")
    .map(({ name, value }) => ({ name, ...(value !== "" && { value }) }));

/** Whether Hermod has a value of this header. Names of headers ignore case. */
export const isStored = (name: string, storedNames: readonly string[]): boolean =>
  storedNames.some((one) => one.toLowerCase() === name.toLowerCase());

/** Whether a form relies on a stored value. Hermod does not send it to another URL. */
export const hasStoredValue = (headers: readonly HeaderValue[], storedNames: readonly string[]): boolean =>
  headers.some(({ name, value }) => value === "" && isStored(name, storedNames));
