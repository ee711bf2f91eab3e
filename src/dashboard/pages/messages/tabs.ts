import type { PermissionName } from "../../../../contracts/common/permissions.ts";

/** The parts of a message, each on a tab, with the permission that each needs in addition to `messages.read`. */
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

/** The tab in an address; undefined if it does not exist. */
export const readTab = (name: unknown): MessageTab | undefined =>
  typeof name === "string" && Object.hasOwn(messageTabs, name) ? (name as MessageTab) : undefined;
