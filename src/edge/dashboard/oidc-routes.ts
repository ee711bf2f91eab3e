import type { RouterImplementation } from "@ts-rest/fastify";
import type { sessions as contract } from "../../../contracts/dashboard/sessions.ts";
import { Fault } from "../../shared/fault.ts";
import { createCoreFor, type DashboardParts } from "./call.ts";
import { createSignedInAnswer } from "./signed-in-answer.ts";

type Routes = Pick<RouterImplementation<typeof contract>, "beginOidc" | "beginOidcLink" | "finishOidc">;

/** As long as the core keeps what the browser was sent away for. */
const AWAY_MS = 10 * 60_000;
const HOME = "/dashboard";
const SIGN_IN = "/dashboard/sign-in";

/** Signing in by a provider of OpenID Connect, which sends browsers back by GET. */
export function oidcRoutes(parts: DashboardParts): Routes {
  const { oidcCookie, clock } = parts;
  const coreFor = createCoreFor(parts);
  const renewCookie = createSignedInAnswer(parts);
  const awayUntil = () => new Date(clock.now().getTime() + AWAY_MS);

  return {
    beginOidc: async ({ request, reply, query: { return_to: returnTo = "" } }) => {
      const { url, browserToken } = await coreFor(request).sessions.beginOidc({ returnTo });
      oidcCookie.set(request, reply, browserToken, awayUntil());
      return { status: 200, body: { url } };
    },
    beginOidcLink: async ({ request, reply, query: { return_to: returnTo = "" } }) => {
      const { url, browserToken } = await coreFor(request).sessions.beginOidcLink({ returnTo });
      oidcCookie.set(request, reply, browserToken, awayUntil());
      return { status: 200, body: { url } };
    },
    finishOidc: async (call) => {
      const { request, reply } = call;
      const browserToken = oidcCookie.read(request);
      oidcCookie.clear(request, reply);
      const query = request.url.includes("?") ? request.url.slice(request.url.indexOf("?") + 1) : "";
      try {
        const { sessionToken, returnTo } = await coreFor(request).sessions.finishOidc({
          query,
          browserToken,
        });
        if (sessionToken !== "") await renewCookie(call, sessionToken);
        reply.header("location", `${HOME}${returnTo}`);
      } catch (error) {
        // A person in a browser sees this: a page describes the problem and the next step.
        reply.header("location", `${SIGN_IN}?fault=${Fault.from(error).code}`);
      }
      return { status: 303, body: undefined };
    },
  };
}
