/** The shape of every list, the same as the HTTP API's. */
export function listJson<T>(data: readonly T[], nextCursor = "") {
  return { data, has_more: nextCursor !== "", next_cursor: nextCursor === "" ? null : nextCursor };
}
