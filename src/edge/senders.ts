import { initServer } from "@ts-rest/fastify";
import type { FastifyInstance } from "fastify";
import { type FaultCodeName, faultCodes } from "../../contracts/common/fault-codes.ts";
import { senderLink } from "../../contracts/senders.ts";
import type { CoreClient } from "../rpc/client.ts";
import { Fault, validationFault } from "../shared/fault.ts";
import { pageHeaders } from "./html-page.ts";
import { readForms } from "./read-forms.ts";
import {
  confirmSenderPage,
  invalidSenderLinkPage,
  senderConfirmedPage,
  senderUnavailablePage,
} from "./sender-pages.ts";

export interface SenderLinksOptions {
  readonly core: Pick<CoreClient, "senders">;
  /** Checks answers against the contract: for tests. */
  readonly validateResponses: boolean;
}

/** What a person in a browser is shown instead of a problem document. */
const pageOfFault: Partial<Record<FaultCodeName, () => string>> = {
  "sender.link_invalid": invalidSenderLinkPage,
  "core.unavailable": senderUnavailablePage,
  "core.timeout": senderUnavailablePage,
  "store.unavailable": senderUnavailablePage,
};

/** Serves the links that verify addresses. Faults that have no page are left to the server around it. */
export async function senderLinks(
  app: FastifyInstance,
  { core, validateResponses }: SenderLinksOptions,
): Promise<void> {
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
  const s = initServer();
  const routes = s.router(senderLink, {
    showSenderLink: async ({ params: { token } }) => {
      const { value, accountName } = await core.senders.findSenderLink({ token });
      return { status: 200, body: confirmSenderPage(value, accountName) };
    },
    confirmSender: async ({ params: { token } }) => {
      const { value } = await core.senders.confirmSender({ token });
      return { status: 200, body: senderConfirmedPage(value) };
    },
  });
  app.register(s.plugin(routes), {
    logInitialization: false,
    responseValidation: validateResponses,
    requestValidationErrorHandler: () => {
      throw formFault();
    },
  });
}

/** The body is not what the page's button sends. */
function formFault() {
  const message = "The body must be a form with the field confirm=yes.";
  return validationFault([{ pointer: "/confirm", code: "field.required", message }]);
}
