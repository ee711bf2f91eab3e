import type { WebhookEventType } from "../../api/webhooks.ts";
import { fieldsOf } from "./schema-fields.ts";

/** The types that contain each word of a text in their name, their description or the path of a field. */
export function matching(
  types: readonly WebhookEventType[],
  text: string | undefined,
): readonly WebhookEventType[] {
  const words = (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return types;
  return types.filter(({ type, description, schema }) => {
    const paths = fieldsOf(schema).map(({ path }) => path);
    const searched = [type, description, ...paths].join(" ").toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
