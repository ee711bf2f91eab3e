import type { FastifyInstance, FastifyRequest } from "fastify";
import { validationFault } from "../../shared/fault.ts";

/** Many times what a form with one field has. */
const MAX_FORM_BYTES = 16 * 1024;

/** Bodies are forms, in the two ways in which mailbox providers send them (RFC 8058 section 3.2). */
export function readForms(app: FastifyInstance): void {
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
        throw formFault();
      }
    },
  );
}

/** The body is not what a click sends. */
export function formFault() {
  return validationFault([
    {
      pointer: "/List-Unsubscribe",
      code: "field.required",
      message: "The body must be a form with the field List-Unsubscribe=One-Click.",
    },
  ]);
}
