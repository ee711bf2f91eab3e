import type { FastifyInstance } from "fastify";
import { scriptedPageHeaders } from "./html-page.ts";
import { invitationPage, passwordResetPage, SCRIPT_PATH, signUpPage } from "./mail-link-pages.ts";
import { MAIL_LINK_SCRIPT } from "./mail-link-script.ts";

const pages = {
  "/invitation": invitationPage,
  "/reset-password": passwordResetPage,
  "/sign-up": signUpPage,
};

/**
 * Serves the pages that links in Hermod's own mails lead to. They are the same for everybody: what a link is for, and
 * whether it holds, their script asks of the dashboard's API.
 */
export async function mailLinks(app: FastifyInstance): Promise<void> {
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, (_request, reply) =>
      reply.headers(scriptedPageHeaders).type("text/html; charset=utf-8").send(page),
    );
  }
  app.get(SCRIPT_PATH, (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(MAIL_LINK_SCRIPT),
  );
}
