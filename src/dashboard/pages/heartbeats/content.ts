import type { Heartbeat, HeartbeatContent } from "../../api/heartbeats.ts";
import { plain } from "../../parts/drafts/draft-content.ts";
import type { DraftFormat } from "../../parts/drafts/use-draft.ts";
import { browserZone } from "../../parts/time.tsx";

/** The settings of a new heartbeat, before the user changes them. */
export const blank: HeartbeatContent = {
  name: "",
  period_seconds: 86_400,
  grace_seconds: 300,
  severity: "critical",
};

/** Settings of the other kind of times. */
export const periodTimes = { period_seconds: 86_400, cron: undefined, timezone: undefined };
export const cronTimes = { period_seconds: undefined, cron: "", timezone: browserZone };

/** The settings of a stored heartbeat, as a change sends them. */
export function contentOf(heartbeat: Heartbeat): HeartbeatContent {
  const { name, period_seconds, cron, timezone, grace_seconds, severity, entity_type, entity_id, tags } =
    heartbeat;
  return heartbeatFormat.tidy({
    name,
    period_seconds: period_seconds ?? undefined,
    cron: cron ?? undefined,
    timezone: timezone ?? undefined,
    grace_seconds,
    severity: severity as HeartbeatContent["severity"],
    event_type: heartbeat.event_type,
    source: heartbeat.source,
    entity_type: entity_type ?? undefined,
    entity_id: entity_id ?? undefined,
    tags,
  });
}

/** The settings as a request sends them. Without an expression, the missing one is the only fault. */
export const sentOf = (content: HeartbeatContent): HeartbeatContent =>
  content.cron === undefined || content.cron.trim() !== ""
    ? content
    : plain({ ...content, timezone: undefined });

export const heartbeatFormat: DraftFormat<HeartbeatContent> = {
  // An empty field has its default. An empty expression is missing, and refused.
  tidy: ({ event_type, source, entity_type, entity_id, tags = [], ...rest }) =>
    plain({
      ...rest,
      event_type: event_type || undefined,
      source: source || undefined,
      entity_type: entity_type || undefined,
      entity_id: entity_id || undefined,
      tags: tags.length > 0 ? tags : undefined,
    }),
};
