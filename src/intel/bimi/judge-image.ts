import { XMLParser, XMLValidator } from "fast-xml-parser";
import { safeDetail } from "../../message/replies/outcome.ts";
import { quoted } from "../quoted.ts";

/** What is wrong with the image, in sentences. */
export interface ImageFaults {
  /** Receivers do not show it. */
  readonly faults: readonly string[];
  /** Some do not. */
  readonly doubts: readonly string[];
}

/** draft-svg-tiny-ps-abrotman: larger ones are refused by some. */
const ADVISED_BYTES = 32 * 1024;
/** Logos have about ten levels. */
const MAX_DEPTH = 100;
const MAX_FAULTS = 5;
/** Logos have some hundreds. The parser takes the square of their number where texts stand between them. */
const MAX_TAGS = 10_000;
/** What runs, moves, leads elsewhere, or brings something else in. Names as XML has them, which tells small letters from capitals. */
const FORBIDDEN: readonly string[] = [
  ...["script", "handler", "listener", "foreignObject", "image", "audio", "video", "animation", "a"],
  ...["animate", "animateColor", "animateMotion", "animateTransform", "mpath", "set", "discard"],
  ...["iframe", "embed", "object"],
];

const TEXT = "#text";
const ATTRIBUTES = ":@";

/** It expands no entities, and keeps nothing between documents. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  removeNSPrefix: true,
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  jPath: false,
  textNodeName: TEXT,
  maxNestedTags: MAX_DEPTH,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/** As the parser has it: one key with the children, and one with the attributes. */
type XmlNode = Readonly<Record<string, unknown>>;

interface Element {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: readonly XmlNode[];
}

/**
 * What receivers demand of the image (draft-svg-tiny-ps-abrotman): its root, its title, and that it holds nothing that runs or
 * lies elsewhere. It is no validation of all of the profile.
 */
export function judgeImage(body: Buffer): ImageFaults {
  const text = body.toString().replace(/^\ufeff/, "");
  // Its entities could stand for anything, and there is no need of them.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return fatal("It has a document type (DOCTYPE).");
  if (text.split("<", MAX_TAGS + 2).length > MAX_TAGS + 1) return fatal(`It has more than ${MAX_TAGS} tags.`);
  // What is wrong comes with a piece of the document.
  const validity = XMLValidator.validate(text);
  if (validity !== true) return fatal(`Its XML is broken: ${safeDetail(validity.err.msg)}`);
  let nodes: readonly XmlNode[];
  try {
    nodes = parser.parse(text) as readonly XmlNode[];
  } catch (error) {
    return fatal(`Its XML is refused: ${safeDetail(error instanceof Error ? error.message : String(error))}`);
  }
  const [root] = elementsOf(nodes);
  if (root?.name !== "svg") return fatal("It is no SVG: its first element is another one.");
  const faults = [...judgeRoot(root), ...elementFaults(root)];
  if (/<\?(?!xml\s)/.test(text)) faults.push("It has instructions for programs (<?…?>).");
  const doubts =
    body.length > ADVISED_BYTES ? [`It has ${body.length} octets; some take ${ADVISED_BYTES} at most.`] : [];
  return { faults: [...new Set(faults)].slice(0, MAX_FAULTS), doubts };
}

function fatal(fault: string): ImageFaults {
  return { faults: [fault.endsWith(".") ? fault : `${fault}.`], doubts: [] };
}

function judgeRoot({ attributes, children }: Element): string[] {
  const of = new Map(attributes);
  const title = elementsOf(children).find(({ name }) => name === "title");
  const hasTitle = title?.children.some((child) => String(child[TEXT] ?? "").trim() !== "");
  return [
    ...(of.get("baseProfile") === "tiny-ps" ? [] : ['Its baseProfile is not "tiny-ps".']),
    ...(of.get("version") === "1.2" ? [] : ['Its version is not "1.2".']),
    ...(hasTitle ? [] : ["It has no title."]),
    ...(of.has("x") || of.has("y") ? ["Its root has x or y."] : []),
  ];
}

function elementFaults(root: Element): string[] {
  const faults: string[] = [];
  const waiting = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    const { name, attributes, children } = element;
    if (FORBIDDEN.includes(name)) faults.push(`It has an element ${quoted(name)}.`);
    for (const [attribute, value] of attributes)
      if (/^on/i.test(attribute)) faults.push(`It has an attribute ${quoted(attribute)}.`);
      else if (isForeign(attribute, value)) faults.push(`It refers to something outside: ${quoted(value)}.`);
    const texts = children.map((child) => String(child[TEXT] ?? ""));
    if (name === "style" && texts.some((text) => /@import/i.test(text) || hasForeignUrl(text)))
      faults.push("Its style refers to something outside.");
    waiting.push(...elementsOf(children));
  }
  return faults;
}

function isForeign(attribute: string, value: string): boolean {
  return (attribute === "href" && !value.trim().startsWith("#")) || hasForeignUrl(value);
}

function hasForeignUrl(text: string): boolean {
  return /url\(\s*(?!["']?#)/i.test(text);
}

function elementsOf(nodes: readonly XmlNode[]): Element[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES && key !== TEXT);
    if (name === undefined) return [];
    const attributes = Object.entries((node[ATTRIBUTES] ?? {}) as Readonly<Record<string, unknown>>);
    return [
      {
        name,
        attributes: attributes.map(([key, value]) => [key, String(value)] as const),
        children: (node[name] ?? []) as readonly XmlNode[],
      },
    ];
  });
}
