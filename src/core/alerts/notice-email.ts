import { create } from "@bufbuild/protobuf";
import { EmailSchema } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { builtInTemplate, digestTemplate } from "../../alerts/built-in-template.ts";
import type { Incident, Notice, NoticeMail } from "../../alerts/incident.ts";
import { oneLine } from "../../alerts/incident-title.ts";
import { noticeData, noticeTitle } from "../../alerts/notice-data.ts";
import type { Digest, NotificationLimit } from "../../alerts/notification-limit.ts";
import { countsText, noticeCount } from "../../alerts/notification-limits.ts";
import type { NotifySettings } from "../../alerts/rule.ts";
import { domainOf } from "../../message/address/addresses.ts";
import { parseFromMailbox } from "../../message/address/from-field.ts";
import { automaticHeaders } from "../../message/header/automatic-headers.ts";
import { compileTemplate, renderTemplate } from "../../message/template/template.ts";
import type { TemplateData } from "../../message/template/template-variables.ts";
import { clockTime } from "../../shared/clock-time.ts";
import { fault } from "../../shared/fault.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { WrittenEmail } from "../send/mail-once.ts";

interface NoticeEmail {
  readonly incident: Incident;
  readonly notice: Notice;
  readonly mail: NoticeMail;
  readonly notify: NotifySettings;
  /** Address of the page that acknowledges the incident; undefined: there is none. */
  readonly link: string | undefined;
}

const compiled = { notice: compiledOf(builtInTemplate), digest: compiledOf(digestTemplate) };

/** Mail of a notice. The same notice always results in the same mail. */
export function noticeEmail({ incident, notice, mail, notify, link }: NoticeEmail): WrittenEmail {
  const data = noticeData({ incident, notice, zone: notify.zone, link });
  const { inReplyTo, root, messageId } = mail;
  const title = noticeTitle(incident, notice);
  const subject = inReplyTo === undefined ? title : `Re: ${title}`;
  const domain = senderDomain(notify);
  const idOf = (id: string) => `<${id}@${domain}>`;
  const references = [...new Set([root, inReplyTo])].flatMap((id) => (id === undefined ? [] : idOf(id)));
  const thread = references.length > 0 &&
    inReplyTo !== undefined && [
      { name: "In-Reply-To", value: idOf(inReplyTo) },
      { name: "References", value: references.join(" ") },
    ];
  return {
    ...textOf(notify, { recipient: mail.recipient, subject, data, builtIn: compiled.notice }),
    headers: [
      ...(thread || []),
      ...automaticHeaders,
      { name: "List-Id", value: listId(incident.ruleName, incident.accountId, domain) },
      { name: "X-Hermod-Severity", value: notice.severity },
      { name: "X-Hermod-Incident", value: incident._id },
      { name: "X-Hermod-State", value: notice.state },
      { name: "X-Hermod-Notice", value: `${notice.number}; ${notice.reason}; ${messageId}` },
      { name: "Thread-Topic", value: incident.firstTitle ?? incident.title },
    ],
    incidentId: incident._id,
  };
}

/** Maximum number of characters of a rule's name in the subject of a digest. */
const MAX_RULE = 20;
const MAX_SUBJECT = 100;

/**
 * For example `[digest] pager: 2 critical, 38 info: [critical] db: primary is down (db-1)`: the counts, and the most
 * severe alert.
 */
function digestSubject(ruleName: string, [worst]: Digest["held"], about: string): string {
  const named = worst ? `: [${worst.severity}] ${worst.title.replace(TITLE_MARK, "")}` : "";
  return oneLine(`[digest] ${oneLine(ruleName, MAX_RULE)}: ${about}${named}`, MAX_SUBJECT);
}

/** Severity at the beginning of a title, which may be outdated. */
const TITLE_MARK = /^\[[a-z]+\] /;

interface DigestView {
  readonly notify: NotifySettings;
  readonly ruleName: string;
  /** Address of the page of an incident; undefined: there is none. */
  readonly link: (incidentId: string) => string | undefined;
}

/** Mail of a digest. */
export function digestEmail(
  { ruleId, accountId, recipient }: NotificationLimit,
  digest: Digest,
  { notify, ruleName, link }: DigestView,
): WrittenEmail {
  const { held, more, since, counts = {} } = digest;
  const count = noticeCount(held, more);
  const bySeverity = countsText(counts);
  const subject = digestSubject(
    ruleName,
    held,
    bySeverity || (count === 1 ? "1 notice" : `${count} notices`),
  );
  const notices = count === 1 ? "1 notice was" : `${count} notices were`;
  const data = {
    subject,
    rule: ruleName,
    more,
    summary: `${notices} collected since ${clockTime(since, notify.zone)}${bySeverity === "" ? "" : `: ${bySeverity}`}.`,
    held: held.map(({ incidentId, title, state, severity, at, times = 1 }) => ({
      title,
      severity,
      at: clockTime(at, notify.zone),
      link: link(incidentId) ?? "",
      times: times > 1 ? `, ${times} notices` : "",
      state: state === "resolved" ? "RESOLVED" : "FIRING",
    })),
  };
  // Templates of accounts are for one incident.
  const { template: _, ...own } = notify;
  return {
    ...textOf(own, { recipient, subject, data, builtIn: compiled.digest }),
    headers: [
      ...automaticHeaders,
      { name: "List-Id", value: listId(ruleName, accountId, senderDomain(notify)) },
      { name: "X-Hermod-Rule", value: ruleId },
    ],
  };
}

interface TextOptions {
  readonly recipient: string;
  readonly subject: string;
  readonly data: TemplateData;
  readonly builtIn: ReturnType<typeof compiledOf>;
}

function textOf(
  { from, policy, template }: NotifySettings,
  { recipient, subject, data, builtIn }: TextOptions,
): Omit<WrittenEmail, "headers"> {
  const common = { to: [recipient], subject, tags: ["alert"] };
  const chosen = withoutUndefined({ from, routingPolicy: policy });
  if (template !== undefined)
    return { email: create(EmailSchema, { ...common, ...chosen, template }), templateData: data };
  const result = renderTemplate(builtIn, data);
  if (!result.ok)
    throw fault("internal.error", {
      internal: `the built-in template cannot be filled: ${result.faults[0]?.message}`,
    });
  const { html, text } = result.rendered;
  const email = create(EmailSchema, { ...common, ...chosen, ...withoutUndefined({ html, text }) });
  return { email, templateData: undefined };
}

function compiledOf(source: typeof builtInTemplate) {
  const result = compileTemplate(source);
  if (!result.ok) throw new Error(`the built-in template does not compile: ${result.faults[0]?.message}`);
  return result.template;
}

/** A rule with recipients has a sender. */
function senderDomain({ from = "" }: NotifySettings): string {
  const read = parseFromMailbox(from);
  return domainOf(read.ok ? read.mailbox.address : from);
}

/** List id of a rule (RFC 2919). Names of rules contain only characters that such an id permits. */
function listId(ruleName: string, accountId: string, domain: string): string {
  return `<${ruleName}.${accountId.replaceAll("_", "-")}.${domain}>`;
}
