import { createReadStream, existsSync, readdirSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyReply, FastifyRequest } from "fastify";
import { programFile } from "../shared/program-file.ts";
import { codedFile } from "./content-coding.ts";
import { notFound } from "./not-found.ts";

/** The document of the API reference in the dashboard, and its scripts with their compressed forms. */
export const FRAME_FOLDER = fileURLToPath(programFile("../dashboard/reference-frame/"));

export interface ScriptFiles {
  readonly folder: string;
  /** Names of the files that can be sent: no request leads to any other file. */
  readonly files: ReadonlySet<string>;
}

/** Scalar's bundle for browsers: the copy in the dashboard, or that of the package where no pages are built. */
export function scalarFiles(): ScriptFiles & { readonly name: string } {
  const built = existsSync(FRAME_FOLDER) ? readdirSync(FRAME_FOLDER) : [];
  const name = built.find((one) => /^scalar-\w+\.js$/.test(one));
  if (name) return { folder: FRAME_FOLDER, files: new Set(built), name };
  // The package's Fastify plugin would hold the script in memory.
  const require = createRequire(import.meta.url);
  const plugin = require.resolve("@scalar/fastify-api-reference");
  return { folder: path.join(path.dirname(plugin), "js"), files: new Set(), name: "standalone.js" };
}

/**
 * Finds a script, in the coding that the client prefers. It can have megabytes: it is streamed from its file.
 * @throws Fault request.not_found
 */
export async function findScript(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, files, name }: ScriptFiles & { readonly name: string },
): Promise<{ readonly etag: string; readonly send: () => FastifyReply }> {
  const coded = codedFile(name, request.headers["accept-encoding"], files);
  const file = path.join(folder, coded.name);
  const found = await stat(file).catch(() => undefined);
  // Another release has replaced the files.
  if (!found) throw notFound(request, reply);
  reply.header("vary", "accept-encoding");
  return {
    etag: `W/"${coded.name}-${found.size}-${found.mtimeMs}"`,
    send: () => {
      if (coded.coding) reply.header("content-encoding", coded.coding);
      reply.header("content-length", found.size).type("text/javascript; charset=utf-8");
      return reply.send(createReadStream(file));
    },
  };
}
