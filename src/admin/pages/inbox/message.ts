/** The open message: its facts and its tabs (the ARIA tabs pattern: arrow keys move, one tab stop). */
export const inboxMessage = `
let openId = null;
let chosenView = null;

async function openMessage(id) {
  openId = id;
  const article = byId("message");
  try {
    const mail = await getJson("/sandbox/messages/" + encodeURIComponent(id));
    if (openId !== id) return;
    article.replaceChildren(...messageParts(mail));
  } catch (error) {
    if (openId !== id) return;
    article.replaceChildren(element("header", null, backLink(),
      element("h2", { tabindex: "-1" }, "This message could not be loaded"), element("p", null, error.message)));
  }
  article.hidden = false;
  byId("reader").scrollTop = 0;
  if (isNarrow()) article.querySelector("h2").focus();
}

function closeMessage() {
  openId = null;
  byId("message").hidden = true;
  byId("message").replaceChildren();
}

const isNarrow = () => window.matchMedia("(max-width: 759px)").matches;
const backLink = () => element("a", { class: "back", href: "#" }, "← All messages");

function messageParts(mail) {
  const facts = [
    ["From", mail.from],
    ["To", mail.envelope.to.join(", ")],
    ["Return path", mail.envelope.from],
    ["Captured", timeElement(mail.captured_at, true)],
    ["Size", formatBytes(mail.size_bytes)],
    ["Trace id", mail.sx_trace_id],
    ["Message id", mail.id],
  ].filter(([, value]) => value);
  const list = element("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [
    element("dt", null, name),
    element("dd", null, typeof value === "string" ? isolated(value) : value),
  ]));
  const header = element("header", null, backLink(),
    element("h2", { tabindex: "-1", dir: "auto" }, mail.subject || "(no subject)"), list);
  const notice = mail.parse_error
    ? element("p", { class: "notice" }, "This message could not be read in full: " + mail.parse_error) : null;
  return [header, notice, ...tabParts(mail)].filter(Boolean);
}

function tabParts(mail) {
  const tabs = views.map((view) => element("button", {
    type: "button", role: "tab", id: "tab-" + view.key, "aria-controls": "panel-" + view.key,
  }, view.label(mail)));
  const panels = views.map((view) => element("div", {
    role: "tabpanel", id: "panel-" + view.key, "aria-labelledby": "tab-" + view.key, class: "panel", tabindex: "0",
  }));

  function show(index, byUser) {
    views.forEach((view, i) => {
      tabs[i].setAttribute("aria-selected", String(i === index));
      tabs[i].tabIndex = i === index ? 0 : -1;
      panels[i].hidden = i !== index;
    });
    if (panels[index].childElementCount === 0) views[index].build(panels[index], mail);
    if (byUser) {
      chosenView = views[index].key;
      tabs[index].focus();
    }
  }

  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => show(index, true));
    tab.addEventListener("keydown", (event) => {
      const last = tabs.length - 1;
      const target = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index === 0 ? last : index - 1, Home: 0, End: last }[event.key];
      if (target === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      show(target, true);
    });
  });

  show(firstView(mail), false);
  return [element("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the message" }, ...tabs), ...panels];
}

/** The view that the reader chose last, if this message has it; otherwise its best body. */
function firstView(mail) {
  const usable = (key) => key === "html" ? mail.html_url !== null : key === "text" ? mail.text !== null : true;
  const key = [chosenView, "html", "text", "source"].find((candidate) => candidate && usable(candidate));
  return views.findIndex((view) => view.key === key);
}
`;
