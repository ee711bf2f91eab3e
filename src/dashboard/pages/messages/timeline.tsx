import type { MessageEvent } from "../../api/messages.ts";
import { spanText, Time } from "../../parts/time.tsx";
import { ownText } from "../../texts/own-text.ts";
import { reasonText, sentenceText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";
import { toneOf } from "./message-state.tsx";

interface TimelineProps {
  readonly events: readonly MessageEvent[];
  /** Time of the next attempt; undefined if there is none. */
  readonly nextAttemptAt: string | undefined;
}

/** Events of a message, oldest first, and the next attempt. */
export function Timeline({ events, nextAttemptAt }: TimelineProps) {
  if (events.length === 0) return <p className="muted">{t.message.nothingYet}</p>;
  const last = events.findLastIndex(({ conversation }) => conversation !== "");
  return (
    <ol className="line">
      {events.map((event, index) => (
        <li key={event.id} className={event.kind === "accepted" ? "ok" : toneOf(event.kind)}>
          <span className="when">
            <Time at={event.at} withDay />
          </span>
          <b>{headingOf(event)}</b>
          {event.duration_ms > 0 && (
            <span className="muted whole"> {t.message.after(spanText(event.duration_ms))}</span>
          )}
          <div className="muted">{replyOf(event)}</div>
          <div className="faint">{connectionOf(event)}</div>
          <Decision event={event} />
          <Engagement event={event} />
          {event.conversation && (
            <details open={index === last}>
              <summary className="faint">{t.message.showConversation}</summary>
              <Conversation text={event.conversation} />
            </details>
          )}
        </li>
      ))}
      {nextAttemptAt && (
        <li>
          <span className="when">
            <Time at={nextAttemptAt} withDay />
          </span>
          <b>{t.message.nextAttempt}</b>
          <div className="muted">
            {
              t.message.nextReasons[
                events.findLast((one) => one.next_attempt_reason)?.next_attempt_reason ?? ""
              ]
            }
          </div>
        </li>
      )}
    </ol>
  );
}

/** The policy and rule of an attempt, with the reason. */
function Decision({ event: { decided_by } }: { readonly event: MessageEvent }) {
  if (!decided_by) return null;
  const { policy, policy_revision, rule, pattern } = decided_by;
  return (
    <>
      <div className="faint">
        {t.message.decidedBy(policy, policy_revision)},{" "}
        {rule > 0 ? t.message.rule(rule, pattern) : t.message.noRule}
      </div>
      <div className="faint">{reasonText(decided_by)}</div>
    </>
  );
}

/** Target of a click, and the program of an open or click. */
function Engagement({ event: { url, machine_reason, user_agent } }: { readonly event: MessageEvent }) {
  const program = machine_reason && `${t.message.byProgram} (${machine_reason.replaceAll("_", " ")})`;
  const texts = [url, program, user_agent].filter(Boolean);
  return texts.length > 0 && <div className="faint">{texts.join(", ")}</div>;
}

/** Server, source address and TLS of an attempt; empty if there was no connection. */
function connectionOf({ via, source_address, tls, conversation }: MessageEvent): string {
  const isPlain = tls === "" && conversation !== "";
  return [via, source_address && t.message.fromAddress(source_address), tls || (isPlain && t.message.noTls)]
    .filter(Boolean)
    .join(", ");
}

function headingOf({ attempt, kind }: MessageEvent): string {
  const word = ownText(t.messages.states, kind) ?? ownText(t.messages.eventKinds, kind) ?? kind;
  const capital = word.charAt(0).toUpperCase() + word.slice(1);
  return attempt > 0 ? t.message.attempt(attempt, capital) : capital;
}

/** The reply of the server. The detail may begin with its code. */
function replyOf({ reply_code, enhanced_status_code, ...event }: MessageEvent): string {
  const detail = sentenceText(event.detail_parts, event.detail);
  if (reply_code > 0 && detail.startsWith(`${reply_code}`)) return detail;
  return [reply_code || "", enhanced_status_code, detail].filter(Boolean).join(" ");
}

const arrows: Readonly<Record<string, string>> = { ">": "→", "<": "←", "*": "·" };

/** The conversation with a server, line by line. */
function Conversation({ text }: { readonly text: string }) {
  const lines = text.split("\n");
  return (
    <section className="smtp" aria-label={t.message.conversation} tabIndex={0}>
      {lines.map((line, index) => (
        <div key={index}>
          <i>{arrows[line.charAt(0)] ?? ""}</i> {line.slice(2)}
        </div>
      ))}
    </section>
  );
}
