import type {
  StoredTemplate,
  TemplateVariable,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { isoTime } from "../output/time.ts";

/** A stored template as `--json` writes it. */
export function templateJson({ template, version, publishedAt }: StoredTemplate) {
  return {
    name: template?.name ?? "",
    version,
    published_at: isoTime(publishedAt),
    from: template?.from ?? null,
    subject: template?.subject ?? "",
    html: template?.html ?? null,
    text: template?.text ?? null,
    variables: (template?.variables ?? []).map(variableJson),
  };
}

/** No `fallback`: the variable is required. */
function variableJson({ name, type, fallbackJson }: TemplateVariable) {
  return { name, type, ...(fallbackJson !== undefined && { fallback: JSON.parse(fallbackJson) as unknown }) };
}
