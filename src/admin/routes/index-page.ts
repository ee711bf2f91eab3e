import type { FastifyInstance } from "fastify";
import { adminCss } from "../pages/admin-css.ts";
import { indexHtml } from "../pages/index-html.ts";
import { PAGE_CSP } from "../security-headers.ts";

/** GET /: what is on this port; GET /admin.css: the style that the pages share. */
export function indexPage({ hasSandbox }: { readonly hasSandbox: boolean }) {
  const page = indexHtml(hasSandbox);
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/", async (_request, reply) =>
      reply.header("content-security-policy", PAGE_CSP).type("text/html; charset=utf-8").send(page),
    );
    app.get("/admin.css", async (_request, reply) => reply.type("text/css; charset=utf-8").send(adminCss));
  };
}
