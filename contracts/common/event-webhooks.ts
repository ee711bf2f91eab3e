import type { oas31 } from "openapi3-ts";
import { eventSchemas, eventTypes } from "../events.ts";
import type { JsonSchemas } from "./json-schemas.ts";

const header = (name: string, description: string, schema: oas31.SchemaObject): oas31.ParameterObject => ({
  name,
  in: "header",
  required: true,
  description,
  schema,
});

const parameters = [
  header("webhook-id", "The event's id: one that you have seen is the same again.", { type: "string" }),
  header("webhook-timestamp", "When this attempt was made, in seconds since 1970.", { type: "integer" }),
  header(
    "webhook-signature",
    "`v1,` and the base 64 of HMAC-SHA256 over `id.timestamp.body`, keyed with the endpoint's secret; while it is rotated, one of each, with a space between them (Standard Webhooks).",
    { type: "string" },
  ),
];

const responses: oas31.ResponsesObject = {
  "2XX": { description: "It was taken." },
  "410": { description: "Nothing more is wanted: the endpoint is disabled." },
  default: { description: "It is sent again later, no sooner than `Retry-After` says." },
};

/** The `webhooks` section of a document: what endpoints are told, by type. */
export function webhooksOf(schemas: JsonSchemas): oas31.PathsObject {
  return Object.fromEntries(
    eventTypes.map((type) => {
      const schema = eventSchemas[type];
      const { id = "", description = "" } = schema.meta() ?? {};
      const post: oas31.OperationObject = {
        operationId: `on${id.replace(/Event$/, "")}`,
        summary: type,
        description,
        // The receiver's own concern: what it asks of Hermod are the signatures above.
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { "application/json": { schema: schemas.write(schema, "output") } },
        },
        responses,
      };
      return [type, { post }];
    }),
  );
}
