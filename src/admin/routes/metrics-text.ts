import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";

/** GET /metrics: the Prometheus text format. */
export function metricsText(metrics: Registry) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/metrics", async (_request, reply) =>
      reply.header("content-type", metrics.contentType).send(await metrics.metrics()),
    );
  };
}
