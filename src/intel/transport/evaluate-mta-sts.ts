import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { matchesMx } from "../../transport-security/mta-sts/matches-mx.ts";
import { type Evaluation, type Fix, fixFields, observedFields } from "../check-result.ts";
import type { MailHost } from "../mx/find-mail-hosts.ts";
import { quotable } from "../quotable.ts";
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
    return {
      status: "error",
      ...observedFields(phrase("mta_sts.record_unknown", { reason: record.reason })),
    };
  if (record.kind === "one")
    return { status: "pass", ...observedFields(phrase("mta_sts.record", { id: record.id })) };
  const idle = policy.kind === "policy" && phrase("mta_sts.idle_policy", { mode: policy.policy.mode });
  return {
    status: "fail",
    ...observedFields(phrases(whyNoRecord(mtaSts), idle)),
    fix: announce(domain, mtaSts, now),
  };
}

function whyNoRecord({ record }: MtaStsFacts): Phrase {
  switch (record.kind) {
    case "several":
      return phrase("mta_sts.several", { count: record.count });
    case "malformed":
      return phrases(whyMalformed(record.text), phrase("mta_sts.ignored"));
    default: {
      const similar = record.kind === "none" ? record.similar : undefined;
      if (similar === undefined) return phrase("mta_sts.none");
      return phrase("mta_sts.wrong_beginning", { text: quotable(similar) });
    }
  }
}

function whyMalformed(record: string): Phrase {
  const id = /;[ \t]*id[ \t]*=[ \t]*([^;]*)/.exec(record)?.[1];
  const text = quotable(record);
  if (id === undefined) return phrase("mta_sts.no_id", { text });
  if (!/^[A-Za-z0-9]{1,32}$/.test(id.trim())) return phrase("mta_sts.odd_id", { text });
  return phrase("mta_sts.odd_part", { text });
}

function announce(domain: string, { policy }: MtaStsFacts, now: Date): Fix {
  const id = now.toISOString().replace(/\D/g, "").slice(0, 14);
  const name = `_mta-sts.${domain}`;
  const host = `mta-sts.${domain}`;
  // The record would put an untested policy into force. If it does not match a server, mail is lost.
  if (policy.kind === "policy" && policy.policy.mode === "enforce")
    return fixFields(phrase("mta_sts.announce_enforced", { host, id, name }));
  const text =
    policy.kind === "policy" ? phrase("mta_sts.announce") : phrase("mta_sts.serve_first", { host });
  return { record: { name, type: "TXT", value: `v=STSv1; id=${id};` }, ...fixFields(text) };
}

/** Judges `transport.mta_sts.policy`. */
export function evaluateStsPolicy({ domain, mtaSts: { record, policy } }: MtaStsSubject): Evaluation {
  if (record.kind === "failed")
    return {
      status: "error",
      ...observedFields(phrase("mta_sts.announcement_unknown", { reason: record.reason })),
    };
  if (record.kind !== "one")
    return { status: "not_tested", ...observedFields(phrase("mta_sts.not_fetched")) };
  if (policy.kind === "unknown")
    return {
      status: "error",
      ...observedFields(phrase("mta_sts.policy_unknown", { reason: policy.reason })),
    };
  if (policy.kind === "wrong")
    return {
      status: "fail",
      ...observedFields(phrase("mta_sts.no_policy", { reason: policy.reason })),
      fix: fixFields(phrase("mta_sts.serve", { host: `mta-sts.${domain}` })),
    };
  const { mode, maxAgeSeconds } = policy.policy;
  switch (mode) {
    case "none":
      return {
        status: "warn",
        ...observedFields(phrase("mta_sts.mode_none")),
        fix: fixFields(phrase("mta_sts.set_mode")),
      };
    case "testing":
      return { status: "pass", ...observedFields(phrase("mta_sts.testing")) };
    case "enforce":
      if (maxAgeSeconds >= DAY_SECONDS) return { status: "pass", ...observedFields(enforced(maxAgeSeconds)) };
      return {
        status: "warn",
        ...observedFields(phrase("mta_sts.forgotten", { seconds: maxAgeSeconds })),
        fix: fixFields(phrase("mta_sts.set_max_age")),
      };
  }
}

/**
 * Judges `transport.mta_sts.mx`. It fails only if mail is lost: the policy is enforced, and senders may use no
 * server. While the policy names one, they use that one (RFC 8461 section 5).
 */
export function evaluateStsMx({ domain, mtaSts: { record, policy }, hosts }: MtaStsSubject): Evaluation {
  if (record.kind === "failed" || (record.kind === "one" && policy.kind === "unknown"))
    return { status: "error", ...observedFields(phrase("mta_sts.unknown")) };
  if (record.kind !== "one" || policy.kind !== "policy")
    return { status: "not_tested", ...observedFields(phrase("mta_sts.not_in_force")) };
  const { mode, mx } = policy.policy;
  if (mode === "none") return { status: "not_tested", ...observedFields(phrase("mta_sts.requires_nothing")) };
  if (!hosts) return { status: "error", ...observedFields(phrase("mta_sts.mx_unknown")) };
  const known = hosts.filter(({ problem }) => problem === undefined);
  const unnamed = known.filter(({ name }) => !matchesMx(name, mx)).map(({ name }) => name);
  if (known.length === 0) return { status: "not_tested", ...observedFields(phrase("mta_sts.no_server")) };
  if (unnamed.length === 0) return { status: "pass", ...observedFields(phrase("mta_sts.names_all")) };
  const found = phrase("mta_sts.not_named", { named: limited(mx), unnamed: limited(unnamed) });
  const fix = fixFields(addLines(`_mta-sts.${domain}`, unnamed.slice(0, MAX_NAMED)));
  if (mode === "testing")
    return {
      status: "warn",
      ...observedFields(phrases(found, phrase("mta_sts.loses_none_yet"))),
      fix,
    };
  if (unnamed.length < known.length)
    return { status: "warn", ...observedFields(phrases(found, phrase("mta_sts.others_used"))), fix };
  return { status: "fail", ...observedFields(phrases(found, phrase("mta_sts.not_delivered"))), fix };
}

function addLines(name: string, hosts: readonly string[]): Phrase {
  const lines = hosts.map((host) => `mx: ${host}`);
  return lines.length === 1
    ? phrase("mta_sts.add_line", { name, lines })
    : phrase("mta_sts.add_lines", { name, lines });
}

function limited(names: readonly string[]): string[] {
  return [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ["…"] : [])];
}

function enforced(seconds: number): Phrase {
  const count = Math.floor(seconds / DAY_SECONDS);
  return count === 1 ? phrase("mta_sts.enforced_a_day") : phrase("mta_sts.enforced", { count });
}
