import { initServer } from "@ts-rest/fastify";
import type { FastifyInstance } from "fastify";
import { senderLink } from "../../contracts/senders.ts";
import type { CoreClient } from "../rpc/client.ts";
import { validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { type FormPagesOptions, showFormPages } from "./form-pages.ts";
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

const pageOfFault: FormPagesOptions["pageOfFault"] = {
  "sender.link_invalid": invalidSenderLinkPage,
  "core.unavailable": senderUnavailablePage,
  "core.timeout": senderUnavailablePage,
  "store.unavailable": senderUnavailablePage,
  "store.full": senderUnavailablePage,
};

/** Serves the links that verify addresses. Faults that have no page are left to the server around it. */
export async function senderLinks(
  app: FastifyInstance,
  { core, validateResponses }: SenderLinksOptions,
): Promise<void> {
  showFormPages(app, { pageOfFault, formFault });
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
  const message = say("form_field", { given: "confirm=yes" });
  return validationFault([{ pointer: "/confirm", code: "field.required", message }]);
}
