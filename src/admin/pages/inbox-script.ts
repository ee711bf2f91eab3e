import { inboxDom } from "./inbox/dom.ts";
import { inboxList } from "./inbox/list.ts";
import { inboxMain } from "./inbox/main.ts";
import { inboxMessage } from "./inbox/message.ts";
import { inboxPanels } from "./inbox/panels.ts";

/**
 * The inbox's script: one module, in parts that are read in this order. It is text here because only the
 * server's own files are compiled; it writes what comes from mails as text nodes and attributes only.
 */
export const inboxScript = [inboxDom, inboxPanels, inboxMessage, inboxList, inboxMain].join("\n");
