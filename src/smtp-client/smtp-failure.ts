import { classifyReply, isAddressInvalid } from "../message/replies/classify-reply.ts";
import { concernsThisServer } from "../message/replies/concerns-this-server.ts";
import {
  detailOf,
  enhancedStatusCodeOf,
  type Reply,
  safeDetail,
  type TransportOutcome,
} from "../message/replies/outcome.ts";
import { failurePhrase, type Phrase } from "../shared/phrase.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { SmtpError, type SmtpReply } from "./smtp-error.ts";

/** Converts the reply of a server to a form that is safe to store. */
export function readReply(via: string, { code, text, takesOverDsn, transcript }: SmtpReply): Reply {
  const enhancedStatusCode = enhancedStatusCodeOf(text);
  return {
    via,
    code,
    detail: safeDetail(text),
    ...withoutUndefined({ enhancedStatusCode, takesOverDsn, ...transcript }),
  };
}

/**
 * Converts a failure to an outcome. Only a reply to the envelope or to the message can bounce it. A refusal before MAIL
 * is about the connection, and another server may accept the message. The same holds for a refusal in which the server
 * speaks about itself.
 * @param provider host name of the server, from the MX record or the settings
 */
export function classifyFailure(via: string, provider: string, error: unknown): TransportOutcome {
  if (!(error instanceof SmtpError)) {
    return unheard(via, failurePhrase(error));
  }
  const { phase, reply: answer, refusedAs, message, afterDot } = error;
  const wording = failurePhrase(error);
  if (refusedAs !== undefined) {
    const reply = { via, enhancedStatusCode: refusedAs, ...detailOf(wording), category: "policy" } as const;
    return { kind: "bounced", reply: { ...reply, ...withoutUndefined({ ...error.transcript }) } };
  }
  if (error.abandoned) return { kind: "abandoned", reply: { via, detail: message } };
  if (!answer) return unheard(via, wording, error);
  const heard = readReply(via, { ...answer, ...(error.transcript && { transcript: error.transcript }) });
  const refusal = classifyReply({
    code: answer.code,
    enhancedStatusCode: heard.enhancedStatusCode,
    text: heard.detail,
    phase,
    provider,
  });
  const { category, permanent, greylisted, retryAfterSeconds } = refusal;
  const reply: Reply = {
    ...heard,
    phase,
    category: error.tls ? "tls" : category,
    ...withoutUndefined({
      addressInvalid: isAddressInvalid(refusal) ? (true as const) : undefined,
      retryAfterSeconds,
      greylisted,
    }),
  };
  if (concernsThisServer({ ...refusal, ...heard, code: answer.code, phase, afterDot })) {
    return { kind: "unreachable", reply };
  }
  return { kind: permanent ? "bounced" : "deferred", reply };
}

/** The server may have the message, so another server might deliver it twice. A later retry is better. */
function unheard(via: string, wording: Phrase, error?: SmtpError): TransportOutcome {
  const text = detailOf(wording);
  const category = error?.tls ? "tls" : classifyReply({ text: text.detail, phase: "connect" }).category;
  const reply = { via, ...text, category, ...withoutUndefined({ ...error?.transcript }) };
  return { kind: error?.dataBegun ? "deferred" : "unreachable", reply };
}
