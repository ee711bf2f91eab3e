import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Email } from "../../../gen/hermod/email/v1/email_service_pb.ts";

/**
 * SHA-256 of the canonical form of a request: equal for requests with the same meaning, independent of the order of
 * JSON keys, and of whether `to` is a string or a list with one item.
 */
export function fingerprint(email: Email, templateData: JsonObject | undefined): string {
  const canonical: Record<string, JsonValue> = {
    from: email.from ?? null,
    to: email.to,
    subject: email.subject ?? null,
    html: email.html ?? null,
    text: email.text ?? null,
    template: email.template ?? null,
    // Without a template, accepted data is empty and has no meaning.
    templateData: email.template === undefined ? null : (templateData ?? null),
    routingPolicy: email.routingPolicy ?? null,
    replyTo: email.replyTo,
    headers: Object.fromEntries(email.headers.map(({ name, value }) => [name, value])),
    attachments: email.attachments.map(({ filename, content, contentType, contentId }) => [
      filename,
      createHash("sha256").update(content).digest("base64url"),
      contentType ?? null,
      contentId ?? null,
    ]),
    tags: email.tags,
    metadata: email.metadata,
    sendAt: email.sendAt ? timestampMs(email.sendAt) : null,
  };
  const { opens, clicks } = email.tracking ?? {};
  // Only if it is set, so that the fingerprints of requests from an earlier release stay the same.
  if (opens !== undefined || clicks !== undefined) {
    canonical.tracking = { opens: opens ?? null, clicks: clicks ?? null };
  }
  return createHash("sha256").update(JSON.stringify(canonical, sortedKeys)).digest("base64url");
}

/** Replacer for `JSON.stringify`: equal objects have the same text. */
export function sortedKeys(_key: string, value: JsonValue): JsonValue {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
