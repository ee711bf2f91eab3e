import { parseAddress } from "../../message/address/addresses.ts";
import { isAscii } from "../../message/characters.ts";
import { parsePathCommand } from "./command-path.ts";
import { type Reply, reply } from "./reply.ts";
import { decodeXtext } from "./xtext.ts";

/** Parsed MAIL command. */
export interface MailCommand {
  /** Empty: the null sender. */
  readonly address: string;
  readonly smtpUtf8: boolean;
  /** SIZE (RFC 1870). */
  readonly sizeBytes: number | undefined;
  /** RET (RFC 3461). */
  readonly returnContent: "full" | "headers" | undefined;
  /** ENVID (RFC 3461), decoded. */
  readonly envelopeId: string | undefined;
}

type Parameters = ReadonlyMap<string, string | true>;

/** RFC 3461 section 4.4. */
const MAX_ENVELOPE_ID = 100;
const KNOWN = new Set(["SIZE", "BODY", "SMTPUTF8", "RET", "ENVID", "AUTH"]);

/** Parses `MAIL FROM:<…> …`. A reply gives the reason of a refusal. */
export function readMailCommand(line: string, maxBytes: number): MailCommand | Reply {
  const command = parsePathCommand("MAIL FROM", line);
  if (!command) return reply(501, "5.5.4", "Syntax: MAIL FROM:<address>, with each parameter at most once");
  const { address, parameters } = command;
  const unknown = [...parameters.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) return reply(555, "5.5.4", `The parameter ${unknown} is not supported`);
  return readParameters(parameters, maxBytes) ?? readSender(address, parameters);
}

function readParameters(parameters: Parameters, maxBytes: number): Reply | undefined {
  const size = parameters.get("SIZE");
  if (size !== undefined && !/^\d{1,20}$/.test(String(size))) {
    return reply(501, "5.5.4", "SIZE must be a number of octets");
  }
  if (Number(size ?? 0) > maxBytes) {
    return reply(552, "5.3.4", `The message is larger than ${maxBytes} octets`);
  }
  const body = parameters.get("BODY");
  if (body !== undefined && !/^(?:7BIT|8BITMIME)$/i.test(String(body))) {
    return reply(501, "5.5.4", "BODY must be 7BIT or 8BITMIME");
  }
  if (parameters.has("SMTPUTF8") && parameters.get("SMTPUTF8") !== true) {
    return reply(501, "5.5.4", "SMTPUTF8 must not have a value");
  }
  const ret = parameters.get("RET");
  if (ret !== undefined && !/^(?:FULL|HDRS)$/i.test(String(ret))) {
    return reply(501, "5.5.4", "RET must be FULL or HDRS");
  }
  const envid = parameters.get("ENVID");
  if (envid !== undefined && !(envelopeIdOf(parameters)?.length ?? 0)) {
    return reply(501, "5.5.4", `ENVID must be xtext of at most ${MAX_ENVELOPE_ID} characters`);
  }
  // RFC 4954 section 5 allows ignoring the identity in AUTH.
  const auth = parameters.get("AUTH");
  if (auth === true || (auth !== undefined && decodeXtext(auth) === undefined)) {
    return reply(501, "5.5.4", "AUTH must be xtext");
  }
  return undefined;
}

function readSender(path: string, parameters: Parameters): MailCommand | Reply {
  const ret = parameters.get("RET");
  const size = parameters.get("SIZE");
  const rest = {
    smtpUtf8: parameters.has("SMTPUTF8"),
    sizeBytes: size === undefined ? undefined : Number(size),
    returnContent: ret === undefined ? undefined : String(ret).toUpperCase() === "FULL" ? "full" : "headers",
    envelopeId: envelopeIdOf(parameters),
  } as const;
  if (path === "") return { address: "", ...rest };
  const parsed = parseAddress(path);
  if (!parsed.ok) return reply(553, "5.1.7", parsed.message.text);
  if (!isAscii(path) && !rest.smtpUtf8) {
    return reply(553, "5.6.7", "An address with non-ASCII characters requires SMTPUTF8");
  }
  return { address: parsed.address, ...rest };
}

function envelopeIdOf(parameters: Parameters): string | undefined {
  const value = parameters.get("ENVID");
  if (typeof value !== "string" || value.length > MAX_ENVELOPE_ID) return undefined;
  return decodeXtext(value);
}
