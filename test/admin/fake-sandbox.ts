import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance } from "fastify";
import {
  ClearSandboxMessagesResponseSchema,
  GetSandboxMessageResponseSchema,
  ListSandboxMessagesResponseSchema,
  type SandboxMessage,
  SandboxMessageSchema,
} from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { createExposition, createMetrics } from "../../src/admin/metrics.ts";
import { type AdminServerOptions, createAdminServer } from "../../src/admin/server.ts";
import type { CoreClient } from "../../src/rpc/client.ts";
import { fault } from "../../src/shared/fault.ts";
import { receivedText } from "../../src/shared/fault-text.ts";
import { createLogger } from "../../src/shared/logger.ts";

/** The core's sandbox service, in memory: newest first, the page token is the last id of the page before. */
export function createFakeSandbox() {
  let kept: { message: SandboxMessage; source: Buffer }[] = [];
  let count = 0;

  const client: CoreClient["sandbox"] = {
    listSandboxMessages: async ({ pageSize = 0, pageToken = "" }) => {
      const from = pageToken === "" ? 0 : kept.findIndex(({ message }) => message.id === pageToken) + 1;
      const page = kept.slice(from, from + (pageSize || 50)).map(({ message }) => message);
      const nextPageToken = from + page.length < kept.length ? (page.at(-1)?.id ?? "") : "";
      return create(ListSandboxMessagesResponseSchema, { messages: page, nextPageToken });
    },
    getSandboxMessage: async ({ id = "" }) => {
      const found = kept.find(({ message }) => message.id === id);
      if (!found)
        throw fault("message.unknown", { public: receivedText(`The sandbox has no message "${id}".`) });
      return create(GetSandboxMessageResponseSchema, { message: found.message, source: found.source });
    },
    removeSandboxMessage: () => Promise.reject(new Error("the admin port removes all or nothing")),
    clearSandboxMessages: async () => {
      const deleted = kept.length;
      kept = [];
      return create(ClearSandboxMessagesResponseSchema, { deleted });
    },
  };

  /** Puts a message in front and returns its id; the lines of a string may end in LF. */
  function capture(source: string | Buffer, facts: Partial<SandboxMessage> = {}): string {
    const bytes = typeof source === "string" ? Buffer.from(source.replace(/\r?\n/g, "\r\n")) : source;
    count++;
    const message = create(SandboxMessageSchema, {
      id: `msg_${count}`,
      traceId: `sx_${count}`,
      accountId: "acc_1",
      envelopeFrom: "bounce@example.com",
      envelopeTo: ["ada@example.org"],
      subject: "Hello",
      from: "Acme <hello@example.com>",
      capturedAt: timestampFromDate(new Date(Date.UTC(2026, 10, 21, 7, count))),
      sizeBytes: bytes.length,
      ...facts,
    });
    kept.unshift({ message, source: bytes });
    return message.id;
  }

  return { client, capture };
}

/** An admin server that is ready and has an inbox, unless the options differ. */
export function adminServer(options: Partial<AdminServerOptions> = {}): FastifyInstance {
  return createAdminServer({
    log: createLogger("silent"),
    version: "0.1.0",
    commit: "unknown",
    metrics: createExposition(async () => [await createMetrics().registry.getMetricsAsJSON()]),
    readiness: async () => ({ ready: true, checks: { core: "ok" } }),
    ...options,
  });
}
