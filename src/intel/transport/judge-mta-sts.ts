import { matchesMx } from "../../transport-security/mta-sts/matches-mx.ts";
import type { Fix, Judgement } from "../check-result.ts";
import type { MailHost } from "../mx/find-mail-hosts.ts";
import { quoted } from "../quoted.ts";
import type { MtaStsFacts } from "./find-mta-sts.ts";

export interface MtaStsSubject {
  readonly domain: string;
  readonly mtaSts: MtaStsFacts;
  /** Those that the MX records name, or the domain itself; undefined: they are not known. */
  readonly hosts: readonly MailHost[] | undefined;
  readonly now: Date;
}

const DAY_SECONDS = 86_400;
const MAX_TOLD = 5;

/** `transport.mta_sts.record`. */
export function judgeStsRecord({ domain, mtaSts, now }: MtaStsSubject): Judgement {
  const { record, policy } = mtaSts;
  if (record.kind === "failed")
    return { status: "error", observed: `The record could not be looked up: ${record.reason}.` };
  if (record.kind === "one")
    return { status: "pass", observed: `There is one record, with the id ${record.id}.` };
  const idle =
    policy.kind === "policy"
      ? ` There is a policy (${policy.policy.mode}), but without the record no sender looks for it.`
      : "";
  return { status: "fail", observed: `${whyNoRecord(mtaSts)}${idle}`, fix: announce(domain, mtaSts, now) };
}

function whyNoRecord({ record }: MtaStsFacts): string {
  switch (record.kind) {
    case "several":
      return `There are ${record.count} MTA-STS records, and so senders take it that there is none (RFC 8461 section 3.1).`;
    case "malformed":
      return `${whyMalformed(record.text)} Senders take it that there is none.`;
    default: {
      const similar = record.kind === "none" ? record.similar : undefined;
      if (similar === undefined) return "There is no MTA-STS record.";
      return `There is no MTA-STS record. This is none, as it does not begin with v=STSv1 and a semicolon: ${quoted(similar)}.`;
    }
  }
}

function whyMalformed(text: string): string {
  const id = /;[ \t]*id[ \t]*=[ \t]*([^;]*)/.exec(text)?.[1];
  if (id === undefined) return `The MTA-STS record has no id: ${quoted(text)}.`;
  if (!/^[A-Za-z0-9]{1,32}$/.test(id.trim()))
    return `The id of the MTA-STS record has to be 1 to 32 letters or digits: ${quoted(text)}.`;
  return `The MTA-STS record has a part that is not of the form name=value: ${quoted(text)}.`;
}

function announce(domain: string, { policy }: MtaStsFacts, now: Date): Fix {
  const id = now.toISOString().replace(/\D/g, "").slice(0, 14);
  // The record would put a policy into force that nobody has tried: with a server that it does not match, mail is lost.
  if (policy.kind === "policy" && policy.policy.mode === "enforce")
    return {
      text: `First set the mode of the policy at mta-sts.${domain} to testing: a record puts it into force. Then publish v=STSv1; id=${id}; at _mta-sts.${domain} as the only record of its kind, and set enforce when TLS reports show no failure.`,
    };
  const first =
    policy.kind === "policy"
      ? "Publish this record as the only one of its kind"
      : `First let mta-sts.${domain} serve a policy in the mode testing by HTTPS, then publish this record as the only one of its kind`;
  return {
    record: { name: `_mta-sts.${domain}`, type: "TXT", value: `v=STSv1; id=${id};` },
    text: `${first}, and give it another id whenever the policy changes.`,
  };
}

/** `transport.mta_sts.policy`. */
export function judgeStsPolicy({ domain, mtaSts: { record, policy } }: MtaStsSubject): Judgement {
  if (record.kind === "failed")
    return { status: "error", observed: `It is not known whether there is a record: ${record.reason}.` };
  if (record.kind !== "one")
    return { status: "not_tested", observed: "Without a record no sender looks for a policy." };
  if (policy.kind === "unknown")
    return { status: "error", observed: `The policy could not be fetched: ${policy.reason}.` };
  if (policy.kind === "wrong") {
    const text = `Let mta-sts.${domain} serve /.well-known/mta-sts.txt by HTTPS with a certificate of that name, without a redirect, as text/plain. As long as it does not, the record does nothing.`;
    return { status: "fail", observed: `Senders get no policy: ${policy.reason}.`, fix: { text } };
  }
  const { mode, maxAgeSeconds } = policy.policy;
  switch (mode) {
    case "none":
      return {
        status: "warn",
        observed: "The policy says none: senders do as if there were no policy.",
        fix: { text: "Set the mode to testing, look at the TLS reports, and then set it to enforce." },
      };
    case "testing":
      return {
        status: "pass",
        observed: "The policy is in testing: senders report what is wrong, and deliver all the same.",
      };
    case "enforce":
      if (maxAgeSeconds >= DAY_SECONDS)
        return { status: "pass", observed: `The policy is enforced, and holds for ${days(maxAgeSeconds)}.` };
      return {
        status: "warn",
        observed: `Senders forget the policy after ${maxAgeSeconds} seconds, and then nothing protects the next one that asks for it (RFC 8461 section 10.2).`,
        fix: { text: "Set max_age to some weeks, as 2592000." },
      };
  }
}

/**
 * `transport.mta_sts.mx`. It fails only where mail is lost: the policy is enforced, and there is no server left that senders may
 * use. As long as it names one, they use that (RFC 8461 section 5).
 */
export function judgeStsMx({ domain, mtaSts: { record, policy }, hosts }: MtaStsSubject): Judgement {
  if (record.kind === "failed" || (record.kind === "one" && policy.kind === "unknown"))
    return { status: "error", observed: "The policy is not known." };
  if (record.kind !== "one" || policy.kind !== "policy")
    return { status: "not_tested", observed: "There is no policy in force." };
  const { mode, mx } = policy.policy;
  if (mode === "none")
    return { status: "not_tested", observed: "The policy says none, and so asks for nothing." };
  if (!hosts) return { status: "error", observed: "The MX records could not be looked up." };
  const known = hosts.filter(({ problem }) => problem === undefined);
  const unnamed = known.filter(({ name }) => !matchesMx(name, mx)).map(({ name }) => name);
  if (known.length === 0) return { status: "not_tested", observed: "There is no mail server to be named." };
  if (unnamed.length === 0) return { status: "pass", observed: "The policy names every mail server." };
  const shown = `${unnamed.slice(0, MAX_TOLD).join(", ")}${unnamed.length > MAX_TOLD ? ", …" : ""}`;
  const named = mx.slice(0, MAX_TOLD).join(", ");
  const fix: Fix = {
    text: `Add ${unnamed.length === 1 ? "a line" : "lines"} to the policy, and then change the id of the record at _mta-sts.${domain}: ${unnamed
      .slice(0, MAX_TOLD)
      .map((name) => `mx: ${name}`)
      .join(", ")}.`,
  };
  const found = `The policy names ${named}${mx.length > MAX_TOLD ? ", …" : ""}, and not ${shown}.`;
  if (mode === "testing")
    return { status: "warn", observed: `${found} It is in testing, and loses no mail yet.`, fix };
  if (unnamed.length < known.length)
    return {
      status: "warn",
      observed: `${found} Senders that heed it use the other mail servers alone.`,
      fix,
    };
  return { status: "fail", observed: `${found} Senders that heed it cannot deliver at all.`, fix };
}

function days(seconds: number): string {
  const count = Math.floor(seconds / DAY_SECONDS);
  return count === 1 ? "a day" : `${count} days`;
}
