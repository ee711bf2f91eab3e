import { inboxDom } from "./dom.ts";
import { inboxList } from "./list.ts";
import { inboxMessage } from "./message.ts";
import { inboxPanels } from "./panels.ts";

/** Events: the URL selects the open message, keys move in the list, the dialog clears the inbox. */
const inboxMain = `
function showAddressed() {
  const id = location.hash.slice(1);
  const left = openId;
  if (id === "" || id === "messages") closeMessage();
  else if (id !== openId) openMessage(id);
  markCurrent();
  renderStatus();
  if (openId === null && left !== null && rows.has(left)) rows.get(left).firstElementChild.focus();
}

function moveInList(step) {
  const shown = shownMessages();
  if (shown.length === 0) return;
  const focused = document.activeElement && document.activeElement.closest("#messages a");
  const from = focused ? focused.hash.slice(1) : openId;
  const index = shown.findIndex((message) => message.id === from);
  const next = index < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, index + step));
  const link = rows.get(shown[next].id).firstElementChild;
  link.focus();
  if (!isNarrow()) location.replace(link.hash);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("confirm").open) return;
  const inField = event.target.closest("input");
  const inReader = event.target.closest("#message");
  if (event.key === "/" && !inField) {
    event.preventDefault();
    byId("search").focus();
  } else if (event.key === "Escape" && openId !== null && !inField) {
    location.hash = "";
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !inReader) {
    event.preventDefault();
    moveInList(event.key === "ArrowDown" ? 1 : -1);
  }
});

byId("search").addEventListener("input", (event) => {
  inbox.query = event.target.value.trim().toLowerCase();
  renderList([]);
});

byId("more").addEventListener("click", async () => {
  try {
    await loadOlder();
  } catch (error) {
    inbox.problem = error.message;
    renderStatus();
  }
});

byId("clear").addEventListener("click", () => byId("confirm").showModal());
byId("confirm-no").addEventListener("click", () => byId("confirm").close());
byId("confirm-yes").addEventListener("click", async () => {
  byId("confirm").close();
  try {
    const { deleted } = await getJson("/sandbox/messages", { method: "DELETE" });
    announce(deleted + " messages deleted");
    location.hash = "";
    await poll();
  } catch (error) {
    inbox.problem = "The inbox was not cleared: " + error.message;
    renderStatus();
  }
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) clearTimeout(pollTimer);
  else poll();
});
window.addEventListener("hashchange", showAddressed);

await poll();
showAddressed();
`;

/**
 * Script of the inbox: one module, from parts in this order. It is text here because only the files of the
 * server are compiled. It writes data from mails only as text nodes and attributes.
 */
export const inboxScript = [inboxDom, inboxPanels, inboxMessage, inboxList, inboxMain].join("\n");
