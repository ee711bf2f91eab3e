/** The list: loaded messages, search, and polling. */
export const inboxList = String.raw`
const POLL_MS = 2000;
const POLL_MAX_MS = 15000;

const inbox = { messages: [], cursor: null, query: "", loaded: false, problem: null };
const rows = new Map();
let pollTimer = 0;
let pollDelay = POLL_MS;

/** Loads the newest page and joins it to the loaded messages; without an overlap it replaces them. */
async function refresh() {
  const page = await getJson("/sandbox/messages?limit=50");
  const known = new Set(inbox.messages.map((message) => message.id));
  const fresh = page.data.filter((message) => !known.has(message.id));
  if (page.has_more && fresh.length < page.data.length) {
    const newest = new Set(page.data.map((message) => message.id));
    inbox.messages = page.data.concat(inbox.messages.filter((message) => !newest.has(message.id)));
  } else {
    inbox.messages = page.data;
    inbox.cursor = page.next_cursor;
  }
  if (inbox.loaded && fresh.length > 0) announce(fresh.length === 1 ? "1 new message" : fresh.length + " new messages");
  renderList(inbox.loaded ? fresh : []);
  inbox.loaded = true;
}

async function loadOlder() {
  if (inbox.cursor === null) return;
  const page = await getJson("/sandbox/messages?limit=50&cursor=" + encodeURIComponent(inbox.cursor));
  const known = new Set(inbox.messages.map((message) => message.id));
  inbox.messages = inbox.messages.concat(page.data.filter((message) => !known.has(message.id)));
  inbox.cursor = page.next_cursor;
  renderList([]);
}

/** Polls while the page is visible; slower while Hermod does not answer. */
async function poll() {
  clearTimeout(pollTimer);
  try {
    await refresh();
    inbox.problem = null;
    pollDelay = POLL_MS;
  } catch (error) {
    inbox.problem = error instanceof TypeError ? "Hermod does not answer. Retrying." : error.message;
    pollDelay = Math.min(pollDelay * 2, POLL_MAX_MS);
  }
  renderStatus();
  clearTimeout(pollTimer);
  if (!document.hidden) pollTimer = setTimeout(poll, pollDelay);
}

function matches(message) {
  const haystack = [message.from, message.subject, message.sx_trace_id, message.id, message.envelope.from].concat(message.envelope.to);
  return inbox.query === "" || haystack.join("\n").toLowerCase().includes(inbox.query);
}

const shownMessages = () => inbox.messages.filter(matches);

/** Reuses rows and moves them only if necessary, so that focus and scroll position stay. */
function renderList(fresh) {
  const list = byId("messages");
  const shown = shownMessages();
  const wanted = new Set(shown.map((message) => message.id));
  for (const [id, row] of rows) {
    if (wanted.has(id)) continue;
    row.remove();
    rows.delete(id);
  }
  let place = list.firstElementChild;
  for (const message of shown) {
    const row = rows.get(message.id) || createRow(message);
    row.classList.toggle("fresh", fresh.includes(message));
    if (row === place) place = place.nextElementSibling;
    else list.insertBefore(row, place);
  }
  markCurrent();
  renderStatus();
}

function createRow(message) {
  const link = element("a", { href: "#" + message.id },
    element("span", { class: "line small" }, isolated(message.from || message.envelope.from || "(no sender)"), timeElement(message.captured_at)),
    element("span", { class: "subject", dir: "auto" }, message.subject || "(no subject)"),
    element("span", { class: "line small" }, isolated("to " + message.envelope.to.join(", "))));
  const row = element("li", null, link);
  rows.set(message.id, row);
  return row;
}

function markCurrent() {
  for (const [id, row] of rows) {
    if (id === openId) row.firstElementChild.setAttribute("aria-current", "true");
    else row.firstElementChild.removeAttribute("aria-current");
  }
}

function renderStatus() {
  const total = inbox.messages.length;
  const loaded = total + (inbox.cursor === null ? "" : "+") + (total === 1 && inbox.cursor === null ? " message" : " messages");
  const status = byId("status");
  status.textContent = inbox.problem || (inbox.query === "" ? loaded : rows.size + " of " + loaded);
  status.classList.toggle("bad", inbox.problem !== null);
  const vacant = inbox.loaded && total === 0 && openId === null;
  byId("empty").hidden = !vacant;
  byId("hint").hidden = vacant || openId !== null;
  byId("more").hidden = inbox.cursor === null;
  byId("clear").disabled = total === 0;
  document.body.classList.toggle("vacant", vacant);
  document.body.classList.toggle("reading", openId !== null);
  document.title = (total > 0 ? "(" + total + (inbox.cursor === null ? "" : "+") + ") " : "") + "Sandbox inbox · Hermod";
}
`;
