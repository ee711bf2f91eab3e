import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Email } from "../../../gen/hermod/email/v1/email_service_pb.ts";

/**
 * SHA-256 of the canonical form of a request: equal for requests that mean the same, whatever the order of
 * their JSON keys and whether `to` was a string or a list of one.
 */
export function fingerprint(email: Email, templateData: JsonObject | undefined): string {
  const canonical: Record<string, JsonValue> = {
    from: email.from ?? null,
    to: email.to,
    subject: email.subject ?? null,
    html: email.html ?? null,
    text: email.text ?? null,
    template: email.template ?? null,
    // Without a template, data that is accepted is empty, and means nothing.
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
  // Only where it is said: requests that an earlier release remembers have the same fingerprint as before.
  if (opens !== undefined || clicks !== undefined) {
    canonical.tracking = { opens: opens ?? null, clicks: clicks ?? null };
  }
  return createHash("sha256").update(JSON.stringify(canonical, sortedKeys)).digest("base64url");
}

/** A replacer of `JSON.stringify`: objects that mean the same have the same text. */
export function sortedKeys(_key: string, value: JsonValue): JsonValue {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
