/** Elements, formats and requests. */
export const inboxDom = `
const byId = (id) => document.getElementById(id);

/** An element; strings among the children become text nodes, never markup. */
function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Text from a mail, isolated so that right-to-left text does not reorder the text around it. */
const isolated = (text) => element("bdi", null, text);

async function getJson(url, options) {
  const response = await fetch(url, options);
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Error((body && body.detail) || "Hermod answered " + response.status + ".");
  return body;
}

const dayFormat = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const hourFormat = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

function timeElement(iso, full) {
  if (!iso) return element("time", null, "");
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  const text = full ? fullFormat.format(at) : (today ? hourFormat : dayFormat).format(at);
  return element("time", { datetime: iso, title: fullFormat.format(at) }, text);
}

function formatBytes(count) {
  if (count < 1024) return count + " B";
  if (count < 1024 * 1024) return (count / 1024).toFixed(1) + " KB";
  return (count / 1024 / 1024).toFixed(1) + " MB";
}

function announce(text) {
  byId("live").textContent = text;
}
`;
