import { initServer } from "@ts-rest/fastify";
import type { FastifyInstance } from "fastify";
import { incidentLink } from "../../contracts/incidents.ts";
import type { CoreClient } from "../rpc/client.ts";
import { validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { type FormPagesOptions, showFormPages } from "./form-pages.ts";
import { incidentPage, incidentUnavailablePage, invalidIncidentLinkPage } from "./incident-pages.ts";

export interface IncidentLinksOptions {
  readonly core: Pick<CoreClient, "incidents">;
  /** Checks answers against the contract: for tests. */
  readonly validateResponses: boolean;
}

const pageOfFault: FormPagesOptions["pageOfFault"] = {
  "incident.link_invalid": invalidIncidentLinkPage,
  "core.unavailable": incidentUnavailablePage,
  "core.timeout": incidentUnavailablePage,
  "store.unavailable": incidentUnavailablePage,
  "store.full": incidentUnavailablePage,
};

/** Serves the links in mail about incidents. Faults that have no page are left to the server around it. */
export async function incidentLinks(
  app: FastifyInstance,
  { core, validateResponses }: IncidentLinksOptions,
): Promise<void> {
  showFormPages(app, { pageOfFault, formFault });
  const s = initServer();
  const routes = s.router(incidentLink, {
    showIncidentLink: async ({ params: { token } }) => {
      return { status: 200, body: incidentPage(await core.incidents.findIncidentLink({ token })) };
    },
    followIncidentLink: async ({ params: { token }, body: { action } }) => {
      return { status: 200, body: incidentPage(await core.incidents.followIncidentLink({ token, action })) };
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

/** The body is not what the page's buttons send. */
function formFault() {
  const message = say("form_field", { given: "action=acknowledge or action=resolve" });
  return validationFault([{ pointer: "/action", code: "field.required", message }]);
}
