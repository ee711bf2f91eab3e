import type { FastifyInstance } from "fastify";
import { parseMailApart } from "../../message/preview/parse-mail-apart.ts";
import type { CoreClient } from "../../rpc/client.ts";
import { refusal } from "../refusal.ts";
import { requireSameOrigin } from "../request-origin.ts";
import { messageDetail, messageSummary } from "../sandbox-json.ts";
import { getCaptured, type MessageParams } from "./captured-message.ts";

const CURSOR = /^[\w.~+/=:-]{1,1024}$/;

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** GET and DELETE /sandbox/messages, GET /sandbox/messages/:id: the inbox for programs, and for its page. */
export function sandboxMessages(sandbox: CoreClient["sandbox"]) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>("/sandbox/messages", async ({ query }) => {
      const { messages, nextPageToken } = await sandbox.listSandboxMessages({
        pageSize: readLimit(query.limit),
        pageToken: readCursor(query.cursor),
      });
      return {
        data: messages.map(messageSummary),
        has_more: nextPageToken !== "",
        next_cursor: nextPageToken === "" ? null : nextPageToken,
      };
    });

    app.get<{ Params: MessageParams }>("/sandbox/messages/:id", async ({ params }) => {
      const { message, source } = await getCaptured(sandbox, params.id);
      return messageDetail(message, source, await parseMailApart(source));
    });

    app.delete("/sandbox/messages", async (request) => {
      requireSameOrigin(request);
      const { deleted } = await sandbox.clearSandboxMessages({});
      return { deleted };
    });
  };
}

function readLimit(value: Query[string]): number {
  if (value === undefined) return 50;
  const limit = typeof value === "string" && /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > 100) throw invalid("limit", "limit is a whole number from 1 to 100.");
  return limit;
}

function readCursor(value: Query[string]): string {
  if (value === undefined) return "";
  if (typeof value !== "string" || !CURSOR.test(value)) {
    throw invalid("cursor", "cursor is the next_cursor of the page before, unchanged.");
  }
  return value;
}

function invalid(name: string, message: string) {
  return refusal("admin.query_invalid", message, [{ pointer: `/${name}`, code: "field.invalid", message }]);
}
