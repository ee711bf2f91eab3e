import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Fault } from "../shared/fault.ts";

/** Many times what a form with one field has. */
const MAX_FORM_BYTES = 16 * 1024;

/**
 * Bodies are forms, in the two ways in which browsers and mailbox providers send them (RFC 8058 section 3.2).
 * @param formFault what is answered to any other body
 */
export function readForms(app: FastifyInstance, formFault: () => Fault): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ["application/x-www-form-urlencoded", "multipart/form-data"],
    { parseAs: "buffer", bodyLimit: MAX_FORM_BYTES },
    async (request: FastifyRequest, bytes: Buffer) => {
      const type = request.headers["content-type"] ?? "";
      try {
        const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
        return Object.fromEntries(form);
      } catch {
        // Not thrown: `readJsonBodies` refuses it, and the connection goes on.
        return formFault();
      }
    },
  );
}
