import { clockTime } from "../../shared/clock-time.ts";
import { oneLine } from "../incident-title.ts";
import { noticeData } from "../notice-data.ts";
import { countsText, noticeCount } from "../notification-limits.ts";
import type { DigestPostView, NoticePostView } from "./post.ts";

type Fact = readonly [name: string, value: string];

/** Texts of a notice for chat services. None has control characters or direction marks. */
export interface NoticeTexts {
  /** One line. */
  readonly title: string;
  /** One line. */
  readonly state: string;
  /** Lines of the message of the most severe alert. */
  readonly message: readonly string[];
  readonly facts: readonly Fact[];
  /** A line for each alert, if there are several. */
  readonly alerts: readonly string[];
  /** A line for each value of the context. */
  readonly context: readonly string[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
  /** Page of the incident; undefined: there is none, or the incident is resolved. */
  readonly link: string | undefined;
  readonly footer: string;
}

const MAX_TITLE = 150;

export function noticeTexts({ incident, notice, zone, link, isTest = false }: NoticePostView): NoticeTexts {
  const data = noticeData({ incident, notice, zone, link });
  const facts: Fact[] = [
    ["Severity", data.severity],
    ["Source", data.source],
    ["Event", data.event_type],
    ["Time", data.at],
    ...(data.entity === "" ? [] : [["About", data.entity] as const]),
  ];
  const alerts = data.alerts.map(
    ({ severity, message, entity, at }) =>
      `• [${severity}] ${message}${entity === "" ? "" : ` (${entity})`}, ${at}`,
  );
  const more = data.more > 0 ? [`• and ${data.more} more`] : [];
  return {
    title: `${isTest ? "[test] " : ""}${oneLine(data.title, MAX_TITLE)}`,
    state: isTest ? `This is a test of the alert target. ${data.state_line}` : data.state_line,
    message: [...data.message_lines, ...moreLine(data.message_more)],
    facts,
    alerts: data.count > 1 ? [...alerts, ...more] : [],
    context: [...data.context.map(({ name, value }) => `${name}: ${value}`), ...moreLine(data.context_more)],
    links: data.links,
    link: notice.state === "resolved" ? undefined : link,
    footer: `Sent by the alert rule "${data.rule}" for incident ${data.incident_id}.`,
  };
}

const moreLine = (text: string) => (text === "" ? [] : [`… ${text}`]);

/** Texts of a digest for chat services. */
export interface DigestTexts {
  readonly title: string;
  readonly summary: string;
  /** A line for each alert, highest severity first. */
  readonly entries: readonly string[];
  readonly footer: string;
}

export function digestTexts({ ruleName, digest, zone }: DigestPostView): DigestTexts {
  const { held, more, since, counts = {} } = digest;
  const count = noticeCount(held, more);
  const bySeverity = countsText(counts);
  const notices = count === 1 ? "1 notice was" : `${count} notices were`;
  const entries = held.map(({ title, state, severity, at, times = 1 }) => {
    const repeated = times > 1 ? `, ${times} notices` : "";
    const now = state === "resolved" ? "RESOLVED" : `FIRING (${severity})`;
    return `• ${now} ${oneLine(title, MAX_TITLE)}${repeated}, ${clockTime(at, zone)}`;
  });
  return {
    title: oneLine(`[digest] ${ruleName}: ${bySeverity || notices}`, MAX_TITLE),
    summary: `${notices} collected since ${clockTime(since, zone)}${bySeverity === "" ? "" : `: ${bySeverity}`}.`,
    entries: [...entries, ...(more > 0 ? [`• and ${more} more notices`] : [])],
    footer: `Sent by the alert rule "${ruleName}". Its notification limit was reached, so this digest combines further notices.`,
  };
}
