import { createHash, createHmac } from "node:crypto";
import { fault } from "../../shared/fault.ts";
import { equalInConstantTime } from "../../shared/secrets.ts";

/** Position at which a list continues. */
export interface CursorPosition {
  readonly rank: string | number;
  readonly id: string;
}

/** Query of a list: a cursor is valid only for the same query. */
export type Question = Readonly<Record<string, unknown>>;

export interface Cursors {
  write(question: Question, position: CursorPosition): string;
  /**
   * @returns undefined at the beginning
   * @throws Fault cursor.invalid
   */
  read(question: Question, cursor: string): CursorPosition | undefined;
}

const TAG_BYTES = 16;
const MAX_CURSOR_LENGTH = 2_000;

/**
 * Creates opaque cursors. They never expire, and are refused for another query or installation. @param key a secret
 */
export function createCursors(key: Buffer): Cursors {
  const tagOf = (question: Question, body: string) =>
    createHmac("sha256", key)
      .update(createHash("sha256").update(JSON.stringify(question)).digest())
      .update(body)
      .digest()
      .subarray(0, TAG_BYTES)
      .toString("base64url");

  return {
    write(question, { rank, id }) {
      const body = Buffer.from(JSON.stringify([rank, id])).toString("base64url");
      return `${body}.${tagOf(question, body)}`;
    },

    read(question, cursor) {
      if (cursor === "") return undefined;
      const [body = "", tag = "", ...rest] = cursor.split(".");
      const isGiven =
        cursor.length <= MAX_CURSOR_LENGTH &&
        rest.length === 0 &&
        equalInConstantTime(tag, tagOf(question, body));
      if (!isGiven) throw fault("cursor.invalid");
      const [rank, id] = JSON.parse(Buffer.from(body, "base64url").toString()) as [string | number, string];
      return { rank, id };
    },
  };
}
