import { hostname } from "node:os";
import type { SMTPServerSession } from "smtp-server";
import { domainOf, parseAddress } from "../message/address/addresses.ts";
import { isReportAddress, MAX_REPORT_MAIL_BYTES } from "../message/dsn/report-address.ts";
import { takesReturnPaths } from "../message/dsn/return-path.ts";
import { MAX_ROLE_MAIL_BYTES, roleAddress } from "../message/dsn/role-address.ts";
import type { CoreClient } from "../rpc/client.ts";
import { clientNetwork } from "../shared/client-network.ts";
import type { Clock } from "../shared/clock.ts";
import { Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import type { Logger } from "../shared/logger.ts";
import type { TlsCertificate } from "../shared/server-tls.ts";
import { createHourlyLimits } from "./hourly-limits.ts";
import { createSmtpListener, type SmtpListener } from "./listener.ts";
import { createCapacity, type KeptSource, useKept } from "./read-kept.ts";
import { replyTo, smtpReply } from "./smtp-reply.ts";

export interface BounceServerOptions {
  readonly clock: Clock;
  readonly core: CoreClient["bounces"];
  /** Domain of return paths. */
  readonly domain: string;
  readonly name: string | undefined;
  readonly tls: TlsCertificate | undefined;
  /** Largest mail to a return path, in octets. A report may return the largest message that Hermod accepts. */
  readonly maxBytes: number;
  /** Addresses and CIDR ranges of proxies, which use the PROXY protocol. */
  readonly proxyNetworks: readonly string[];
  readonly log: Logger;
}

/**
 * Retained octets of a mail. The content of a report precedes the message that it returns, so the rest is read and
 * discarded. The additional octet shows that a mail to the roles is larger.
 */
const KEPT_BYTES = MAX_ROLE_MAIL_BYTES + 1;
/** Hourly limits of mails to postmaster and abuse: for one network and in total. */
const FORWARDS = { each: 20, inAll: 200 };
/**
 * Hourly limits of mails with aggregate reports: for one domain and in total. Around midnight, each of some hundred
 * receivers sends one about each domain.
 */
const REPORTS = { each: 500, inAll: 20_000 };
/** Limit of all mails with aggregate reports in memory, which are retained completely. */
const MAX_REPORT_BYTES_IN_MEMORY = 5 * MAX_REPORT_MAIL_BYTES;
/** A report is for one return path. Some hosts collect a few. */
const MAX_RECIPIENTS = 10;
/** A client that sends to more unknown addresses than this is guessing. */
const MAX_UNKNOWN_RECIPIENTS = 5;

/**
 * Receives mail to return paths from any sender. The signature in the address authenticates it, and the core checks it.
 * Also receives aggregate reports to the signed addresses of watched domains, and a limited amount of mail to
 * postmaster and abuse. Nothing is stored here. While the core is unavailable, every reply is 451, and the other side
 * retries.
 */
export function createBounceServer({
  core,
  domain,
  clock,
  log,
  ...options
}: BounceServerOptions): SmtpListener {
  const unknown = new WeakMap<SMTPServerSession, number>();
  const forwards = createHourlyLimits({ ...FORWARDS, clock });
  const reports = createHourlyLimits({ ...REPORTS, clock });
  const capacity = createCapacity(MAX_REPORT_BYTES_IN_MEMORY);
  const serverName = options.name ?? hostname();

  async function check(address: string, { remoteAddress }: SMTPServerSession): Promise<void> {
    const role = roleAddress(address, domain);
    const returnPath = role ?? returnPathOf(address);
    if (!takesReturnPaths(domainOf(returnPath), domain)) throw fault("return_path.unknown");
    await core.checkReturnPath({ returnPath });
    if (role !== undefined && !forwards.allows(clientNetwork(remoteAddress))) throw tooMuch();
    if (isReportAddress(returnPath, domain) && !reports.allows(returnPath.toLowerCase())) throw tooMuch();
  }

  /** Logs failures that the client caused only as debug messages, all others as warnings. */
  function reportFailure(failed: Fault, { remoteAddress }: SMTPServerSession, what: string): void {
    const isTheirs = failed.code === "rate.limited" || failed.code.startsWith("message.");
    if (isTheirs) log.debug({ code: failed.code, remoteAddress }, what);
    else log.warn({ err: failed, remoteAddress }, what);
  }

  function refuse(thrown: unknown, session: SMTPServerSession): Error {
    const failed = Fault.from(thrown);
    if (failed.code !== "return_path.unknown") {
      reportFailure(failed, session, "the return path could not be checked");
      return replyTo(failed);
    }
    const count = (unknown.get(session) ?? 0) + 1;
    unknown.set(session, count);
    return count > MAX_UNKNOWN_RECIPIENTS ? smtpReply(421, "Too many unknown addresses") : replyTo(failed);
  }

  /**
   * Submits the mail for each recipient. If one of them fails, the client sends the mail for all of them again, which
   * is safe. Mail to the roles comes last, because it would be forwarded twice.
   */
  async function take({ source, sizeBytes }: KeptSource, session: SMTPServerSession): Promise<void> {
    const { roles, reported, returnPaths } = recipientsOf(session);
    const limits = [
      roles.length > 0 ? MAX_ROLE_MAIL_BYTES : Number.POSITIVE_INFINITY,
      reported.length > 0 ? MAX_REPORT_MAIL_BYTES : Number.POSITIVE_INFINITY,
      returnPaths.length > 0 ? options.maxBytes : Number.POSITIVE_INFINITY,
    ];
    if (sizeBytes > Math.min(...limits)) throw fault("message.too_large");
    for (const returnPath of returnPaths)
      await core.reportBounce({ returnPath, source: source.subarray(0, KEPT_BYTES) });
    for (const address of reported) await report(address, source, session);
    if (roles.length > 0) await forward(source, roles, session);
  }

  function recipientsOf({ envelope }: SMTPServerSession) {
    const addresses = envelope.rcptTo.map(({ address }) => address);
    const roles = addresses.filter((address) => roleAddress(address, domain) !== undefined);
    const others = addresses.filter((address) => !roles.includes(address)).map(returnPathOf);
    const reported = others.filter((address) => isReportAddress(address, domain));
    return { roles, reported, returnPaths: others.filter((address) => !reported.includes(address)) };
  }

  async function report(address: string, source: Buffer, { envelope }: SMTPServerSession): Promise<void> {
    if (!reports.take(address.toLowerCase())) throw tooMuch();
    const { mailFrom } = envelope;
    const counts = await core.reportAggregates({
      address,
      source,
      mailFrom: mailFrom ? mailFrom.address : "",
    });
    log.debug({ ...counts, mailFrom: mailFrom ? mailFrom.address : "" }, "aggregate reports");
  }

  async function forward(source: Buffer, recipients: string[], session: SMTPServerSession): Promise<void> {
    const { remoteAddress: clientAddress, hostNameAppearsAs, transmissionType: protocol } = session;
    if (!forwards.take(clientNetwork(clientAddress))) throw tooMuch();
    const { mailFrom } = session.envelope;
    await core.forwardMail({
      recipients,
      mailFrom: mailFrom ? mailFrom.address : "",
      source,
      clientName: hostNameAppearsAs || "",
      clientAddress,
      protocol,
      serverName,
    });
  }

  return createSmtpListener({
    ...options,
    maxBytes: Math.max(options.maxBytes, MAX_REPORT_MAIL_BYTES),
    log,
    maxRecipients: MAX_RECIPIENTS,
    disabledCommands: ["AUTH"],
    onRcptTo: ({ address }, session, done) => {
      check(address, session).then(
        () => done(),
        (thrown) => done(refuse(thrown, session)),
      );
    },
    onData: (stream, session, done) => {
      const isReport = recipientsOf(session).reported.length > 0;
      const kept = isReport ? { maxBytes: MAX_REPORT_MAIL_BYTES, room: capacity } : { maxBytes: KEPT_BYTES };
      // A mail that is too large is refused in any case, so it must have no effect.
      useKept(stream, kept, async (source) => (stream.sizeExceeded ? undefined : take(source, session))).then(
        () => done(null, "taken"),
        (thrown) => {
          const failed = Fault.from(thrown);
          reportFailure(failed, session, "mail not accepted");
          done(replyTo(failed));
        },
      );
    },
  });
}

function tooMuch(): Fault {
  return fault("rate.limited", { public: say("too_much_mail_address_within_hour") });
}

/** Converts the Unicode domain of smtp-server back to A-labels. */
function returnPathOf(address: string): string {
  const result = parseAddress(address);
  return result.ok ? result.address : address;
}
