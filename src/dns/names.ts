// RFC 1035 section 2.3.4: 255 octets on the wire are 253 in text.
const MAX_NAME_LENGTH = 253;
/** Letters, digits, hyphen; "_" of service names, "/" of delegations by RFC 2317. */
const QUERY_LABEL = /^[a-z0-9_/-]{1,63}$/;
const HOST_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** The normalized name for queries and comparisons; undefined: it cannot be queried. */
export function queryName(name: string): string | undefined {
  return checked(name, QUERY_LABEL);
}

/**
 * The normalized name if it can be a host name: not the root, not an address, no unusual octets. Underscores are allowed,
 * because some exchanges have them.
 */
export function hostName(name: string): string | undefined {
  const host = checked(name, HOST_LABEL);
  // A connection would treat a number at the end as an IPv4 address: "127.1" is 127.0.0.1.
  return host === undefined || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(host) ? undefined : host;
}

function checked(name: string, label: RegExp): string | undefined {
  const plain = (name.endsWith(".") ? name.slice(0, -1) : name).toLowerCase();
  if (plain.length > MAX_NAME_LENGTH) return undefined;
  return plain.split(".").every((part) => label.test(part)) ? plain : undefined;
}
