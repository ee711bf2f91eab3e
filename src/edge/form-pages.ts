import type { FastifyInstance } from "fastify";
import { type FaultCodeName, faultCodes } from "../../contracts/common/fault-codes.ts";
import { Fault } from "../shared/fault.ts";
import { pageHeaders } from "./html-page.ts";
import { readForms } from "./read-forms.ts";

/** Pages for a person in a browser, instead of a problem document. */
export type PagesOfFaults = Partial<Record<FaultCodeName, () => string>>;

export interface FormPagesOptions {
  readonly pageOfFault: PagesOfFaults;
  /** Fault for a body that the button of the page does not send. */
  readonly formFault: () => Fault;
}

/** Makes this part of the server show pages with one form each. The outer server handles faults without a page. */
export function showFormPages(app: FastifyInstance, { pageOfFault, formFault }: FormPagesOptions): void {
  readForms(app, formFault);
  showPages(app, pageOfFault);
}

/** Makes this part of the server show pages. The outer server handles faults without a page. */
export function showPages(app: FastifyInstance, pageOfFault: PagesOfFaults): void {
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
