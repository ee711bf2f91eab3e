import { faultCodes } from "../../contracts/common/fault-codes.ts";
import type { Fault } from "../shared/fault.ts";

/** An error that smtp-server answers with this reply; it adds the enhanced status code of RFC 3463 itself. */
export function smtpReply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** The catalogue's reply to a fault. */
export function replyTo({ code, public: sentence }: Fault): Error {
  return smtpReply(Number.parseInt(faultCodes[code].smtp, 10), sentence);
}
