import { queryOptions } from "@tanstack/react-query";
import { watches } from "../../../contracts/dashboard/watches.ts";
import { call, clientOf } from "./client.ts";

const client = clientOf(watches);

/** Received aggregate reports about a domain, and the address for them. */
export const reportInboxQuery = (domain_id: string) =>
  queryOptions({
    queryKey: ["intel", "inbox", domain_id],
    queryFn: ({ signal }) =>
      call(() => client.getReportInbox({ params: { domain_id }, fetchOptions: { signal } })),
  });

/** @param content a file with reports in base64 */
export const uploadReports = (domain_id: string, content: string) =>
  call(() => client.uploadReport({ params: { domain_id }, body: { content } }));
