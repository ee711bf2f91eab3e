import type { MessageEvent } from "../../api/messages.ts";
import { spanText, Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { toneOf } from "./message-state.tsx";

/** What happened to a message, the earliest first. */
export function Timeline({ events }: { readonly events: readonly MessageEvent[] }) {
  if (events.length === 0) return <p className="muted">{t.message.nothingYet}</p>;
  return (
    <ol className="line">
      {events.map((event) => (
        <li key={event.id} className={event.kind === "accepted" ? "ok" : toneOf(event.kind)}>
          <span className="when">
            <Time at={event.at} withDay />
          </span>
          <b>{headingOf(event)}</b>
          {event.duration_ms > 0 && (
            <span className="muted"> {t.message.after(spanText(event.duration_ms))}</span>
          )}
          <div className="muted">{replyOf(event)}</div>
          <div className="faint">{[event.via, event.tls].filter(Boolean).join(", ")}</div>
          {event.conversation && <Conversation text={event.conversation} />}
        </li>
      ))}
    </ol>
  );
}

function headingOf({ attempt, kind }: MessageEvent): string {
  const word = t.messages.states[kind] ?? kind;
  const capital = word.charAt(0).toUpperCase() + word.slice(1);
  return attempt > 0 ? `${t.message.attempt(attempt)}: ${capital.toLowerCase()}` : capital;
}

function replyOf({ reply_code, enhanced_status_code, detail }: MessageEvent): string {
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
