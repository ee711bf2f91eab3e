/** Programs that answer mail by themselves leave it alone (RFC 3834 section 5; the second is Exchange's). */
export const automaticHeaders = [
  { name: "Auto-Submitted", value: "auto-generated" },
  { name: "X-Auto-Response-Suppress", value: "All" },
] as const;
