/** The parameters of an address that a page knows and that are non-empty texts. */
export function readTexts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { [N in Name]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => {
      // The router reads `404` as a number.
      const value = typeof search[name] === "number" ? String(search[name]) : search[name];
      return typeof value === "string" && value !== "" ? [[name, value]] : [];
    }),
  ) as { [N in Name]?: string };
}
