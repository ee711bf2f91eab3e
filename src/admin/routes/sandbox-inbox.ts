import type { FastifyInstance } from "fastify";
import { inboxScript } from "../pages/inbox/main.ts";
import { inboxCss } from "../pages/inbox-css.ts";
import { inboxHtml } from "../pages/inbox-html.ts";
import { PAGE_CSP } from "../security-headers.ts";

/** GET /sandbox: the inbox page, with its script and style. `example` fills its `curl` line. */
export function sandboxInbox(example: { readonly baseUrl: string; readonly sender: string }) {
  const page = inboxHtml(example);
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/sandbox", async (_request, reply) =>
      reply.header("content-security-policy", PAGE_CSP).type("text/html; charset=utf-8").send(page),
    );
    app.get("/sandbox/", async (_request, reply) => reply.redirect("/sandbox", 308));
    app.get("/sandbox/inbox.js", async (_request, reply) =>
      reply.type("text/javascript; charset=utf-8").send(inboxScript),
    );
    app.get("/sandbox/inbox.css", async (_request, reply) =>
      reply.type("text/css; charset=utf-8").send(inboxCss),
    );
  };
}
