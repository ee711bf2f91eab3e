import { MAIL_SANDBOX } from "../../security-headers.ts";

/** The five views of a message; each creates its content when it is first opened. */
export const inboxPanels = String.raw`
const SOURCE_SHOWN_BYTES = 512 * 1024;

const views = [
  { key: "html", label: () => "HTML", build: buildHtml },
  { key: "text", label: () => "Text", build: buildText },
  { key: "headers", label: () => "Headers", build: buildHeaders },
  { key: "attachments", label: (mail) => "Attachments (" + mail.attachments.length + ")", build: buildAttachments },
  { key: "source", label: () => "Source", build: buildSource },
];

const quiet = (text) => element("p", { class: "quiet" }, text);

/** The response of html_url has a restrictive policy; the sandbox of the frame repeats it. */
function buildHtml(panel, mail) {
  if (!mail.html_url) return panel.append(quiet("This message has no HTML body."));
  panel.append(element("iframe", {
    title: "HTML body", src: mail.html_url, sandbox: "${MAIL_SANDBOX}", referrerpolicy: "no-referrer",
  }));
}

function buildText(panel, mail) {
  if (mail.text === null) return panel.append(quiet("This message has no text body."));
  panel.append(element("pre", { dir: "auto" }, mail.text));
}

function buildHeaders(panel, mail) {
  const rows = mail.headers.map((field) => element("tr", null,
    element("th", { scope: "row" }, isolated(field.name)), element("td", null, isolated(field.value))));
  const raw = mail.headers.map((field) => field.raw).join("\n");
  panel.append(
    element("table", null, element("tbody", null, ...rows)),
    element("details", null, element("summary", null, "As sent"), element("pre", { dir: "ltr" }, raw)));
}

function buildAttachments(panel, mail) {
  if (mail.attachments.length === 0) return panel.append(quiet("This message has no attachments."));
  const items = mail.attachments.map((file, index) => {
    const name = file.filename || "attachment-" + (index + 1);
    const facts = [file.content_type, formatBytes(file.size_bytes), file.disposition];
    if (file.content_id) facts.push("cid:" + file.content_id);
    const picture = /^image\/(png|jpe?g|gif|webp|bmp|avif)$/i.test(file.content_type)
      ? element("img", { src: file.url, alt: "", loading: "lazy" }) : null;
    return element("li", null,
      element("a", { href: file.url, download: name }, isolated(name)),
      element("small", null, isolated(facts.join(" · "))), picture);
  });
  panel.append(element("ul", { class: "files" }, ...items));
}

async function buildSource(panel, mail) {
  panel.append(element("p", null, element("a", { href: mail.source_url + "?download=1" }, "Download as .eml")));
  const waiting = panel.appendChild(quiet("Loading…"));
  try {
    const { text, cut } = await readStart(mail.source_url);
    if (cut) panel.append(quiet("Only the first " + formatBytes(SOURCE_SHOWN_BYTES) + " are shown."));
    panel.append(element("pre", { dir: "ltr" }, text));
    waiting.remove();
  } catch (error) {
    waiting.textContent = "The source could not be loaded: " + error.message;
  }
}

/** Reads the beginning of a text that may be too long for the page. */
async function readStart(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error("Hermod answered " + response.status + ".");
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), cut: false };
    text += decoder.decode(value, { stream: true });
    bytes += value.length;
    if (bytes > SOURCE_SHOWN_BYTES) {
      await reader.cancel();
      return { text: text.slice(0, SOURCE_SHOWN_BYTES), cut: true };
    }
  }
}
`;
