import type { ListedWatch, WatchSettings } from "../../api/watches.ts";
import type { DraftFormat } from "../../parts/drafts/use-draft.ts";

/** The settings of a domain, as a change sends them. */
export function settingsOf(watch: Omit<ListedWatch, "checks" | "history">): WatchSettings {
  const { client_id, role, dkim_selectors, sending_ips, paused, tags, notes } = watch;
  return {
    client_id,
    role: role as WatchSettings["role"],
    dkim_selectors,
    sending_ips,
    paused,
    tags,
    notes: notes ?? "",
  };
}

/** A missing field would keep its stored value: every field is sent. */
export const watchFormat: DraftFormat<WatchSettings> = { tidy: (content) => content };
