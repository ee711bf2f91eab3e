// A plugin for Vite: replaces contracts in the browser by the method and path of their routes, which is all that a client of
// @ts-rest/core needs, and the fields by which it knows an answer. Schemas and descriptions are 200 kB with zod; they load
// with the forms that ask for them.
import path from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "..");
const CONTRACTS = path.join(ROOT, "contracts");
/** Imports of schemas keep the module as it is: `import("…/contracts/dashboard/keys.ts?schemas")`. */
const SCHEMAS = "?schemas";

/** @returns {import("vite").Plugin} */
export function slimContracts() {
  return {
    name: "slim-contracts",
    enforce: "pre",
    async load(id) {
      if (!id.startsWith(CONTRACTS + path.sep) || id.endsWith(SCHEMAS)) return null;
      const built = path.join(ROOT, "dist/contracts", path.relative(CONTRACTS, id)).replace(/\.ts$/, ".js");
      const exported = await import(pathToFileURL(built).href);
      const routers = Object.entries(exported).filter(([, value]) => isRouter(value));
      // Constants that pages share with the server, as the names of permissions.
      if (routers.length === 0) return null;
      return routers
        .map(([name, router]) => `export const ${name} = ${JSON.stringify(slim(router))};`)
        .join("\n");
    },
  };
}

function isRouter(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const routes = Object.values(value);
  return routes.length > 0 && routes.every(isRoute);
}

function isRoute(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    "method" in value &&
    "path" in value &&
    "responses" in value
  );
}

function slim(router) {
  return Object.fromEntries(
    Object.entries(router).map(([name, { method, path: at, contentType, responses }]) => [
      name,
      {
        method,
        path: at,
        ...(contentType && { contentType }),
        responses: {},
        metadata: fieldsOfAnswers(responses),
      },
    ]),
  );
}

/**
 * Fields of successful answers in JSON: each answer has one of them; of lists it is `data`.
 * @returns undefined: no answer is JSON
 */
function fieldsOfAnswers(responses) {
  const schemas = Object.entries(responses)
    .filter(([status, schema]) => /^2/.test(status) && typeof schema?.safeParse === "function")
    .flatMap(([, schema]) => schema.options ?? [schema]);
  return schemas.length === 0 ? undefined : [...new Set(schemas.map(fieldOf))];
}

/** @returns a field that the schema demands; empty: it demands none */
function fieldOf({ shape = {} }) {
  const demanded = Object.keys(shape).filter((name) => !shape[name].safeParse(undefined).success);
  return demanded.includes("data") ? "data" : (demanded[0] ?? "");
}
