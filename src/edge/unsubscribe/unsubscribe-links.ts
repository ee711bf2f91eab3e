import { initServer } from "@ts-rest/fastify";
import type { FastifyInstance } from "fastify";
import { type FaultCodeName, faultCodes } from "../../../contracts/common/fault-codes.ts";
import { unsubscribe } from "../../../contracts/unsubscribe.ts";
import type { CoreClient } from "../../rpc/client.ts";
import { Fault } from "../../shared/fault.ts";
import { createShowUnsubscribe } from "../routes/show-unsubscribe.ts";
import { createUnsubscribe } from "../routes/unsubscribe.ts";
import { invalidLinkPage, pageHeaders, unavailablePage } from "./pages.ts";
import { formFault, readForms } from "./read-forms.ts";

export interface UnsubscribeLinksOptions {
  readonly core: Pick<CoreClient, "unsubscribes">;
  /** Checks answers against the contract: for tests. */
  readonly validateResponses: boolean;
}

/** What a person in a browser is shown instead of a problem document. */
const pageOfFault: Partial<Record<FaultCodeName, () => string>> = {
  "unsubscribe.token_invalid": invalidLinkPage,
  "core.unavailable": unavailablePage,
  "core.timeout": unavailablePage,
  "store.unavailable": unavailablePage,
};

/** Serves the links of List-Unsubscribe fields. Faults that have no page are left to the server around it. */
export async function unsubscribeLinks(
  app: FastifyInstance,
  { core, validateResponses }: UnsubscribeLinksOptions,
): Promise<void> {
  readForms(app);
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
  const routes = {
    showUnsubscribe: createShowUnsubscribe({ core }),
    unsubscribe: createUnsubscribe({ core }),
  };
  app.register(s.plugin(s.router(unsubscribe, routes)), {
    logInitialization: false,
    responseValidation: validateResponses,
    requestValidationErrorHandler: () => {
      throw formFault();
    },
  });
}
