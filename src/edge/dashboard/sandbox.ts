import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { sandbox as contract, sandboxMessage } from "../../../contracts/dashboard/sandbox.ts";
import {
  type SandboxMessage,
  SandboxMessageSchema,
} from "../../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { bodyOf, createCoreFor, momentOf, pageBody, pageRequest } from "./call.ts";
import type { LoadMail, MailParts } from "./mail-reader.ts";

type Message = z.output<typeof sandboxMessage>;

/** Handlers of the routes of `dashboard.sandbox`. */
export function sandbox(parts: MailParts): RouterImplementation<typeof contract> {
  const { mails } = parts;
  const coreFor = createCoreFor(parts);
  return {
    listSandboxMessages: async ({ request, query }) => {
      const found = await coreFor(request).sandbox.listSandboxMessages(listRequest(query));
      const data = found.messages.map((one) => bodyOf<Message>(SandboxMessageSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    clearSandboxMessages: async ({ request }) => {
      const { deleted } = await coreFor(request).sandbox.clearSandboxMessages({});
      return { status: 200, body: { deleted } };
    },
    getSandboxMessage: async ({ request, params }) => {
      const { message, contents } = await mails.contents(request, captured(params));
      return { status: 200, body: { message: bodyOf<Message>(SandboxMessageSchema, message), ...contents } };
    },
    getSandboxMessageChecks: async ({ request, params }) => ({
      status: 200,
      body: { data: await mails.checks(request, captured(params)) },
    }),
    removeSandboxMessage: async ({ request, params }) => {
      await coreFor(request).sandbox.removeSandboxMessage({ id: params.message_id });
      return { status: 200, body: { deleted: 1 } };
    },
    getSandboxMessageSource: ({ params, ...call }) => mails.source(call, captured(params), params.message_id),
    getSandboxMessageHtml: ({ params, ...call }) => mails.html(call, captured(params)),
    getSandboxMessageAttachment: ({ params, ...call }) =>
      mails.attachment(call, captured(params), params.index),
  };
}

const captured =
  ({ message_id: id }: { readonly message_id: string }): LoadMail<SandboxMessage> =>
  ({ sandbox }) =>
    sandbox.getSandboxMessage({ id });

interface ListQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly recipient?: string | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** @throws Fault request.validation_failed */
function listRequest({ limit, cursor, recipient = "", subject = "", ...times }: ListQuery) {
  const [from, until] = [momentOf(times.from, "/from"), momentOf(times.until, "/until")];
  return {
    ...pageRequest({ limit, cursor }),
    recipient,
    subject,
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
  };
}
