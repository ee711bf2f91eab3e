import type { FastifyInstance } from "fastify";

/** GET /healthz: the process is alive. Says nothing about what it depends on. */
export async function health(app: FastifyInstance): Promise<void> {
  app.get("/healthz", async () => ({ status: "ok" }));
}
