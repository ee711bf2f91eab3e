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
  header("webhook-id", "Id of the event. A repeated id means that the same event was sent again.", {
    type: "string",
  }),
  header("webhook-timestamp", "Time of this attempt, in seconds since 1970-01-01 UTC.", { type: "integer" }),
  header(
    "webhook-signature",
    "`v1,` followed by the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with the secret of the endpoint (Standard Webhooks). During a rotation of the secret the header has two signatures, separated by a space. For an endpoint with the algorithm `ed25519` it is `v1a,` followed by the base64 of an Ed25519 signature.",
    { type: "string" },
  ),
];

const responses: oas31.ResponsesObject = {
  "2XX": { description: "The endpoint accepted the event." },
  "410": { description: "The endpoint wants no more events. Hermod disables it." },
  default: {
    description:
      "The delivery failed. Hermod sends the event again later, and not before the time in `Retry-After`.",
  },
};

/** Writes the `webhooks` section of a document: the events by type. */
export function webhooksOf(schemas: JsonSchemas): oas31.PathsObject {
  return Object.fromEntries(
    eventTypes.map((type) => {
      const schema = eventSchemas[type];
      const { id = "", description = "" } = schema.meta() ?? {};
      const post: oas31.OperationObject = {
        operationId: `on${id.replace(/Event$/, "")}`,
        summary: type,
        description,
        // Hermod authenticates its requests with the signatures above, so the document names no security scheme.
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
