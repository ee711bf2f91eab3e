import { initServer } from "@ts-rest/fastify";
import type { FastifyInstance } from "fastify";
import { unsubscribe } from "../../contracts/unsubscribes.ts";
import type { CoreClient } from "../rpc/client.ts";
import { validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { type FormPagesOptions, showFormPages } from "./form-pages.ts";
import { confirmPage, donePage, invalidLinkPage, unavailablePage } from "./unsubscribe-pages.ts";

export interface UnsubscribeLinksOptions {
  readonly core: Pick<CoreClient, "unsubscribes">;
  /** Checks answers against the contract: for tests. */
  readonly validateResponses: boolean;
}

const pageOfFault: FormPagesOptions["pageOfFault"] = {
  "unsubscribe.token_invalid": invalidLinkPage,
  "core.unavailable": unavailablePage,
  "core.timeout": unavailablePage,
  "store.unavailable": unavailablePage,
  "store.full": unavailablePage,
};

/** Serves the links of List-Unsubscribe fields. Faults that have no page are left to the server around it. */
export async function unsubscribeLinks(
  app: FastifyInstance,
  { core, validateResponses }: UnsubscribeLinksOptions,
): Promise<void> {
  showFormPages(app, { pageOfFault, formFault });
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

/** GET /u/:token: asks whether to unsubscribe, and does nothing of the kind. */
function createShowUnsubscribe({ core }: { readonly core: Pick<CoreClient, "unsubscribes"> }) {
  return async ({ params: { token } }: { readonly params: { readonly token: string } }) => {
    await core.unsubscribes.checkToken({ token });
    return { status: 200 as const, body: confirmPage() };
  };
}

/** POST /u/:token: one click in a mail program (RFC 8058), or the button of the page. */
function createUnsubscribe({ core }: { readonly core: Pick<CoreClient, "unsubscribes"> }) {
  return async ({ params: { token } }: { readonly params: { readonly token: string } }) => {
    await core.unsubscribes.unsubscribe({ token });
    return { status: 200 as const, body: donePage() };
  };
}

/** The body is not what a click sends. */
function formFault() {
  return validationFault([
    {
      pointer: "/List-Unsubscribe",
      code: "field.required",
      message: say("form_field", { given: "List-Unsubscribe=One-Click" }),
    },
  ]);
}
