/** A path and the parameters behind it: what MAIL and RCPT have in common (RFC 5321 section 4.1.2). */
export interface PathCommand {
  /** What stands between the brackets, without a source route; empty: the null path. */
  readonly address: string;
  /** By name in capitals; `true`: it has no value. */
  readonly parameters: ReadonlyMap<string, string | true>;
}

/** A quoted string may hold what would end the path elsewhere. */
const PATH = /^<((?:[^<>"\s]|"(?:[^"\\]|\\.)*")*)>(?: +(.*))?$/;
const SOURCE_ROUTE = /^@[^\s,:@"]+(?:,@[^\s,:@"]+)*:/;
/** esmtp-param; values of internationalised mail may hold other octets than US-ASCII (RFC 6531 section 3.3). */
const PARAMETER = /^([A-Za-z0-9][A-Za-z0-9-]*)(?:=([^\s=]+))?$/;

/**
 * Reads what follows `MAIL FROM:` or `RCPT TO:`. A space behind the colon is let pass, as many clients send it.
 * @returns undefined: it is malformed, or has a parameter twice
 */
export function parsePathCommand(keyword: "MAIL FROM" | "RCPT TO", line: string): PathCommand | undefined {
  const [verb = "", preposition = ""] = keyword.split(" ");
  const start = new RegExp(`^${verb} +${preposition} *: *`, "i").exec(line);
  const match = start && PATH.exec(line.slice(start[0].length).trimEnd());
  if (!match) return undefined;
  const [, path = "", rest = ""] = match;
  const parameters = new Map<string, string | true>();
  for (const text of rest.split(" ").filter(Boolean)) {
    const [, name = "", value = true] = PARAMETER.exec(text) ?? [];
    if (name === "" || parameters.has(name.toUpperCase())) return undefined;
    parameters.set(name.toUpperCase(), value);
  }
  // Source routes are read past (RFC 5321 appendix C).
  return { address: path.replace(SOURCE_ROUTE, ""), parameters };
}
