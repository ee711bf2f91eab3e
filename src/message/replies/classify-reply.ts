import { withoutUndefined } from "../../shared/without-undefined.ts";
import { enhancedStatusCodeOf } from "./outcome.ts";
import {
  OF_THE_MAILBOX,
  type ReplyCategory,
  type ReplyPhase,
  type ReplyRule,
  type ReplyScope,
} from "./reply-rule.ts";
import { replyRules } from "./reply-rules.ts";

/** A refusal as received, or the failure without one. */
export interface Refusal {
  /** RFC 5321 section 4.2; undefined: there was no reply. */
  readonly code?: number | undefined;
  /** RFC 3463; if missing, it is searched in the text. */
  readonly enhancedStatusCode?: string | undefined;
  /** With or without the codes of its lines; control characters are replaced. */
  readonly text: string;
  readonly phase: ReplyPhase;
  /** Host name of the replying server, as in the MX record. */
  readonly provider?: string | undefined;
}

export interface RefusalClass {
  readonly category: ReplyCategory;
  /**
   * True if the message itself is refused permanently, so that an unchanged retry cannot help. Before MAIL the host is refused,
   * so another MX host or transport may still accept the message (RFC 5321 section 5.1).
   */
  readonly permanent: boolean;
  readonly scope: ReplyScope;
  /** Deferred as the first attempt of an unknown sender; the next one should pass (RFC 6647). */
  readonly greylisted?: true;
  /** Retry time that the server requests, 30 seconds to 24 hours; only for temporary refusals. */
  readonly retryAfterSeconds?: number;
  /** Advice to the sender or the operator: one sentence. */
  readonly advice?: string;
}

const MAX_TEXT_LENGTH = 4096;
const MIN_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 24 * 3600;

const adviceOf: Readonly<Record<ReplyCategory, string | undefined>> = {
  invalid_mailbox: "Stop sending to this address: its mailbox does not exist.",
  mailbox_full: "Retry in a few days, or contact the recipient in another way.",
  policy: "Ask the receiver's postmaster which rule refused the message.",
  spam: "Check complaints, content and lists of this host's address before you send more.",
  rate_limit: "Send more slowly to this receiver.",
  auth: "Check the SPF, DKIM and DMARC records of the From domain.",
  dns: "Check the DNS records of the domain named in the reply.",
  tls: "Check that both servers offer TLS with valid certificates.",
  network: "No action needed: the next attempt may reach the server.",
  other: undefined,
};

/**
 * Classifies the refusal of a receiving server (RFC 5321 section 4.2, RFC 3463) by its cause.
 *
 * The first digit of the code decides whether it is permanent, with these exceptions: a rate limit, greylisting, and a missing
 * or wrong password are temporary with any code; some 4xx replies state that they are permanent. Never throws.
 */
export function classifyReply(refusal: Refusal): RefusalClass {
  const rule = ruleFor(refusal);
  const permanent = isPermanent(rule, refusal.code);
  const retryAfterSeconds = permanent ? undefined : retryAfterSecondsOf(refusal.text);
  const advice = rule.advice ?? (rule.greylisted ? undefined : adviceOf[rule.category]);
  return {
    category: rule.category,
    permanent,
    scope: scopeOf(rule, refusal),
    ...withoutUndefined({ greylisted: rule.greylisted, retryAfterSeconds, advice }),
  };
}

/** True if the address itself is invalid, so that later mail to it should not be sent: nothing else may suppress it. */
export function isAddressInvalid({ category, permanent, scope }: RefusalClass): boolean {
  return category === "invalid_mailbox" && permanent && scope === "recipient";
}

/** No recipient was named yet, so the reply is not about one. */
const BEFORE_RECIPIENT: readonly ReplyPhase[] = ["connect", "ehlo", "starttls", "auth", "mail"];

function isBeforeRecipient({ code, phase }: Refusal): boolean {
  return code !== undefined && BEFORE_RECIPIENT.includes(phase);
}

/** "User unknown" as a reply to MAIL is about the sender, and as a greeting about the host. */
function scopeOf({ scope }: ReplyRule, refusal: Refusal): ReplyScope {
  if (scope !== "recipient" || !isBeforeRecipient(refusal)) return scope;
  return refusal.phase === "mail" ? "sender" : "destination";
}

/** The matching rule. */
export function ruleFor(refusal: Refusal): ReplyRule {
  const { code, phase } = refusal;
  const text = normalise(refusal.text, code);
  const provider = refusal.provider?.toLowerCase().replace(/\.$/, "");
  const enhancedStatusCode = refusal.enhancedStatusCode ?? enhancedStatusCodeIn(refusal.text);
  const names = namesOf(enhancedStatusCode);
  const before = isBeforeRecipient(refusal);
  const rule = replyRules.find(
    (rule) =>
      !(before && OF_THE_MAILBOX.includes(rule.category)) &&
      (rule.code === undefined || rule.code.some((wanted) => isOfCode(wanted, code))) &&
      (rule.phase === undefined || rule.phase.includes(phase)) &&
      (rule.enhanced === undefined || rule.enhanced.some((wanted) => names.includes(wanted))) &&
      (rule.provider === undefined || (provider !== undefined && rule.provider.test(provider))) &&
      (rule.text === undefined || rule.text.test(text)),
  );
  return rule ?? { category: "other", scope: "message" };
}

function isPermanent(rule: ReplyRule, code: number | undefined): boolean {
  if (rule.permanent !== undefined) return rule.permanent;
  if (rule.category === "rate_limit" || rule.greylisted) return false;
  return code !== undefined && code >= 500;
}

function isOfCode(wanted: number | "4xx" | "5xx" | "none", code: number | undefined): boolean {
  if (wanted === "none" || code === undefined) return wanted === "none" && code === undefined;
  return wanted === code || wanted === `${Math.trunc(code / 100)}xx`;
}

/** Forms of an enhanced code in rules: `5.1.1`, `x.1.1`, `x.1.*`. */
function namesOf(enhancedStatusCode: string | undefined): readonly string[] {
  const [, subject, detail] = enhancedStatusCode?.split(".") ?? [];
  if (enhancedStatusCode === undefined || subject === undefined || detail === undefined) return [];
  return [enhancedStatusCode, `x.${subject}.${detail}`, `x.${subject}.*`];
}

/** At the start (RFC 2034), or in the form of qmail and IronPort: `(#5.1.1)`, `#5.1.0 Address rejected`. */
function enhancedStatusCodeIn(text: string): string | undefined {
  return (
    enhancedStatusCodeOf(text) ?? /#([45]\.\d{1,3}\.\d{1,3})\b/.exec(text.slice(0, MAX_TEXT_LENGTH))?.[1]
  );
}

/**
 * Normalized text for the rules. Addresses are removed, because a local part can contain any word; so are the codes that begin
 * each line of a long reply and are inside a sentence after the lines are joined (RFC 5321 section 4.2.1).
 */
function normalise(text: string, code: number | undefined): string {
  const prefix = `${code}-`;
  const words: string[] = [];
  let lineBegins = true;
  for (const word of text.slice(0, MAX_TEXT_LENGTH).toLowerCase().split(/\s+/)) {
    const isContinued = word.startsWith(prefix);
    const rest = isContinued ? word.slice(prefix.length) : word;
    const begins: boolean = lineBegins || isContinued;
    lineBegins = begins && (rest === "" || rest === `${code}` || /^[245]\.\d{1,3}\.\d{1,3}$/.test(rest));
    if (lineBegins) continue;
    lineBegins = rest === `${code}`;
    if (!lineBegins) words.push(rest.includes("@") ? withoutAddresses(rest) : rest);
  }
  return words.join(" ");
}

function withoutAddresses(word: string): string {
  return word
    .split(/([<>()[\]:;,"'=]+)/)
    .map((part) => (part.includes("@") ? "@" : part))
    .join("")
    .replace(/<@>:?/g, "@");
}

const SECONDS_IN: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** `try again in 300 seconds`, `Greylisted for 5 minutes`, `come back in 00:04:59`, bounded. */
function retryAfterSecondsOf(text: string): number | undefined {
  const words = text.slice(0, MAX_TEXT_LENGTH).toLowerCase();
  const seconds = clockSecondsOf(words) ?? countedSecondsOf(words);
  return seconds && Math.min(Math.max(seconds, MIN_RETRY_SECONDS), MAX_RETRY_SECONDS);
}

const clockHint =
  /\b(?:try|retry|again|wait|back|gr[ea]y-?list(?:ed|ing)|delayed|essayer)\b\D{0,40}(\d{1,2}):(\d{2}):(\d{2})\b/;
const countHint =
  /\b(?:try|retry|again|wait|back|gr[ea]y-?list(?:ed|ing)|delayed|essayer)\b\D{0,40}(\d{1,6}) ?(s|m|h)(?:ecs?|econds?|ins?|inutes?|rs?|ours?|)\b/;

/** All expressions that are matched with foreign text; each quantifier has an upper bound. */
export const hintPatterns: readonly RegExp[] = [clockHint, countHint];

function clockSecondsOf(text: string): number | undefined {
  const [, hours, minutes, seconds] = clockHint.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function countedSecondsOf(text: string): number | undefined {
  const [, count, unit = ""] = countHint.exec(text) ?? [];
  const each = SECONDS_IN[unit];
  return count === undefined || each === undefined ? undefined : Number(count) * each;
}
