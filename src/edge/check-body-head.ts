import type { preParsingHookHandler } from "fastify";
import { fault } from "../shared/fault.ts";
import { headerValues } from "./header-values.ts";

/**
 * What the head of a request says of its body: one media type, and no coding, for bodies are read as they come. For
 * Fastify's `preParsing`: nothing is read of a body that is refused here, nor is anybody told who has no valid key.
 */
export const checkBodyHead: preParsingHookHandler = ({ raw }, reply, payload, done) => {
  const { rawHeaders } = raw;
  const codings = [
    ...headerValues(rawHeaders, "content-encoding").filter((coding) => !/^(?:identity)?$/i.test(coding)),
    ...headerValues(rawHeaders, "transfer-encoding").filter((coding) => !/^chunked$/i.test(coding)),
  ];
  if (codings.length > 0) {
    // RFC 9110 section 15.5.16.
    reply.header("accept-encoding", "identity");
    return done(
      fault("request.unsupported_media_type", {
        public: "The body is compressed or otherwise encoded: send it as it is, without Content-Encoding.",
      }),
    );
  }
  if (headerValues(rawHeaders, "content-type").length > 1) {
    return done(fault("request.malformed_header", { public: "The request has several Content-Types." }));
  }
  done(null, payload);
};
