/** The text of a name that comes from the network: `constructor` is not one. */
export function ownText<Text>(
  texts: Readonly<Record<string, Text | undefined>>,
  name: string,
): Text | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
