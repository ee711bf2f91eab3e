import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const number = (description: string, example: number) => z.int().meta({ description, examples: [example] });

export const loggedRequest = z
  .object({
    id: text("Names the request in this log.", "req_01k9z4c3r8h2v6y0n5t7w1x3q9.0"),
    account_id: accountId,
    at: moment("When it came."),
    key_id: text("The key that came with it.", "key_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    method: text("Its method.", "POST"),
    route: text(
      "The path of the operation. Empty: more requests came than could be written, and nothing is known but how many.",
      "/v1/email/send",
    ),
    status: number("HTTP status of the answer; 0 where `route` is empty.", 202),
    code: text("The code of the error; empty: it was accepted.", "request.validation_failed"),
    trace_id: text("Names the request in answers and logs.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    message_id: text(
      "The message that it made, or had made when it was sent first; empty: none.",
      "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    duration_ms: number("From the arrival of its head to the end of the answer.", 12),
    client_address: text("The IP address that it came from; empty: not known.", "192.0.2.1"),
    body_bytes: number("Bytes of its body, as far as it was read or announced.", 1024),
    replayed: z.boolean().meta({ description: "It repeated an earlier request, and sent nothing." }),
    count: number(
      "How many requests it stands for. More than 1: others like it, with the same key, method, route, status and code, came at about that time; this was the last.",
      1,
    ),
  })
  .meta({
    id: "Request",
    description: "A request that was made with a key. Its body, its headers and its query are not kept.",
  });

export const requests = c.router({
  listRequests: {
    method: "GET",
    path: "/api/requests",
    summary: "Search the requests that were made with keys",
    description:
      "Accepted and refused requests of the last days, newest first. A page looks at a bounded number of requests: it may have less than `limit`, or nothing, and yet a next one. What is asked now is here within some two seconds.",
    query: pageQuery.extend({
      key_id: z.string().max(200).optional().meta({ description: "Only requests with this key." }),
      method: z
        .string()
        .max(200)
        .optional()
        .meta({ description: "Only this method.", examples: ["POST"] }),
      route: z
        .string()
        .max(200)
        .optional()
        .meta({ description: "Only this operation.", examples: ["/v1/email/send"] }),
      status: z
        .string()
        .optional()
        .meta({ description: "One status, as `422`, or a class, as `4xx`.", examples: ["4xx"] }),
      code: z
        .string()
        .max(200)
        .optional()
        .meta({ description: "Only answers with this error.", examples: ["rate.limited"] }),
      trace_id: z.string().optional().meta({ description: "Only the request with this trace id." }),
      from: moment("From this time on.").optional(),
      until: moment("Before this time.").optional(),
    }),
    ...reading({
      access: "requests.read",
      faults: ["request.validation_failed"],
      success: { 200: page("RequestList", loggedRequest) },
    }),
  },
  getRequest: {
    method: "GET",
    path: "/api/requests/:request_id",
    pathParams: z.object({ request_id: z.string().meta({ description: "The request's `id` in the log." }) }),
    summary: "See a request that was made with a key",
    description: "As the list shows it.",
    ...reading({ access: "requests.read", faults: ["request.unknown"], success: { 200: loggedRequest } }),
  },
});
