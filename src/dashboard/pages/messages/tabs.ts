import type { PermissionName } from "../../../../contracts/common/permissions.ts";

/** The parts of a message that its page shows, one at a time, and the permission that each needs besides `messages.read`. */
export const messageTabs = {
  timeline: undefined,
  preview: "messages.read_bodies",
  text: "messages.read_bodies",
  html: "messages.read_bodies",
  headers: "messages.read_bodies",
  source: "messages.read_bodies",
  attachments: "messages.read_bodies",
  webhooks: "webhooks.read",
} as const satisfies Readonly<Record<string, PermissionName | undefined>>;
export type MessageTab = keyof typeof messageTabs;

/** The tab that an address names; undefined: none that there is. */
export const readTab = (name: unknown): MessageTab | undefined =>
  typeof name === "string" && Object.hasOwn(messageTabs, name) ? (name as MessageTab) : undefined;
