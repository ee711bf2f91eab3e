/** Programs that answer mail automatically ignore it (RFC 3834 section 5; the second header is Exchange's). */
export const automaticHeaders = [
  { name: "Auto-Submitted", value: "auto-generated" },
  { name: "X-Auto-Response-Suppress", value: "All" },
] as const;
