import type { AppRoute } from "@ts-rest/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import { incidentLink } from "../../contracts/incidents.ts";
import { api, dashboard } from "../../contracts/index.ts";
import { senderLink } from "../../contracts/senders.ts";
import { unsubscribe } from "../../contracts/unsubscribes.ts";
import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { alertSourcePaths } from "./alert-sources/alert-sources.ts";
import { heartbeatPaths } from "./heartbeat-pings.ts";
import { pathOf } from "./problem-reply.ts";

const areas = [...Object.values(api), ...Object.values(dashboard), unsubscribe, senderLink, incidentLink];
/** Built once, because requests for unknown paths carry no key. */
const patterns = areas
  .flatMap((area): Pick<AppRoute, "method" | "path">[] => Object.values(area))
  .concat(alertSourcePaths.map((path) => ({ method: "POST", path })))
  .concat(heartbeatPaths.flatMap((path) => (["GET", "POST"] as const).map((method) => ({ method, path }))))
  .map(({ method, path }) => ({
    method,
    path,
    pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`),
  }));

/** A path that there is not, or not with this method: then its Allow header is set. */
export function notFound(request: FastifyRequest, reply: FastifyReply): Fault {
  const path = request.url.split("?", 1)[0] ?? "";
  const shown = pathOf(request);
  const allowed = methodsOf(path);
  if (allowed.length === 0)
    return fault("request.not_found", { public: say("no_target", { target: shown }) });
  reply.header("allow", allowed.join(", "));
  return fault("request.method_not_allowed", {
    public: say("methods", { target: shown, methods: allowed, method: request.method }),
  });
}

/** The methods that a path has, for the Allow header: as in OpenAPI one that stands in full goes before those with parameters. */
function methodsOf(path: string): string[] {
  const inFull = patterns.filter((one) => one.path === path);
  const found = inFull.length > 0 ? inFull : patterns.filter(({ pattern }) => pattern.test(path));
  return found.map(({ method }) => method);
}
