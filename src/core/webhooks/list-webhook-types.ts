import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { exampleOf } from "../../../contracts/common/event-examples.ts";
import { toJsonSchema } from "../../../contracts/common/json-schemas.ts";
import { TEST_TYPE } from "../../../contracts/common/webhook-types.ts";
import { eventSchemas, eventTypes } from "../../../contracts/events.ts";
import type {
  ListWebhookTypesRequest,
  ListWebhookTypesResponseSchema,
} from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { PAYLOAD_VERSION } from "../../events/webhook-payload.ts";
import type { Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";

type Types = MessageInitShape<typeof ListWebhookTypesResponseSchema>;

/**
 * Lists the types of events with the schemas of their payloads, which are the same for every account.
 * @throws Fault account.unknown
 */
export function createListWebhookTypes({
  store,
}: {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}) {
  let written: Types | undefined;
  return async (request: ListWebhookTypesRequest): Promise<Types> => {
    await resolveAccount(store, request);
    written ??= { types: eventTypes.map(describe) };
    return written;
  };
}

function describe(type: (typeof eventTypes)[number]) {
  const schema = eventSchemas[type];
  const [group = type] = type.split(".");
  return {
    type,
    group,
    description: schema.meta()?.description ?? "",
    version: PAYLOAD_VERSION,
    isSubscribable: type !== TEST_TYPE,
    schema: toJsonSchema(schema, "output") as JsonObject,
    example: exampleOf(type) as unknown as JsonObject,
  };
}
