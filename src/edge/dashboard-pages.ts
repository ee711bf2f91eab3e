import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { programFile } from "../shared/program-file.ts";
import { codedFile } from "./content-coding.ts";
import { createSessionCookie, readCookies } from "./dashboard/session-cookie.ts";
import { notFound } from "./not-found.ts";

/** Address of the pages, below that of the installation. */
const DASHBOARD_PATH = "/dashboard";

const FOLDER = fileURLToPath(programFile("../dashboard/"));
const YEAR_S = 365 * 86_400;

const mediaTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
};

const hasPages = (): boolean => existsSync(path.join(FOLDER, "index.html"));

/** Where the bare address of an installation leads, relative to it: its dashboard, or the API reference where no pages are built. */
export const homePath = (): string => (hasPages() ? `${DASHBOARD_PATH.slice(1)}/` : "docs");

interface DashboardPagesOptions {
  /** Where browsers reach this installation; undefined: under whatever host they name. */
  readonly baseUrl: string | undefined;
  /** Output of the build: `index.html`, and `assets` with its compressed forms. */
  readonly folder?: string;
}

/**
 * Serves the pages of the dashboard. The names of scripts, styles and fonts contain a hash of their content, so that
 * browsers cache them for a year. Every other path below `/dashboard` gets the single HTML document. Its script shows
 * the page of the path. Nothing is loaded from another origin.
 */
export async function dashboardPages(
  app: FastifyInstance,
  { baseUrl, folder = FOLDER }: DashboardPagesOptions,
): Promise<void> {
  if (!existsSync(path.join(folder, "index.html"))) return;
  const { pathname } = new URL(
    `.${DASHBOARD_PATH}/`,
    `${baseUrl?.replace(/\/$/, "") ?? "http://localhost"}/`,
  );
  const template = readFileSync(path.join(folder, "index.html"), "utf8").replace(
    "<!--base-->",
    `<base href="${pathname}">`,
  );
  // A closed set: no request leads to any other file. It stays whole where a new release replaces the files below.
  const files = readFiles(path.join(folder, "assets"));
  const cookie = createSessionCookie(baseUrl);
  await readCookies(app);

  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString("base64");
    // The page cannot read the cookie: without one it asks for no session.
    const hint = cookie.read(request) === "" ? "no" : "maybe";
    reply.headers({
      "content-security-policy": policy(nonce),
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
    });
    const page = template.replaceAll("CSP_NONCE", nonce).replace("SESSION_HINT", hint);
    return reply.type("text/html; charset=utf-8").send(page);
  };
  app.get(DASHBOARD_PATH, (_request, reply) => reply.redirect(`.${DASHBOARD_PATH}/`, 308));
  app.get(`${DASHBOARD_PATH}/*`, sendPage);
  app.get<{ Params: { readonly file: string } }>(`${DASHBOARD_PATH}/assets/:file`, (request, reply) => {
    const { file } = request.params;
    const type = mediaTypes[path.extname(file)];
    // A page of a former release asks for a file that is gone.
    if (!type || !files.has(file)) throw notFound(request, reply);
    const { name, coding } = codedFile(file, request.headers["accept-encoding"], files);
    reply.headers({ "cache-control": `public, max-age=${YEAR_S}, immutable`, vary: "accept-encoding" });
    if (coding) reply.header("content-encoding", coding);
    return reply.type(type).send(files.get(name));
  });
}

/** All files of a folder by name: some megabytes. */
function readFiles(folder: string): ReadonlyMap<string, Buffer> {
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file))]));
}

/** Mantine writes elements with styles, which carry the nonce, and style attributes, which cannot. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Pages of the dashboard that links in Hermod's own mails lead to. */
const mailPaths = ["/invitation", "/reset-password", "/sign-up", "/change-email"];

/**
 * Leads from the addresses in mails to the pages of the dashboard. Browsers keep the secret behind `#` and send it to no
 * server. The addresses in mails stay as they are: a mail lies in its mailbox while Hermod is replaced.
 */
export async function mailLinks(app: FastifyInstance): Promise<void> {
  for (const path of mailPaths) {
    app.get(path, (_request, reply) =>
      // The mail's address is a secret of its recipient. Relative: a proxy may serve Hermod below a path.
      reply.header("referrer-policy", "no-referrer").redirect(`dashboard${path}`, 303),
    );
  }
}
