import { type ApiFetcherArgs, type AppRouter, initClient } from "@ts-rest/core";
import { Problem, problemOf } from "./problem.ts";
import { askForFactor, askForSignIn } from "./reentry.ts";

/** Address of the installation, without a slash at its end. */
export const home = new URL("..", document.baseURI).href.replace(/\/$/, "");

/** A client of one contract. */
export function clientOf<R extends AppRouter>(contract: R) {
  return initClient(contract, { baseUrl: home, baseHeaders: {}, api: send });
}

/** @ts-rest writes a list as `state[0]=a&state[1]=b`, Hermod reads `state=a&state=b`. No value has a bare equals sign. */
const LIST_INDEX = /%5B\d+%5D(?==)/g;

/** Called when a request shows that Hermod, or its core, cannot be reached. */
let onUnreachable = () => {};
export const setOnUnreachable = (listener: () => void): void => {
  onUnreachable = listener;
};
const UNREACHABLE: ReadonlySet<number> = new Set([502, 503, 504]);

async function send({ route, path, method, headers, body, fetchOptions }: ApiFetcherArgs) {
  const payload = body === undefined ? {} : { body: body as BodyInit };
  try {
    const answer = await fetch(path.replace(LIST_INDEX, ""), {
      ...fetchOptions,
      method,
      headers,
      ...payload,
      credentials: "same-origin",
    });
    if (UNREACHABLE.has(answer.status)) onUnreachable();
    return { status: answer.status, body: await readBody(answer, route.metadata), headers: answer.headers };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    onUnreachable();
    throw new Problem({ code: "network", status: 0, detail: "Hermod cannot be reached." });
  }
}

/**
 * @param fields of the route's successful answers: see `slim-contracts.js`
 * @returns undefined: nothing that Hermod answers here, such as the page of a proxy or of a network that asks for a sign-in
 */
async function readBody(answer: Response, fields: unknown): Promise<unknown> {
  const type = answer.headers.get("content-type") ?? "";
  const text = await answer.text();
  if (!/[/+]json\b/.test(type))
    return text === "" || (type.startsWith("text/html") && !isDocument(answer)) ? undefined : text;
  try {
    const body: unknown = JSON.parse(text);
    return !answer.ok || hasOneOf(fields, body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Hermod isolates its documents, such as reports. A page of a proxy is none. */
const isDocument = ({ headers }: Response): boolean =>
  /^sandbox\b/.test(headers.get("content-security-policy") ?? "");

function hasOneOf(fields: unknown, body: unknown): boolean {
  if (!Array.isArray(fields) || typeof body !== "object" || body === null) return false;
  const values = body as Readonly<Record<string, unknown>>;
  return fields.some((field: string) =>
    field === "data" ? Array.isArray(values[field]) : field === "" || values[field] !== undefined,
  );
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

type Successful<A extends Answer> = Extract<A, { readonly status: 200 | 201 | 202 | 204 }>["body"];

/**
 * Sends a request and returns the body of a success. If a request needs a recent factor, or the session has ended, the user is
 * asked and the request is repeated.
 * @throws Problem
 */
export async function call<A extends Answer>(request: () => Promise<A>): Promise<Successful<A>> {
  try {
    return await callOnce(request);
  } catch (error) {
    if (needsFactor(error) && (await askForFactor())) return call(request);
    if (hasEnded(error) && (await askForSignIn())) return call(request);
    throw error;
  }
}

/**
 * Sends a request without dialogs: for requests of the dialogs themselves, and for sign-in pages.
 * @throws Problem
 */
export async function callOnce<A extends Answer>(request: () => Promise<A>): Promise<Successful<A>> {
  const answer = await request();
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess && (answer.status === 204 || answer.body !== undefined)) return answer.body as Successful<A>;
  throw problemOf(answer.status, answer.headers, answer.body);
}

function needsFactor(error: unknown): boolean {
  return error instanceof Problem && error.code === "auth.reauthentication_required";
}

/** Whether a request failed because the session is over. */
export function hasEnded(error: unknown): boolean {
  return (
    error instanceof Problem &&
    (error.code === "auth.session_invalid" || error.code === "auth.session_missing")
  );
}
