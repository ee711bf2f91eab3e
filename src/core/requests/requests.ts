import { RequestService } from "../../../gen/hermod/request/v1/request_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { LOOKS, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS, permitted } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createGetRequest } from "./get-request.ts";
import { createListRequests } from "./list-requests.ts";
import { createRecordRequests } from "./record-requests.ts";

/** The log of the requests that were made with keys. */
export const requests = defineArea({
  service: RequestService,
  callers: {
    recordRequests: FRONT_ENDS,
    listRequests: permitted("requests.read"),
    getRequest: permitted("requests.read"),
  },
  audits: {
    recordRequests: unaudited("it writes a log of its own"),
    listRequests: LOOKS,
    getRequest: LOOKS,
  },
  handlers: ({ store, clock, retention }: Pick<Dependencies, "store" | "clock" | "retention">) => ({
    recordRequests: createRecordRequests({ store, clock, retentionMs: retention.requestMs }),
    listRequests: createListRequests({ store }),
    getRequest: createGetRequest({ store }),
  }),
});
