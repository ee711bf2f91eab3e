import type { FastifyInstance } from "fastify";
import { type FaultCodeName, faultCodes } from "../../contracts/common/fault-codes.ts";
import { Fault } from "../shared/fault.ts";
import { pageHeaders } from "./html-page.ts";
import { readForms } from "./read-forms.ts";

export interface FormPagesOptions {
  /** What a person in a browser is shown instead of a problem document. */
  readonly pageOfFault: Partial<Record<FaultCodeName, () => string>>;
  /** The body is not what the page's button sends. */
  readonly formFault: () => Fault;
}

/** Has this part of the server show pages, each with one form. Faults that have no page are left to the server around it. */
export function showFormPages(app: FastifyInstance, { pageOfFault, formFault }: FormPagesOptions): void {
  readForms(app, formFault);
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(pageHeaders);
  });
  app.setErrorHandler(async (thrown, request, reply) => {
    const { code } = Fault.from(thrown);
    const page = pageOfFault[code];
    if (!page || !/\btext\/html\b/i.test(request.headers.accept ?? "")) throw thrown;
    return reply.code(faultCodes[code].http).type("text/html; charset=utf-8").send(page());
  });
}
