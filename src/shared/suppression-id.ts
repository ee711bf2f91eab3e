/** Subject of a suppression list entry: an address, or `@` and a domain, within a scope. */
interface Suppressed {
  readonly addressKey: string;
  readonly policy?: string;
}

const PREFIX = "sup_";
/** The longest address (four octets for each character of its key) and policy name, in base64. */
const MAX_ID_LENGTH = 1_000;

/** Id for callers, derived from address and scope. It is valid in a path with any content. */
export function shownId({ addressKey, policy = "" }: Suppressed): string {
  return PREFIX + Buffer.from(`${addressKey}:${policy}`).toString("base64url");
}

/** Address and scope of an id; undefined: not a valid id. */
export function nameOfId(id: string): Suppressed | undefined {
  if (!id.startsWith(PREFIX) || id.length > MAX_ID_LENGTH) return undefined;
  const text = Buffer.from(id.slice(PREFIX.length), "base64url").toString();
  // An address may contain a colon, but a policy name cannot.
  const end = text.lastIndexOf(":");
  const policy = text.slice(end + 1);
  const name = { addressKey: text.slice(0, Math.max(end, 0)), ...(policy !== "" && { policy }) };
  return end > 0 && shownId(name) === id ? name : undefined;
}
