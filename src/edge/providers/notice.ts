import type { IncomingHttpHeaders } from "node:http";
import { fault } from "../../shared/fault.ts";

/** One event of a provider about one message and one recipient. Unknown texts are empty. */
export interface Notice {
  /** The provider's id of the event, the same in every repetition. */
  readonly id: string;
  /** bounced, complained, unsubscribed, opened or clicked; else the provider's own word. */
  readonly kind: string;
  /** The return path of the message, or the local part of it. */
  readonly returnPath: string;
  readonly recipient: string;
  /** Time of the event; undefined: not reported. */
  readonly at: Date | undefined;
  /** For a bounce: enhanced status code (RFC 3463), and the text of the refusing server. */
  readonly status: string;
  readonly detail: string;
  /** For an open or a click. */
  readonly url: string;
  readonly userAgent: string;
  readonly clientAddress: string;
}

/**
 * Checks that a request comes from its provider, and reads what it says.
 * @throws Fault provider.signature_invalid, request.malformed_json; core.unavailable: it could not be checked, and has to come again
 */
export type ReadNotices = (headers: IncomingHttpHeaders, body: Buffer) => Promise<readonly Notice[]>;

/** Creates a notice from its known properties. */
export function notice(reported: Partial<Notice> & Pick<Notice, "id" | "kind">): Notice {
  return {
    returnPath: "",
    recipient: "",
    at: undefined,
    status: "",
    detail: "",
    url: "",
    userAgent: "",
    clientAddress: "",
    ...reported,
  };
}

/** @throws Fault request.malformed_json */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fault("request.malformed_json", { cause: error });
  }
}

/** The status of a message that the provider itself refused to send, where it names none: about the message, not its recipient. */
export const REFUSED_BY_PROVIDER = "5.7.1";

/** Value at a path of names; undefined: none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    const isThere = typeof found === "object" && found !== null && Object.hasOwn(found, name);
    found = isThere ? (found as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return found;
}

/** A text or a number, as text; empty: neither stands there. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A time as text (RFC 3339) or in seconds since 1970. */
export function timeAt(value: unknown, ...path: readonly string[]): Date | undefined {
  const found = at(value, ...path);
  const time = new Date(
    typeof found === "number" ? found * 1000 : typeof found === "string" ? found : Number.NaN,
  );
  return Number.isNaN(time.getTime()) ? undefined : time;
}
