/** What an entry of the suppression list is about: an address, or `@` and a domain, within a scope. */
interface Suppressed {
  readonly addressKey: string;
  readonly policy?: string;
}

const PREFIX = "sup_";
/** The longest address (four octets for each character that its key may have) and name of a policy, in base 64. */
const MAX_ID_LENGTH = 1_000;

/** The id that callers see: it follows from address and scope, whatever they hold, and fits into a path. */
export function shownId({ addressKey, policy = "" }: Suppressed): string {
  return PREFIX + Buffer.from(`${addressKey}:${policy}`).toString("base64url");
}

/** What an id names; undefined: nothing has it. */
export function nameOfId(id: string): Suppressed | undefined {
  if (!id.startsWith(PREFIX) || id.length > MAX_ID_LENGTH) return undefined;
  const text = Buffer.from(id.slice(PREFIX.length), "base64url").toString();
  // An address may hold a colon, and no name of a policy does.
  const end = text.lastIndexOf(":");
  const policy = text.slice(end + 1);
  const name = { addressKey: text.slice(0, Math.max(end, 0)), ...(policy !== "" && { policy }) };
  return end > 0 && shownId(name) === id ? name : undefined;
}
