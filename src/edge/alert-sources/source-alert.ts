import { createHash } from "node:crypto";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AlertSchema } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { clipJson, clipText, type JsonCapacity } from "../../shared/clip-json.ts";
import { parseMoment } from "../../shared/parse-moment.ts";
import { webAddressOf } from "../../shared/web-address.ts";
import type { SeverityOf } from "./severities.ts";

export type AlertInit = MessageInitShape<typeof AlertSchema>;

/** An alert in the words of its source: texts of any length, and other JSON values. */
export interface SourceAlert {
  readonly eventType: unknown;
  readonly severity: unknown;
  /** The first of these that says something. */
  readonly source: readonly unknown[];
  readonly message: readonly unknown[];
  readonly entity?: { readonly type: string; readonly id: unknown } | undefined;
  readonly status: "firing" | "resolved" | "acknowledged";
  readonly dedupKey: unknown;
  /** Integration within the endpoint that the key belongs to; missing: none. */
  readonly integration?: unknown;
  readonly occurredAt: unknown;
  readonly context: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly href: unknown; readonly text: unknown }[];
}

/**
 * Reads the alerts in the body of a request.
 * @throws Fault request.validation_failed
 */
export type ReadSource = (body: JsonObject, severityOf: SeverityOf, headers: SourceHeaders) => AlertInit[];

export type SourceHeaders = Readonly<Record<string, string | string[] | undefined>>;

const MAX_NAME = 255;
const MAX_MESSAGE = 10_000;
const MAX_LINKS = 10;
const MAX_HREF = 2_000;
const MAX_LINK_TEXT = 100;
/** With all else below what an alert may have. */
const CONTEXT: JsonCapacity = { values: 1_000, characters: 50_000, text: 4_000, depth: 16 };

/** An alert that the core takes: no source is refused for a long text, or a link that is none. */
export function alertOf(sourceAlert: SourceAlert, severityOf: SeverityOf): AlertInit {
  const { entity, occurredAt, dedupKey, status } = sourceAlert;
  const entityId = textOf(entity?.id, MAX_NAME);
  const key = textOf(dedupKey, MAX_NAME);
  // The routing key is a secret: only its hash is stored.
  const integration = textOf(sourceAlert.integration, MAX_NAME);
  // Some write offsets without a colon.
  const at =
    typeof occurredAt === "string"
      ? parseMoment(occurredAt.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))
      : undefined;
  return {
    eventType: textOf(sourceAlert.eventType, MAX_NAME) || "alert",
    severity: severityOf(sourceAlert.severity),
    source: firstOf(sourceAlert.source, MAX_NAME) || "unknown",
    message: firstOf(sourceAlert.message, MAX_MESSAGE) || "(no message)",
    status,
    ...(entity && entityId && { entityType: entity.type, entityId }),
    ...(key && { dedupKey: key }),
    ...(integration !== "" && { dedupScope: createHash("sha256").update(integration).digest("base64url") }),
    // Go's zero time stands for none.
    ...(at && at.getTime() > 0 && { occurredAt: timestampFromDate(at) }),
    context: clipJson(sourceAlert.context, CONTEXT) as JsonObject,
    links: sourceAlert.links
      .flatMap(({ href, text }) => {
        const address = typeof href === "string" ? webAddressOf(href, MAX_HREF) : undefined;
        return address === undefined ? [] : [{ href: address, text: textOf(text, MAX_LINK_TEXT) }];
      })
      .slice(0, MAX_LINKS),
  };
}

/** A value of a body as an object; another one is an empty one. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** A value of a body as a list; another one is an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function firstOf(values: readonly unknown[], most: number): string {
  for (const value of values) {
    const text = textOf(value, most);
    if (text !== "") return text;
  }
  return "";
}

/** Empty: it says nothing. */
function textOf(value: unknown, most: number): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? clipText(value.trim(), most) : "";
}
