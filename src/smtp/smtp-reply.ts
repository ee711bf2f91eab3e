import { faultCodes } from "../../contracts/common/fault-codes.ts";
import type { Fault } from "../shared/fault.ts";

/** An error that smtp-server answers with this reply; an enhanced status code may stand in front of the text. */
export function smtpReply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** The catalogue's reply to a fault. */
export function replyTo({ code, public: sentence }: Fault): Error {
  const [basic, enhanced] = faultCodes[code].smtp.split(" ");
  return smtpReply(Number(basic), `${enhanced} ${sentence}`);
}
