import { Link } from "@tanstack/react-router";
import type { IncidentEntry } from "../../api/incidents.ts";
import type { Tone } from "../../parts/icons.tsx";
import { Time } from "../../parts/time.tsx";
import { sentenceText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = {
  opened: "bad",
  reopened: "bad",
  risen: "bad",
  notice: "info",
  notice_failed: "bad",
  acknowledged: "warn",
  resolved: "ok",
};

/** Everything that happened to an incident, oldest first. */
export function History({ entries }: { readonly entries: readonly IncidentEntry[] }) {
  return (
    <ol className="line">
      {entries.map(({ at, kind, detail, detail_parts: parts, by, message_ids: messageIds }, index) => (
        <li key={`${at} ${index}`} className={tones[kind] ?? "idle"}>
          <span className="when">
            <Time at={at} withDay />
          </span>
          <b>{kind === "note" ? t.incidents.noteOf(by) : (t.incidents.kinds[kind] ?? kind)}</b>
          {detail && (
            <div className={kind === "note" ? "wrapped" : "muted"}>{sentenceText(parts, detail)}</div>
          )}
          {messageIds.length > 0 && (
            <div className="row">
              {messageIds.map((messageId, number) => (
                <Link key={messageId} to="/messages/$messageId" params={{ messageId }} className="link">
                  {t.incidents.message(number + 1)}
                </Link>
              ))}
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}
