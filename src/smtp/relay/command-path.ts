/** A path and its parameters: the common syntax of MAIL and RCPT (RFC 5321 section 4.1.2). */
export interface PathCommand {
  /** Text between the brackets, without a source route; empty: the null path. */
  readonly address: string;
  /** By name in upper case; `true`: the parameter has no value. */
  readonly parameters: ReadonlyMap<string, string | true>;
}

/** A quoted string may contain characters that end the path elsewhere. */
const PATH = /^<((?:[^<>"\s]|"(?:[^"\\]|\\.)*")*)>(?: +(.*))?$/;
const SOURCE_ROUTE = /^@[^\s,:@"]+(?:,@[^\s,:@"]+)*:/;
/** esmtp-param. Values of internationalized mail may contain octets outside US-ASCII (RFC 6531 section 3.3). */
const PARAMETER = /^([A-Za-z0-9][A-Za-z0-9-]*)(?:=([^\s=]+))?$/;

/**
 * Parses the text after `MAIL FROM:` or `RCPT TO:`. Accepts a space after the colon, because many clients send one.
 * @returns undefined: the text is malformed, or repeats a parameter
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
  // Source routes are ignored (RFC 5321 appendix C).
  return { address: path.replace(SOURCE_ROUTE, ""), parameters };
}
