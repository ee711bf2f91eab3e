import { matchesMx } from "../../transport-security/mta-sts/matches-mx.ts";
import type { Evaluation, Fix } from "../check-result.ts";
import type { MailHost } from "../mx/find-mail-hosts.ts";
import { quoted } from "../quoted.ts";
import type { MtaStsFacts } from "./find-mta-sts.ts";

export interface MtaStsSubject {
  readonly domain: string;
  readonly mtaSts: MtaStsFacts;
  /** Hosts of the MX records, or the domain itself; undefined: unknown. */
  readonly hosts: readonly MailHost[] | undefined;
  readonly now: Date;
}

const DAY_SECONDS = 86_400;
const MAX_NAMED = 5;

/** Judges `transport.mta_sts.record`. */
export function evaluateStsRecord({ domain, mtaSts, now }: MtaStsSubject): Evaluation {
  const { record, policy } = mtaSts;
  if (record.kind === "failed")
    return { status: "error", observed: `The lookup of the record failed: ${record.reason}.` };
  if (record.kind === "one")
    return { status: "pass", observed: `There is one record, with the id ${record.id}.` };
  const idle =
    policy.kind === "policy"
      ? ` There is a policy (${policy.policy.mode}), but without the record senders do not fetch it.`
      : "";
  return { status: "fail", observed: `${whyNoRecord(mtaSts)}${idle}`, fix: announce(domain, mtaSts, now) };
}

function whyNoRecord({ record }: MtaStsFacts): string {
  switch (record.kind) {
    case "several":
      return `There are ${record.count} MTA-STS records, so senders assume that there is none (RFC 8461 section 3.1).`;
    case "malformed":
      return `${whyMalformed(record.text)} Senders assume that there is none.`;
    default: {
      const similar = record.kind === "none" ? record.similar : undefined;
      if (similar === undefined) return "There is no MTA-STS record.";
      return `There is no MTA-STS record. This text is none because it does not begin with v=STSv1 and a semicolon: ${quoted(similar)}.`;
    }
  }
}

function whyMalformed(text: string): string {
  const id = /;[ \t]*id[ \t]*=[ \t]*([^;]*)/.exec(text)?.[1];
  if (id === undefined) return `The MTA-STS record has no id: ${quoted(text)}.`;
  if (!/^[A-Za-z0-9]{1,32}$/.test(id.trim()))
    return `The id of the MTA-STS record must have 1 to 32 letters or digits: ${quoted(text)}.`;
  return `The MTA-STS record has a part without the form name=value: ${quoted(text)}.`;
}

function announce(domain: string, { policy }: MtaStsFacts, now: Date): Fix {
  const id = now.toISOString().replace(/\D/g, "").slice(0, 14);
  // The record would put an untested policy into force. If it does not match a server, mail is lost.
  if (policy.kind === "policy" && policy.policy.mode === "enforce")
    return {
      text: `First set the mode of the policy at mta-sts.${domain} to testing, because the record puts the policy into force. Then publish v=STSv1; id=${id}; at _mta-sts.${domain} as the only MTA-STS record. Set enforce when TLS reports show no failures.`,
    };
  const first =
    policy.kind === "policy"
      ? "Publish this record as the only MTA-STS record"
      : `First serve a policy in testing mode over HTTPS at mta-sts.${domain}, then publish this record as the only MTA-STS record`;
  return {
    record: { name: `_mta-sts.${domain}`, type: "TXT", value: `v=STSv1; id=${id};` },
    text: `${first}. Change its id whenever the policy changes.`,
  };
}

/** Judges `transport.mta_sts.policy`. */
export function evaluateStsPolicy({ domain, mtaSts: { record, policy } }: MtaStsSubject): Evaluation {
  if (record.kind === "failed")
    return { status: "error", observed: `It is unknown whether there is a record: ${record.reason}.` };
  if (record.kind !== "one")
    return { status: "not_tested", observed: "Without a record senders do not fetch a policy." };
  if (policy.kind === "unknown")
    return { status: "error", observed: `The fetch of the policy failed: ${policy.reason}.` };
  if (policy.kind === "wrong") {
    const text = `Serve /.well-known/mta-sts.txt at mta-sts.${domain} over HTTPS, with a certificate for that name, without a redirect, as text/plain. Until then the record has no effect.`;
    return { status: "fail", observed: `Senders get no policy: ${policy.reason}.`, fix: { text } };
  }
  const { mode, maxAgeSeconds } = policy.policy;
  switch (mode) {
    case "none":
      return {
        status: "warn",
        observed: "The policy has the mode none, so senders act as if there were no policy.",
        fix: { text: "Set the mode to testing, check the TLS reports, and then set it to enforce." },
      };
    case "testing":
      return {
        status: "pass",
        observed: "The policy is in testing mode. Senders report problems but deliver anyway.",
      };
    case "enforce":
      if (maxAgeSeconds >= DAY_SECONDS)
        return {
          status: "pass",
          observed: `The policy is enforced, and senders cache it for ${days(maxAgeSeconds)}.`,
        };
      return {
        status: "warn",
        observed: `Senders forget the policy after ${maxAgeSeconds} seconds. The next fetch is then unprotected (RFC 8461 section 10.2).`,
        fix: { text: "Set max_age to several weeks, for example 2592000." },
      };
  }
}

/**
 * Judges `transport.mta_sts.mx`. It fails only if mail is lost: the policy is enforced, and senders may use no
 * server. While the policy names one, they use that one (RFC 8461 section 5).
 */
export function evaluateStsMx({ domain, mtaSts: { record, policy }, hosts }: MtaStsSubject): Evaluation {
  if (record.kind === "failed" || (record.kind === "one" && policy.kind === "unknown"))
    return { status: "error", observed: "The policy is unknown." };
  if (record.kind !== "one" || policy.kind !== "policy")
    return { status: "not_tested", observed: "There is no policy in force." };
  const { mode, mx } = policy.policy;
  if (mode === "none")
    return { status: "not_tested", observed: "The policy has the mode none, so it requires nothing." };
  if (!hosts) return { status: "error", observed: "The lookup of the MX records failed." };
  const known = hosts.filter(({ problem }) => problem === undefined);
  const unnamed = known.filter(({ name }) => !matchesMx(name, mx)).map(({ name }) => name);
  if (known.length === 0) return { status: "not_tested", observed: "There is no mail server to name." };
  if (unnamed.length === 0) return { status: "pass", observed: "The policy names every mail server." };
  const shown = `${unnamed.slice(0, MAX_NAMED).join(", ")}${unnamed.length > MAX_NAMED ? ", …" : ""}`;
  const named = mx.slice(0, MAX_NAMED).join(", ");
  const fix: Fix = {
    text: `Add ${unnamed.length === 1 ? "a line" : "lines"} to the policy, and then change the id of the record at _mta-sts.${domain}: ${unnamed
      .slice(0, MAX_NAMED)
      .map((name) => `mx: ${name}`)
      .join(", ")}.`,
  };
  const found = `The policy names ${named}${mx.length > MAX_NAMED ? ", …" : ""}, but not ${shown}.`;
  if (mode === "testing")
    return { status: "warn", observed: `${found} It is in testing mode and loses no mail yet.`, fix };
  if (unnamed.length < known.length)
    return {
      status: "warn",
      observed: `${found} Senders that follow it use only the other mail servers.`,
      fix,
    };
  return { status: "fail", observed: `${found} Senders that follow it cannot deliver.`, fix };
}

function days(seconds: number): string {
  const count = Math.floor(seconds / DAY_SECONDS);
  return count === 1 ? "a day" : `${count} days`;
}
