import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { momentOf } from "./dashboard/call.ts";

/** A filter of messages, as a query has it. */
export interface MessageFilterQuery {
  readonly recipient?: string | undefined;
  readonly sender?: string | undefined;
  readonly subject?: string | undefined;
  readonly tag?: string[] | undefined;
  readonly metadata?: string[] | undefined;
  readonly state?: string[] | undefined;
  readonly routing_policy?: string | undefined;
  readonly key_id?: string | undefined;
  readonly source?: string | undefined;
  readonly template?: string | undefined;
  readonly category?: string | undefined;
  readonly trace_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly q?: string | undefined;
  readonly provider?: string | undefined;
  readonly opened?: string | undefined;
  readonly clicked?: string | undefined;
}

/**
 * The filter that the core is asked by.
 * @param at where it stands in the request: nowhere, if it is the query
 * @throws Fault request.validation_failed
 */
export function messageFilterOf(query: MessageFilterQuery, at = "") {
  const { recipient, sender, subject, source, template, category, tag, metadata, state } = query;
  const [from, until] = [momentOf(query.from, `${at}/from`), momentOf(query.until, `${at}/until`)];
  return {
    ...withoutUndefined({
      recipient,
      sender,
      subject,
      source,
      template,
      category,
      tags: tag,
      states: state,
      routingPolicy: query.routing_policy,
      keyId: query.key_id,
      traceId: query.trace_id,
      messageId: query.message_id,
      q: query.q,
      provider: query.provider,
      opened: query.opened,
      clicked: query.clicked,
      from: from && timestampFromDate(from),
      until: until && timestampFromDate(until),
    }),
    metadata: Object.fromEntries((metadata ?? []).map(entryOf)),
  };
}

/** `name=value`. */
function entryOf(text: string): [string, string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}
