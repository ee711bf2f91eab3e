import { faultCodes } from "../../contracts/common/fault-codes.ts";
import type { Fault } from "../shared/fault.ts";

/** An error that smtp-server answers with this reply. The text may start with an enhanced status code. */
export function smtpReply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** Reply of a fault, from the catalog. */
export function replyTo({ code, public: sentence }: Fault): Error {
  const [basic, enhanced] = faultCodes[code].smtp.split(" ");
  return smtpReply(Number(basic), `${enhanced} ${sentence}`);
}
