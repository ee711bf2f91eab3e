import type { FastifyError } from "fastify";
import type { FaultCodeName } from "../../contracts/common/fault-codes.ts";
import { Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";

const frameworkCodes: Readonly<Record<string, FaultCodeName>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "request.too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "request.unsupported_media_type",
  FST_ERR_CTP_EMPTY_JSON_BODY: "request.malformed_json",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "request.malformed_header",
  FST_ERR_CTP_INVALID_JSON_BODY: "request.malformed_json",
};

/** Converts an error of the HTTP framework to a fault of the catalog. */
export function fromFramework(thrown: FastifyError): Fault {
  if (thrown instanceof Fault) return thrown;
  const code = frameworkCodes[thrown.code];
  if (code) return fault(code, { cause: thrown });
  // The client's doing, a body that ends early for instance.
  const { statusCode = 500 } = thrown;
  if (statusCode >= 400 && statusCode < 500) {
    return fault("request.malformed", {
      public: say("request_could_not_read_end"),
      cause: thrown,
    });
  }
  return Fault.from(thrown);
}
