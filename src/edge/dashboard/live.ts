import type { RouterImplementation } from "@ts-rest/fastify";
import type { live as contract } from "../../../contracts/dashboard/live.ts";
import { createCoreFor, type DashboardParts } from "./call.ts";
import type { EventStreams } from "./event-streams.ts";
import type { WatchCore } from "./follow-cores.ts";

export interface LiveParts extends DashboardParts {
  readonly eventStreams: EventStreams;
}

/** Handlers of the routes of `dashboard.live`. */
export function live(parts: LiveParts): RouterImplementation<typeof contract> {
  const { eventStreams } = parts;
  const coreFor = createCoreFor(parts);
  return {
    watchEvents: async ({ request, reply, query }) => {
      // Proxies (nginx among them) would keep events back until there are many.
      reply.header("x-accel-buffering", "no");
      const core = coreFor(request);
      if (request.method === "HEAD") {
        await core.sessions.checkSession({ permission: "messages.read" });
        return { status: 200, body: "" };
      }
      const after = request.headers["last-event-id"] ?? query.last_event_id ?? "";
      const watch: WatchCore = (position, signal) => core.live.watchEvents({ after: position }, { signal });
      return { status: 200, body: await eventStreams.open(watch, String(after)) };
    },
  };
}
