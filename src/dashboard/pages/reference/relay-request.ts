import type { FrameAnswer, FrameRequest } from "../../reference-frame/messages.ts";
import { t } from "../../texts/texts.ts";

/** The operations that the frame may call. */
export interface Operations {
  /** Base URL in the shown document, without a slash at its end. */
  readonly server: string;
  /** Base URL of this page, without a slash at its end: another name of the same installation. */
  readonly home: string;
  /** Paths of the document, such as `/v1/emails/{message_id}`. */
  readonly paths: readonly string[];
}

/**
 * The address for a request of the frame: its own, at the origin of this page. Undefined: no operation of the document
 * has that address.
 */
export function targetOf(url: string, { server, home, paths }: Operations): string | undefined {
  if (!URL.canParse(url)) return undefined;
  // In its normal form, without `..`.
  const { href } = new URL(url);
  if (!href.startsWith(`${server}/`)) return undefined;
  const [rest = ""] = href.slice(server.length).split("#", 1);
  const [path = ""] = rest.split("?", 1);
  return paths.some((template) => patternOf(template).test(path)) ? home + rest : undefined;
}

const patternOf = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);

/**
 * Sends a request that the user tries, with the key that the user has entered and without the cookie of the session: the
 * answer is that to a program.
 */
export async function relayRequest(request: FrameRequest, operations: Operations): Promise<FrameAnswer> {
  const target = targetOf(request.url, operations);
  if (target === undefined) return { fault: t.reference.noOperation };
  try {
    const answer = await fetch(target, {
      method: request.method,
      headers: request.headers.map(([name, value]): [string, string] => [name, value]),
      ...(request.body.byteLength > 0 && { body: request.body }),
      credentials: "omit",
      redirect: "error",
      cache: "no-store",
    });
    const { status, statusText, headers } = answer;
    return { status, statusText, headers: [...headers], body: await answer.arrayBuffer() };
  } catch {
    return { fault: t.problem.network };
  }
}
