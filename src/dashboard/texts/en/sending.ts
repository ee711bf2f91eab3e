// Texts of captured mail and suppressed addresses.

export const sandbox = {
  title: "Sandbox",
  detail: "Mail that was captured instead of sent.",
  clear: "Remove all",
  clearDetail: "Removes all captured mail of the account, for all its members. This cannot be undone.",
  empty: "No captured mail",
  emptyDetail: "Mail that leaves by a policy with the sandbox transport appears here within a second.",
  message: "Captured message",
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  download: "Download source",
  views: "Forms of the message",
  width: "Width of the preview",
  widths: { phone: "Phone", tablet: "Tablet", desktop: "Full width" },
  unnamed: (number: number) => `Attachment ${number}`,
};

export const suppressions = {
  title: "Suppressions",
  detail: "Addresses that Hermod sends nothing to.",
  add: "Add an address",
  address: "Address",
  addressDetail: "@example.com stands for all addresses of a domain.",
  searchHint: "Whole address",
  reason: "Reason",
  reasons: {
    hard_bounce: "Bounced",
    manual: "Added by hand",
    unsubscribe: "Unsubscribed",
    complaint: "Complained",
  } as Readonly<Record<string, string>>,
  note: "Note",
  scope: "Scope",
  allMail: "All mail",
  since: "Since",
  empty: "No suppressed addresses",
  emptyDetail: "Addresses that bounce for good, complain or unsubscribe appear here by themselves.",
  emptyFiltered: "No address meets these filters",
  rules: (names: string) => `Added. Alert rules that mail to this address reach nobody there now: ${names}.`,
  remove: "Remove",
  removeTitle: (address: string) => `Remove ${address}`,
  removeDetail:
    "Mail to this address is sent again from the next attempt on. Messages that ended as suppressed stay so.",
};
