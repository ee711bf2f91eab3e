const ONE_WORD = /^[!-~]+$/;

/**
 * An HTTP or HTTPS URL without a user, for use in a line of text: spaces, line ends and letters of other scripts are
 * escaped as in browsers.
 * @param most characters after escaping
 * @returns undefined: the text is not such a URL
 */
export function webAddressOf(text: string, most: number): string | undefined {
  if (text.length > most || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  const isOfWeb = (protocol === "https:" || protocol === "http:") && username === "" && password === "";
  const address = ONE_WORD.test(text) ? text : href;
  return isOfWeb && address.length <= most ? address : undefined;
}
