import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const number = (description: string, example: number) => z.int().meta({ description, examples: [example] });

export const loggedRequest = z
  .object({
    id: text("Id of the request in this log.", "req_01k9z4c3r8h2v6y0n5t7w1x3q9.0"),
    account_id: accountId,
    at: moment("Time of arrival."),
    key_id: text("Id of the key.", "key_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    method: text("HTTP method.", "POST"),
    route: text(
      "Path of the operation. Empty if more requests arrived than could be written: then only their number is known.",
      "/v1/email/send",
    ),
    status: number("HTTP status of the response; 0 if `route` is empty.", 202),
    code: text("Error code; empty if the request was accepted.", "request.validation_failed"),
    trace_id: text("Trace id of the request, in responses and logs.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    message_id: text(
      "Message that the request created, now or when it was first sent; empty if none.",
      "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    duration_ms: number(
      "Milliseconds from the arrival of the request header to the end of the response.",
      12,
    ),
    client_address: text("IP address of the client; empty if it is not known.", "192.0.2.1"),
    body_bytes: number("Size of the body in bytes, as read or announced.", 1024),
    replayed: z
      .boolean()
      .meta({ description: "Whether the request repeated an earlier one and sent nothing." }),
    count: number(
      "Number of requests that the entry stands for. If more than 1, the others arrived at about the same time with the same key, method, route, status and code, and this was the last.",
      1,
    ),
  })
  .meta({
    id: "Request",
    description: "A request with a key. Its body, headers and query are not stored.",
  });

const counts = z
  .object({
    count: number("Number of requests.", 1200),
    status_2xx: number("Requests with a response status from 200 to 299.", 1150),
    status_3xx: number("Requests with a response status from 300 to 399.", 0),
    status_4xx: number("Requests with a response status from 400 to 499, without 429.", 30),
    status_429: number("Requests that exceeded a limit: response status 429.", 15),
    status_5xx: number("Requests with a response status from 500 to 599.", 5),
    other: number("Requests with another status, or of which only the number is known.", 0),
  })
  .meta({ id: "RequestCounts", description: "Number of requests, by the status of their responses." });

export const requestStatistics = z
  .object({
    step: text("Length of a point: `hour` or `day`.", "hour"),
    all: counts,
    points: z
      .array(
        z
          .object({ at: moment("Start of the point."), counts })
          .meta({ id: "RequestPoint", description: "Requests in one span of time." }),
      )
      .meta({ description: "Points in the order of time." }),
    measured_since: moment(
      "Time since which requests are counted: the time of an update, or the earliest time with counters of this step. `null` if all points are counted.",
    ).nullable(),
  })
  .meta({ id: "RequestStatistics", description: "Requests with the keys of the account, over time." });

export const requests = c.router({
  listRequests: {
    method: "GET",
    path: "/api/requests",
    summary: "Search requests made with keys",
    description:
      "Lists accepted and refused requests of the last days, newest first. A page reads a limited number of requests: it can have fewer than `limit` entries, or none, although another page follows. A request appears within about two seconds.",
    query: pageQuery.extend({
      key_id: z.string().max(200).optional().meta({ description: "Only requests with this key." }),
      method: z
        .string()
        .max(200)
        .optional()
        .meta({ description: "Only requests with this method.", examples: ["POST"] }),
      route: z
        .string()
        .max(200)
        .optional()
        .meta({ description: "Only requests to this operation.", examples: ["/v1/email/send"] }),
      status: z
        .string()
        .optional()
        .meta({
          description: "One status, for example `422`, or a class, for example `4xx`.",
          examples: ["4xx"],
        }),
      code: z
        .string()
        .max(200)
        .optional()
        .meta({ description: "Only requests with this error code.", examples: ["rate.limited"] }),
      trace_id: z.string().optional().meta({ description: "Only the request with this trace id." }),
      from: moment("Only requests at this time or later.").optional(),
      until: moment("Only requests before this time.").optional(),
    }),
    ...reading({
      access: "requests.read",
      faults: ["request.validation_failed"],
      success: { 200: page("RequestList", loggedRequest) },
    }),
  },
  getRequestStatistics: {
    method: "GET",
    path: "/api/requests/statistics",
    summary: "Get the statistics of requests made with keys",
    description:
      "Counts the requests with the keys of the account over time, by the status of their responses. Counters of hours are kept for 90 days, and counters of days for two years, longer than the requests themselves. Days begin at 00:00 UTC. A request is counted within about two seconds.",
    query: z.strictObject({
      from: moment("Start of the time range, inclusive. Missing: one day before `until`.").optional(),
      until: moment("End of the time range, exclusive. Missing: now.").optional(),
      step: z.enum(["hour", "day"]).optional().meta({
        description:
          "Length of a point. Missing: `hour` for up to 14 days, otherwise `day`. The result has at most 1,500 points.",
      }),
    }),
    ...reading({
      access: "requests.read",
      faults: ["request.validation_failed"],
      success: { 200: requestStatistics },
    }),
  },
  getRequest: {
    method: "GET",
    path: "/api/requests/:request_id",
    pathParams: z.object({
      request_id: z.string().meta({ description: "The `id` of the request in the log." }),
    }),
    summary: "Get a request made with a key",
    description: "Returns a request as in the list.",
    ...reading({ access: "requests.read", faults: ["request.unknown"], success: { 200: loggedRequest } }),
  },
});
