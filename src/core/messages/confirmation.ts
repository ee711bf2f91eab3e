// A bulk action is confirmed by a MAC over time, count, caller, account and request. Counting stores nothing, and a
// second click starts nothing, because the id of the job follows from the confirmation.

import { createHmac } from "node:crypto";
import { equalInConstantTime } from "../../shared/secrets.ts";
import type { Store } from "../../store/store.ts";
import { createSecretOpener } from "../secret-opener.ts";

/** A count that a client has received and confirms. */
export interface Counted {
  readonly accountId: string;
  /** Actor that has received the count. */
  readonly actorId: string;
  /** The action and its messages in canonical text form. */
  readonly canonical: string;
  readonly count: number;
  readonly at: Date;
}

export interface Confirmations {
  encode(counted: Counted): string;
  /**
   * Reads the count in a confirmation.
   * @returns undefined: the confirmation is not for this actor, action and messages
   */
  decode(
    confirmation: string,
    presented: Omit<Counted, "count" | "at">,
  ): Pick<Counted, "count" | "at"> | undefined;
}

/** A confirmation is valid for ten minutes. */
export const CONFIRMABLE_MS = 10 * 60_000;

/** Confirmations of an installation, opened on first use. */
export const createConfirmationOpener = (store: Pick<Store, "secrets">) =>
  createSecretOpener(store, "confirmations", createConfirmations);

const FORM = /^([0-9a-z]{1,12})\.([0-9a-z]{1,8})\.([A-Za-z0-9_-]{43})$/;

/**
 * A confirmation contains the time, the count, and a MAC of both and of the confirmed request, which the caller
 * repeats. Confirmations are therefore short, and unused ones occupy no storage.
 */
export function createConfirmations(secret: Buffer): Confirmations {
  const macOf = ({ accountId, actorId, canonical, count, at }: Counted) =>
    createHmac("sha256", secret)
      .update(JSON.stringify(["hermod bulk action", accountId, actorId, canonical, count, at.getTime()]))
      .digest("base64url");

  return {
    encode: (counted) => {
      const { count, at } = counted;
      return `${at.getTime().toString(36)}.${count.toString(36)}.${macOf(counted)}`;
    },
    decode: (confirmation, presented) => {
      const [, time = "", number = "", mac = ""] = FORM.exec(confirmation) ?? [];
      const tallied = { at: new Date(Number.parseInt(time, 36)), count: Number.parseInt(number, 36) };
      if (mac === "" || !equalInConstantTime(mac, macOf({ ...presented, ...tallied }))) return undefined;
      return tallied;
    },
  };
}
