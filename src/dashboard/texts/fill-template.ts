/** The text of a param; undefined: the value is none for a text. @param table words for its values */
export type ShowParam = (value: unknown, table: string | undefined) => string | undefined;

/**
 * Replaces the placeholders `{name}` and `{name:table}` of a text of the API.
 * @param params from the network
 * @returns undefined: a param is missing or cannot be shown
 */
export function fillTemplate(
  template: string,
  params: Readonly<Record<string, unknown>>,
  show: ShowParam,
): string | undefined {
  let isWhole = true;
  const text = template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, table: string | undefined) => {
    const shown = Object.hasOwn(params, name) ? show(params[name], table) : undefined;
    isWhole &&= shown !== undefined;
    return shown ?? "";
  });
  return isWhole ? text : undefined;
}
