import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RequestSchema } from "../../../gen/hermod/request/v1/request_service_pb.ts";
import { isId } from "../../shared/ids.ts";
import type { RequestEntry } from "../../store/request-store.ts";

/** Position of a request in the log: its document, and the index of its entry. Its id consists of both. */
export interface Position {
  readonly documentId: string;
  readonly index: number;
}

const FORM = /^(req_\w{26})\.(\d{1,3})$/;

/** Reads the id of a request; undefined: it is not one. */
export function readPosition(id: string): Position | undefined {
  const [, documentId = "", index = ""] = FORM.exec(id) ?? [];
  return isId("req", documentId) ? { documentId, index: Number(index) } : undefined;
}

export function positionId({ documentId, index }: Position): string {
  return `${documentId}.${index}`;
}

/** A request in answers. */
export function toRequest(
  accountId: string,
  position: Position,
  entry: RequestEntry,
): MessageInitShape<typeof RequestSchema> {
  const { at, code = "", messageId = "", replayed = false, count = 1, ...others } = entry;
  return {
    id: positionId(position),
    accountId,
    at: timestampFromDate(at),
    code,
    messageId,
    replayed,
    count,
    ...others,
  };
}
