import type { Policy, PolicyContent, PolicyTransport } from "../../api/policies.ts";
import { plain } from "../../parts/drafts/draft-content.ts";
import type { DraftFormat } from "../../parts/drafts/use-draft.ts";
import { readJson } from "./read-json.ts";

/** The fields of a stored policy that a change replaces. */
type Stored = Omit<Policy, "name" | "default" | "revision" | "updated_at" | "stored_by">;

/** The settings of a stored policy, as a change sends them. They have no passwords. */
export function contentOf(stored: Stored): PolicyContent {
  const { transports, rules, retry, max_age_seconds, priority } = stored;
  const { limits, source, list_unsubscribe, tracking } = stored;
  return tidy({
    transports: transports.map(transportOf),
    rules: rules.map((rule) => ({ domains: rule.domains, transports: rule.transports.map(transportOf) })),
    retry,
    max_age_seconds,
    priority,
    limits,
    source: source && {
      address: source.address || undefined,
      address6: source.address6 || undefined,
      helo_name: source.helo_name || undefined,
    },
    list_unsubscribe,
    tracking,
  });
}

function transportOf({ sandbox, smtp, direct }: PolicyTransport): PolicyContent["transports"][number] {
  if (smtp) return { smtp: { ...smtp, username: smtp.username || undefined } };
  if (direct) return { direct };
  return sandbox ? { sandbox: {} } : {};
}

/** The same settings without fields that set nothing. */
export function tidy(content: PolicyContent): PolicyContent {
  const { rules, retry, limits, source, tracking } = content;
  return plain({
    ...content,
    rules: rules?.length === 0 ? undefined : rules,
    retry: retry?.waits_seconds.length === 0 ? undefined : retry,
    limits: hasValue(limits) ? limits : undefined,
    source: hasValue(source) ? source : undefined,
    tracking: tracking?.opens || tracking?.clicks ? tracking : undefined,
  });
}

const hasValue = (fields: object = {}) => Object.values(fields).some((value) => value !== undefined);

/** The same settings without passwords. */
export const withoutPasswords = (content: PolicyContent): PolicyContent =>
  JSON.parse(
    JSON.stringify(content, (name, value: unknown) => (name === "password" ? undefined : value)),
  ) as PolicyContent;

export const policyFormat: DraftFormat<PolicyContent> = { read: readJson, tidy };
