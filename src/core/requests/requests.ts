import { RequestService } from "../../../gen/hermod/request/v1/request_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { READS, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS, permitted } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createGetRequest } from "./get-request.ts";
import { createGetRequestStatistics } from "./get-request-statistics.ts";
import { createListRequests } from "./list-requests.ts";
import { createRecordRequests } from "./record-requests.ts";

type Needs = Pick<Dependencies, "store" | "clock" | "retention">;

/** Log of requests that were made with keys. */
export const requests: Area<Needs> = defineArea(RequestService, {
  recordRequests: [
    FRONT_ENDS,
    unaudited("it writes its own log"),
    ({ store, clock, retention }) => createRecordRequests({ store, clock, retentionMs: retention.requestMs }),
  ],
  listRequests: [permitted("requests.read"), READS, createListRequests],
  getRequest: [permitted("requests.read"), READS, createGetRequest],
  getRequestStatistics: [permitted("requests.read"), READS, createGetRequestStatistics],
});
