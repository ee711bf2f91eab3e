import type { CallerIdentity } from "../../rpc/caller-identity.ts";
import { minuteText } from "../../shared/minute-text.ts";
import type { Letter } from "./letter.ts";

/** A change of a user's sign-in data. */
export interface SecurityChange {
  /** A sentence, for example `The password was changed.` */
  readonly what: string;
  readonly at: Date;
  /** Client that made the change; undefined: unknown. */
  readonly identity: CallerIdentity | undefined;
}

const MAX_AGENT_LENGTH = 120;

/** Notifies a user of a change that an attacker would conceal. */
export function securityNotice({ what, at, identity }: SecurityChange): Letter {
  const { clientAddress = "", clientAgent = "" } = identity ?? {};
  const from = clientAddress === "" ? "" : `, from ${clientAddress}`;
  const agent = clientAgent.replace(/[^\x20-\x7e]/g, "").slice(0, MAX_AGENT_LENGTH);
  return {
    subject: "Security of your Hermod account",
    paragraphs: [`${what} This was at ${minuteText(at)}${from}${agent === "" ? "" : ` (${agent})`}.`],
    closing: [
      "If this was not you, reset your password now, and contact the owner of your account or the operator.",
    ],
  };
}
