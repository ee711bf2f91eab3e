import http from "node:http";
import { expect } from "vitest";
import type { Hermod } from "./start-hermod.ts";

const PASSWORD = "uncommon words of everybody";

/** A session of the owner that the first run of a started Hermod created. */
export interface FlowSession {
  readonly cookie: string;
  /** Rejects unless the answer is 200. */
  getJson<T>(route: string): Promise<T>;
  /** Returns an answer without reading it. */
  open(route: string, headers?: http.OutgoingHttpHeaders): Promise<http.IncomingMessage>;
}

/** @param isFirst replaces the password of the first run, as required */
export async function signIn(
  { firstRun }: Pick<Hermod, "firstRun">,
  { isFirst = true } = {},
): Promise<FlowSession> {
  const { base_url: url, dashboard } = firstRun;
  const former = dashboard.password;
  let cookie = "";

  async function post(route: string, body: object): Promise<void> {
    const headers = { "content-type": "application/json", origin: url, ...(cookie && { cookie }) };
    const answer = await fetch(url + route, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    const [fresh] = answer.headers.getSetCookie();
    cookie = fresh?.split(";")[0] ?? cookie;
  }

  await post("/api/session", { email: dashboard.email, password: isFirst ? former : PASSWORD });
  if (isFirst) await post("/api/session/password", { current_password: former, new_password: PASSWORD });
  return {
    cookie,
    async getJson<T>(route: string) {
      const answer = await fetch(url + route, { headers: { cookie } });
      expect(answer.status).toBe(200);
      return (await answer.json()) as T;
    },
    open: (route, headers = {}) =>
      new Promise((resolve, reject) => {
        const request = http.get(url + route, { headers: { cookie, ...headers } }, resolve);
        request.on("error", reject);
      }),
  };
}
