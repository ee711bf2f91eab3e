import type { ScannedHtml } from "./scan-html.ts";

/** Mail programs that most recipients use. */
export const mailPrograms = {
  gmail: "Gmail",
  outlook: "Outlook for Windows",
  outlook_web: "Outlook on the web",
  yahoo: "Yahoo Mail",
  apple: "Apple Mail",
} as const;
export type MailProgram = keyof typeof mailPrograms;

/** A feature of HTML or CSS that some of them drop. */
export interface HtmlFeature {
  readonly code: string;
  /** Name for people. */
  readonly name: string;
  /** Mail programs that drop it. */
  readonly droppedBy: readonly MailProgram[];
  /** Effect of its loss on the mail, and advice. */
  readonly advice: string;
  /** True if its loss changes more than the appearance. */
  readonly isSevere?: true;
  readonly isUsed: (html: ScannedHtml) => boolean;
}

const element =
  (...names: readonly string[]) =>
  ({ elements }: ScannedHtml) =>
    names.some((name) => elements.has(name));
const css =
  (pattern: RegExp) =>
  ({ sheets, inlined }: ScannedHtml) =>
    pattern.test(sheets) || pattern.test(inlined);
const property = (names: string) => css(new RegExp(`(?:^|[;{\\s])(?:${names})\\s{0,9}:`, "im"));
const image =
  (pattern: RegExp) =>
  ({ images }: ScannedHtml) =>
    images.some(({ src }) => pattern.test(src.slice(0, 2_000)));

const ALL_BUT_APPLE: readonly MailProgram[] = ["gmail", "outlook", "outlook_web", "yahoo"];

/**
 * Facts from the tests of caniemail.com in September 2025, for the current releases. A feature with partial support is not
 * listed. To change a fact, edit its line.
 */
export const htmlFeatures: readonly HtmlFeature[] = [
  {
    code: "html.script",
    name: "<script>",
    droppedBy: [...ALL_BUT_APPLE, "apple"],
    advice: "No mail program runs scripts, and filters treat them as an attack: remove them.",
    isSevere: true,
    isUsed: element("script"),
  },
  {
    code: "html.embedded",
    name: "<iframe>, <object>, <embed>",
    droppedBy: ALL_BUT_APPLE,
    advice: "The content does not appear: use a picture that links to it.",
    isSevere: true,
    isUsed: element("iframe", "object", "embed"),
  },
  {
    code: "html.link",
    name: "<link rel=stylesheet>",
    droppedBy: ["gmail", "outlook_web", "yahoo"],
    advice: "External style sheets are not loaded: put the styles into the mail.",
    isSevere: true,
    isUsed: element("link"),
  },
  {
    code: "html.svg",
    name: "<svg>",
    droppedBy: ALL_BUT_APPLE,
    advice: "The drawing does not appear: use a PNG picture.",
    isSevere: true,
    isUsed: element("svg"),
  },
  {
    code: "html.media",
    name: "<video>, <audio>",
    droppedBy: ALL_BUT_APPLE,
    advice: "The recording does not play: use a picture that links to it.",
    isUsed: element("video", "audio"),
  },
  {
    code: "html.picture",
    name: "<picture>",
    droppedBy: ALL_BUT_APPLE,
    advice: "Only the <img> inside is shown: let it be the picture that everyone can see.",
    isUsed: element("picture"),
  },
  {
    code: "html.form",
    name: "<form>",
    droppedBy: ["outlook"],
    advice: "Recipients cannot send the form there: link to a page that has it.",
    isSevere: true,
    isUsed: element("form"),
  },
  {
    code: "image.webp",
    name: "WebP and AVIF pictures",
    droppedBy: ["outlook"],
    advice: "The picture does not appear: use PNG or JPEG.",
    isSevere: true,
    isUsed: image(/\.(?:webp|avif)(?:[?#]|$)/i),
  },
  {
    code: "image.svg",
    name: "SVG pictures",
    droppedBy: ["gmail"],
    advice: "The picture does not appear: use PNG.",
    isSevere: true,
    isUsed: image(/\.svgz?(?:[?#]|$)|^data:image\/svg/i),
  },
  {
    code: "image.data",
    name: "data: pictures",
    droppedBy: ["gmail"],
    advice: "The picture does not appear: attach it and refer to it by cid:, or link to it.",
    isSevere: true,
    isUsed: image(/^data:/i),
  },
  {
    code: "css.position",
    name: "position",
    droppedBy: ["gmail", "outlook"],
    advice: "Elements stand where they would without it: lay out with tables.",
    isUsed: css(/\bposition\s{0,9}:\s{0,9}(?:absolute|fixed|sticky|relative)/i),
  },
  {
    code: "css.flex",
    name: "display: flex",
    droppedBy: ["outlook"],
    advice: "Columns stand below each other: lay out with tables.",
    isUsed: css(/\bdisplay\s{0,9}:\s{0,9}(?:inline-)?flex/i),
  },
  {
    code: "css.grid",
    name: "display: grid",
    droppedBy: ["gmail", "outlook", "yahoo"],
    advice: "Cells stand below each other: lay out with tables.",
    isUsed: css(/\bdisplay\s{0,9}:\s{0,9}(?:inline-)?grid/i),
  },
  {
    code: "css.float",
    name: "float",
    droppedBy: ["outlook"],
    advice: "Elements stand below each other: lay out with tables.",
    isUsed: property("float"),
  },
  {
    code: "css.media",
    name: "@media",
    droppedBy: ["outlook"],
    advice: "Rules for widths and dark mode do not apply: the mail must be readable without them.",
    isUsed: css(/@media\b/i),
  },
  {
    code: "css.import",
    name: "@import",
    droppedBy: ["gmail", "outlook_web", "yahoo"],
    advice: "Imported styles are not loaded: put them into the mail.",
    isSevere: true,
    isUsed: css(/@import\b/i),
  },
  {
    code: "css.font_face",
    name: "@font-face",
    droppedBy: ["gmail", "outlook_web", "yahoo"],
    advice: "The font is not loaded: name a suitable fallback.",
    isUsed: css(/@font-face\b/i),
  },
  {
    code: "css.variables",
    name: "CSS variables",
    droppedBy: ALL_BUT_APPLE,
    advice: "Declarations with var() have no effect: write the values themselves.",
    isSevere: true,
    isUsed: css(/\bvar\(\s{0,9}--/i),
  },
  {
    code: "css.background_image",
    name: "background-image",
    droppedBy: ["outlook"],
    advice: "The background stays empty: set a background color that the text can be read on.",
    isUsed: css(/\bbackground(?:-image)?\s{0,9}:[^;}\n]{0,300}url\(/i),
  },
  {
    code: "css.gradient",
    name: "gradients",
    droppedBy: ["outlook", "outlook_web"],
    advice: "The background stays empty: set a background color as well.",
    isUsed: css(/-gradient\(/i),
  },
  {
    code: "css.border_radius",
    name: "border-radius",
    droppedBy: ["outlook"],
    advice: "Corners are square.",
    isUsed: property("border-radius"),
  },
  {
    code: "css.box_shadow",
    name: "box-shadow",
    droppedBy: ["gmail", "outlook", "yahoo"],
    advice: "Shadows do not appear: do not let them alone mark a border.",
    isUsed: property("box-shadow"),
  },
  {
    code: "css.opacity",
    name: "opacity",
    droppedBy: ["outlook"],
    advice: "Elements are shown in full: hide nothing by it.",
    isUsed: property("opacity"),
  },
  {
    code: "css.motion",
    name: "animation, transform",
    droppedBy: ALL_BUT_APPLE,
    advice: "Nothing moves or turns: the mail must be complete without it.",
    isUsed: property("animation|animation-name|transform"),
  },
  {
    code: "css.filter",
    name: "filter, clip-path",
    droppedBy: ALL_BUT_APPLE,
    advice: "The effect does not appear: change the picture itself.",
    isUsed: property("filter|clip-path"),
  },
  {
    code: "css.object_fit",
    name: "object-fit",
    droppedBy: ["outlook", "yahoo"],
    advice: "Pictures are distorted: give them their own proportions.",
    isUsed: property("object-fit"),
  },
  {
    code: "css.rem",
    name: "rem",
    droppedBy: ["outlook", "yahoo"],
    advice: "Sizes in rem are ignored: use px.",
    isUsed: css(/\d\s{0,2}rem\b/i),
  },
];
