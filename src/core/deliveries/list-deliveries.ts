import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListAllDeliveriesRequest,
  ListAllDeliveriesResponseSchema,
  ListDeliveriesOfMessageRequest,
  ListDeliveriesOfMessageResponseSchema,
  ListDeliveriesRequest,
  ListDeliveriesResponseSchema,
} from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import type { WebhookDeliveryDocument } from "../../store/webhook-delivery-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOf, pageSizeOf, pageStartOf, searchPage } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { readDeliveryFilter, readState } from "./delivery-filter.ts";
import { toSummary } from "./to-delivery.ts";

/** A message has a few events, and an account has a few endpoints. */
const MOST_OF_MESSAGE = 200;

type Cursor = Pick<WebhookDeliveryDocument, "at" | "_id">;

/** Lists of deliveries, without bodies and attempts. */
export function createListDeliveries({ store }: Pick<Dependencies, "store">) {
  return {
    /** @throws Fault account.unknown, request.validation_failed, webhook.unknown */
    listDeliveries: async (
      request: ListDeliveriesRequest,
    ): Promise<MessageInitShape<typeof ListDeliveriesResponseSchema>> => {
      const { endpointId } = request;
      const account = await resolveAccount(store, request);
      if (!(await account.webhooks.find(endpointId))) throw fault("webhook.unknown");
      const limit = pageSizeOf(request.pageSize);
      const after = pageStartOf(request.pageToken, readCursor);
      const faults = createFieldFaults();
      const state = readState(request.state, "/state", faults);
      if (faults.found.length > 0) throw validationFault(faults.found);
      const found = await account.webhookDeliveries.list({
        endpointId,
        limit: limit + 1,
        ...(state && { states: [state] }),
        ...(after && { after }),
      });
      const { entries, nextPageToken } = pageOf(found, limit, cursorOf);
      return { deliveries: entries.map(toSummary), nextPageToken };
    },

    /** @throws Fault account.unknown, request.validation_failed */
    listAllDeliveries: async (
      request: ListAllDeliveriesRequest,
    ): Promise<MessageInitShape<typeof ListAllDeliveriesResponseSchema>> => {
      const { webhookDeliveries } = await resolveAccount(store, request);
      const limit = pageSizeOf(request.pageSize);
      const start = pageStartOf(request.pageToken, (token) => readCursor(token) && token);
      const { lead, matches } = readDeliveryFilter(request.filter);
      const read = (token: string | undefined, most: number) => {
        const after = token === undefined ? undefined : readCursor(token);
        return webhookDeliveries.list({ ...lead, limit: most, ...(after && { after }) });
      };
      if (!matches) {
        const { entries, nextPageToken } = pageOf(await read(start, limit + 1), limit, cursorOf);
        return { deliveries: entries.map(toSummary), nextPageToken };
      }
      const { entries, next } = await searchPage({ read, matches, cursorOf, start, limit });
      return { deliveries: entries.map(toSummary), nextPageToken: next ?? "" };
    },

    /** @throws Fault account.unknown, message.unknown */
    listDeliveriesOfMessage: async (
      request: ListDeliveriesOfMessageRequest,
    ): Promise<MessageInitShape<typeof ListDeliveriesOfMessageResponseSchema>> => {
      const account = await resolveAccount(store, request);
      if (!(await account.messages.findById(request.messageId))) throw fault("message.unknown");
      const found = await account.webhookDeliveries.listOfMessage(request.messageId, MOST_OF_MESSAGE);
      return { deliveries: found.map(toSummary) };
    },
  };
}

const cursorOf = ({ at, _id }: Cursor): string => Buffer.from(`${at.getTime()} ${_id}`).toString("base64url");

function readCursor(token: string): Cursor | undefined {
  const [, time = "", _id = ""] =
    /^(\d{1,15}) (\S{1,200})$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  const position = { at: new Date(Number(time)), _id };
  return _id !== "" && cursorOf(position) === token ? position : undefined;
}
