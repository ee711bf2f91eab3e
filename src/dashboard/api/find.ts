import { queryOptions } from "@tanstack/react-query";
import { loadDomains } from "./domains.ts";
import { loadKeys } from "./keys.ts";
import { loadMessages } from "./messages.ts";
import { findFirst, type Page } from "./pages.ts";
import { loadPoliciesNamed } from "./policies.ts";
import { loadTemplates } from "./templates.ts";

const MOST = 5;
/** A filtered page can be empty although another page follows. */
const MAX_PAGES = 20;
const KEPT_MS = 30_000;

/** Each result is cached by its text, so that a late response never replaces the result of another text. */
const found = <Row>(
  list: string,
  text: string,
  load: (cursor: string, signal: AbortSignal) => Promise<Page<Row>>,
) =>
  queryOptions({
    queryKey: ["find", list, text],
    queryFn: ({ signal }) => findFirst(MOST, (cursor) => load(cursor, signal), MAX_PAGES),
    gcTime: KEPT_MS,
    retry: false,
  });

/** The newest messages that match a query. */
export const foundMessages = (text: string) =>
  found("messages", text, (cursor, signal) => loadMessages({ q: text }, cursor, { signal, limit: MOST }));

/** Domains by a part of their names. */
export const foundDomains = (text: string) =>
  found("domains", text, (cursor, signal) => loadDomains({ search: text }, cursor, { signal, limit: MOST }));

/** Pages of policies, which the browser filters. */
const POLICIES_LIMIT = 100;

/** Routing policies by a part of their names. */
export const foundPolicies = (text: string) =>
  found("policies", text, (cursor, signal) =>
    loadPoliciesNamed(text, cursor, { signal, limit: POLICIES_LIMIT }),
  );

/** Keys by a part of their names, or the beginning of their ids and prefixes. */
export const foundKeys = (text: string) =>
  found("keys", text, (cursor, signal) => loadKeys({ query: text }, cursor, { signal, limit: MOST }));

/** Templates by a part of their names or subjects. */
export const foundTemplates = (text: string) =>
  found("templates", text, (cursor, signal) =>
    loadTemplates({ search: text }, cursor, { signal, limit: MOST }),
  );
