import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Request } from "playwright-core";
import { dashboard } from "../../contracts/index.ts";

/** A query of the pages. */
export interface PageQuery {
  /** Its name in `src/dashboard/api`. */
  readonly name: string;
  /** Whether the query sends this request of the browser. */
  isSent(request: Pick<Request, "method" | "url">): boolean;
}

const SOURCES = path.resolve(import.meta.dirname, "../../src/dashboard");
const declares = /^(?:export )?(?:async )?(?:const|function) (\w+)/;
const isQuery = /\b(?:queryOptions|infiniteQueryOptions|listQuery)\(/;

/** Returns the queries of `src/dashboard/api` and the routes that they request, read from the source files. */
export async function pageQueries(): Promise<PageQuery[]> {
  const folder = path.join(SOURCES, "api");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
  // The file that creates list queries sends no request itself.
  return texts.filter((text) => !/function listQuery|const listQuery/.test(text)).flatMap(queriesOf);
}

/** Returns the files with their own API queries, which no test could name. */
export async function filesWithOwnQueries(): Promise<string[]> {
  const names = (await readdir(SOURCES, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(path.join(SOURCES, name), "utf8")));
  return names.filter((name, index) => !name.startsWith("api/") && /\bqueryFn\b/.test(texts[index] ?? ""));
}

function queriesOf(text: string): PageQuery[] {
  const parts = text.split(/^(?=(?:export )?(?:async )?(?:const|function|interface|type|class) )/m);
  const declarations = new Map(
    parts.flatMap((part) => (nameOf(part) ? [[nameOf(part), part] as const] : [])),
  );
  const routers = new Map(
    [...text.matchAll(/const (\w+) = clientOf\((\w+)\)/g)].map((found) => [found[1], found[2]]),
  );
  return [...declarations].flatMap(([name, part]) => {
    if (name === "" || !part.startsWith("export ") || !isQuery.test(part)) return [];
    const routes = routesOf(withHelpers(part, declarations), routers);
    if (routes.length === 0) throw new Error(`No route of a contract stands in the query ${name}.`);
    return [{ name, isSent: (request) => routes.some((route) => isOf(route, request)) }];
  });
}

const nameOf = (part: string) => declares.exec(part)?.[1] ?? "";

/** Returns a declaration with the functions of the same file that it names, except other queries. */
function withHelpers(part: string, declarations: ReadonlyMap<string, string>): string {
  const helpers = [...declarations].filter(
    ([name, helper]) =>
      name !== nameOf(part) && !isQuery.test(helper) && new RegExp(`\\b${name}\\(`).test(part),
  );
  return [part, ...helpers.map(([, helper]) => helper)].join("\n");
}

interface Route {
  readonly method: string;
  readonly path: string;
}

function routesOf(text: string, routers: ReadonlyMap<string | undefined, string | undefined>): Route[] {
  const calls = text.matchAll(/\b(?:clientOf\((\w+)\)|(\w+))\.(\w+)\(/g);
  return [...calls].flatMap(([, direct, variable, operation = ""]) => {
    const router = dashboard[(direct ?? routers.get(variable)) as keyof typeof dashboard] as
      | Readonly<Record<string, Route | undefined>>
      | undefined;
    return router?.[operation] ?? [];
  });
}

function isOf(route: Route, request: Pick<Request, "method" | "url">): boolean {
  const pattern = new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`);
  return request.method() === route.method && pattern.test(new URL(request.url()).pathname);
}
