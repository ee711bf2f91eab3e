import type { DeliveryAttempt } from "../../api/deliveries.ts";

/** Header fields that curl writes itself, or that belong to one connection. */
const OWN = /^(?:host|content-length|connection|transfer-encoding|accept-encoding|expect)$/i;

/** In place of a value that Hermod does not store. */
const HIDDEN = "HIDDEN";

/** The request of an attempt as a command of curl. The values of hidden headers are left to the reader. */
export function curlOf(
  { url, request_headers }: Pick<DeliveryAttempt, "url" | "request_headers">,
  body: string,
): string {
  const headers = request_headers
    .filter(({ name }) => !OWN.test(name))
    .map(({ name, value, is_secret }) => `-H ${shell(`${name}: ${is_secret ? HIDDEN : value}`)}`);
  return [`curl -X POST ${shell(url)}`, ...headers, `--data-binary ${shell(body)}`].join(" \\\n  ");
}

const shell = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`;
