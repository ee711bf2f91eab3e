import type { SMTPServerSession } from "smtp-server";
import type { CoreClient } from "../core/client.ts";
import { domainOf, parseAddress } from "../message/addresses.ts";
import { Fault, fault } from "../shared/fault.ts";
import type { Logger } from "../shared/logger.ts";
import { createSmtpListener, type ListenerTls, type SmtpListener } from "./listener.ts";
import { readSource } from "./read-source.ts";
import { replyTo, smtpReply } from "./smtp-reply.ts";

export interface BounceServerOptions {
  readonly core: CoreClient["bounces"];
  /** The domain of return paths. */
  readonly domain: string;
  readonly name: string | undefined;
  readonly tls: ListenerTls | undefined;
  /** Of one mail: a report may return the largest message that there is. */
  readonly maxBytes: number;
  readonly log: Logger;
}

/** What a report says stands before the message that it returns: the rest is read and let go. */
const REPORT_BYTES = 1024 * 1024;
/** A report is for one return path; some hosts collect a few. */
const MAX_RECIPIENTS = 10;
/** Who asks for more addresses that there are not is guessing. */
const MAX_UNKNOWN_RECIPIENTS = 5;

/**
 * Takes the mail that comes to return paths, from whatever sender: the signature in the address is what lets it in,
 * and the core knows it. Nothing is kept here. While the core is away every answer is 451: the other side comes again.
 */
export function createBounceServer({ core, domain, log, ...options }: BounceServerOptions): SmtpListener {
  const unknown = new WeakMap<SMTPServerSession, number>();

  async function check(returnPath: string): Promise<void> {
    if (domainOf(returnPath) !== domain.toLowerCase()) throw fault("return_path.unknown");
    await core.checkReturnPath({ returnPath });
  }

  function refuse(thrown: unknown, session: SMTPServerSession): Error {
    const failed = Fault.from(thrown);
    if (failed.code !== "return_path.unknown") {
      log.warn({ err: failed, remoteAddress: session.remoteAddress }, "return path not checked");
      return replyTo(failed);
    }
    const count = (unknown.get(session) ?? 0) + 1;
    unknown.set(session, count);
    return count > MAX_UNKNOWN_RECIPIENTS ? smtpReply(421, "Too many unknown addresses") : replyTo(failed);
  }

  /** Each recipient is told on its own; when one of them fails, all come again, which changes nothing. */
  async function report(source: Buffer, { envelope }: SMTPServerSession): Promise<void> {
    for (const { address } of envelope.rcptTo) {
      await core.reportBounce({ returnPath: returnPathOf(address), source });
    }
  }

  return createSmtpListener({
    ...options,
    log,
    maxRecipients: MAX_RECIPIENTS,
    disabledCommands: ["AUTH"],
    onRcptTo: ({ address }, session, done) => {
      check(returnPathOf(address)).then(
        () => done(),
        (thrown) => done(refuse(thrown, session)),
      );
    },
    onData: (stream, session, done) => {
      readSource(stream, REPORT_BYTES)
        // What is too large is refused whatever is answered here, so nothing may follow from it.
        .then((source) => (stream.sizeExceeded ? undefined : report(source, session)))
        .then(
          () => done(null, "taken"),
          (thrown) => {
            const failed = Fault.from(thrown);
            log.warn({ err: failed, remoteAddress: session.remoteAddress }, "report not taken");
            done(replyTo(failed));
          },
        );
    },
  });
}

/** smtp-server turns the A-labels of a domain into Unicode: this turns them back. */
function returnPathOf(address: string): string {
  const result = parseAddress(address);
  return result.ok ? result.address : address;
}
