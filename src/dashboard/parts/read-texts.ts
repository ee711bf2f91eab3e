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

/** Those parameters of an address that have a known value. @param choices values of each parameter */
export function readChoices<Name extends string>(
  search: Record<string, unknown>,
  choices: Readonly<Record<Name, object>>,
): { [N in Name]?: string } {
  const names = Object.keys(choices) as Name[];
  const given = Object.entries<string | undefined>(readTexts(search, names));
  return Object.fromEntries(
    given.filter(([name, value = ""]) => Object.hasOwn(choices[name as Name], value)),
  ) as { [N in Name]?: string };
}
