const ONE_WORD = /^[!-~]+$/;

/**
 * An address of HTTP or HTTPS without a user in it, fit to stand in a line of text: what may not stand in one, as spaces, line ends and
 * letters of other scripts, is escaped as browsers do.
 * @param most characters, once it is escaped
 * @returns undefined: it is none
 */
export function webAddressOf(text: string, most: number): string | undefined {
  if (text.length > most || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  const isOfWeb = (protocol === "https:" || protocol === "http:") && username === "" && password === "";
  const address = ONE_WORD.test(text) ? text : href;
  return isOfWeb && address.length <= most ? address : undefined;
}
