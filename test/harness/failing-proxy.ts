import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the proxy received it. */
export interface SeenRequest {
  readonly url: string;
  readonly idempotencyKey: string | undefined;
  readonly atMs: number;
}

export interface FailingProxy {
  readonly url: string;
  /** The POST requests, in their order. */
  readonly posts: readonly SeenRequest[];
  close(): void;
}

/** Value of `Retry-After` in the proxy's answers. */
export const RETRY_AFTER_SECONDS = 1;
const FORWARDED = ["content-type", "idempotency-key", "x-api-key"];

/**
 * Stands before Hermod and fails the first three POST requests: a broken connection, 503 and 429 with `Retry-After`. All
 * others pass.
 * @param target as `http://127.0.0.1:8080`
 */
export async function startFailingProxy(target: string): Promise<FailingProxy> {
  const posts: SeenRequest[] = [];
  const failures = [undefined, 503, 429];
  const server = http.createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const body = Buffer.concat(await request.toArray());
    if (method === "POST") {
      const idempotencyKey = headers["idempotency-key"]?.toString();
      posts.push({ url, idempotencyKey, atMs: performance.now() });
      if (posts.length <= failures.length) {
        const status = failures[posts.length - 1];
        if (status === undefined) request.socket.destroy();
        else refuse(response, status);
        return;
      }
    }
    const passed = FORWARDED.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
    const answer = await fetch(target + url, {
      method,
      headers: Object.fromEntries(passed),
      ...(method === "GET" ? {} : { body }),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function refuse(response: http.ServerResponse, status: number): void {
  const problem = {
    status,
    code: status === 429 ? "rate.limited" : "store.unavailable",
    detail: "",
    errors: [],
  };
  response.writeHead(status, {
    "content-type": "application/problem+json",
    "retry-after": String(RETRY_AFTER_SECONDS),
  });
  response.end(JSON.stringify(problem));
}
