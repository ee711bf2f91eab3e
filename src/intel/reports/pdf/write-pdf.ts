import path from "node:path";
import pdfmake from "pdfmake";
import type { DocumentSection, ReportDocument } from "../document/report-document.ts";
import { type BlockParts, createPdfBlocks, type Node, type PdfBlocks } from "./pdf-blocks.ts";
import { pdfCover } from "./pdf-cover.ts";
import { POINTS_PER_MM, pdfStyle } from "./pdf-style.ts";
import { openReportFonts } from "./report-fonts.ts";
import { createWriteRuns } from "./text-runs.ts";

const papers = {
  a4: { name: "A4", width: 595.28, height: 841.89 },
  letter: { name: "LETTER", width: 612, height: 792 },
} as const;
export type Paper = keyof typeof papers;

/** Text above and below each page. */
type PageEdges = Pick<ReportDocument, "brandName" | "title" | "subject" | "mark">;

const SIDE = 17 * POINTS_PER_MM;
const TOP = 62;
const BOTTOM = 48;
const BAND_HEIGHT = 34;
/** Minimum height of the content after a heading on the same page. */
const WITH_HEADING = 64;

/** Writes a report as PDF. The same document gives the same bytes. It loads only the fonts of the build. */
export async function writePdf(document: ReportDocument, paper: Paper): Promise<Buffer> {
  const fonts = openReportFonts();
  const runs = createWriteRuns(fonts);
  const style = pdfStyle(document.brandColor);
  const { name, width } = papers[paper];
  const parts: BlockParts = { style, runs, fonts, width: width - 2 * SIDE };
  const blocks = createPdfBlocks(parts);
  // Headers and footers live as long as the layout, so they reference no section of the document.
  const { brandName, title, subject, mark } = document;
  const edges: PageEdges = { brandName, title, subject, mark };
  const definition = {
    pageSize: name,
    pageMargins: [SIDE, TOP, SIDE, BOTTOM],
    version: "1.7",
    language: "en",
    displayTitle: true,
    info: {
      title: `${document.title}: ${document.subject}`,
      ...(document.brandName !== null && { author: document.brandName }),
      // A branded report names no other party.
      creator: document.brandName ?? "Hermod",
      producer: document.brandName ?? "Hermod",
      // The document's id is derived from it, too.
      creationDate: document.generatedAt,
    },
    defaultStyle: { font: "sans", fontSize: 9, lineHeight: 1.2, color: style.tones.plain },
    header: (page: number) => headerNode(page, edges, parts, width),
    footer: (page: number, pages: number) => footerNode(page, pages, edges, parts),
    content: [
      ...pdfCover(document, blocks, parts),
      ...document.sections.flatMap((section) => sectionNodes(section, blocks, parts)),
    ],
  };
  pdfmake.setFonts(fonts.files);
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((file) => path.dirname(file) === path.resolve(fonts.folder));
  return pdfmake.createPdf(definition).getBuffer();
}

/**
 * Keeps a heading on the page of the following content: it is combined with an empty space, and the content is moved
 * up into the space. pdfmake's own method repeats the whole layout for each heading.
 */
function sectionNodes(
  { title, blocks: all }: DocumentSection,
  blocks: PdfBlocks,
  { runs, style, width }: BlockParts,
): readonly Node[] {
  const heading = {
    stack: [
      {
        canvas: [
          { type: "line", x1: 0, y1: 0, x2: width, y2: 0, lineWidth: 1.2, lineColor: style.brand.onLight },
        ],
      },
      { text: runs(title), bold: true, fontSize: 13, margin: [0, 6, 0, 6] },
    ],
    margin: [0, 18, 0, 0],
  };
  const nodes: Node[] = [];
  let head: Node[] = [heading];
  let hasText = false;
  for (const block of all) {
    const written = [blocks.blockNode(block)].flat();
    const [first, ...rest] = written;
    if (!first) continue;
    // An introduction stays with its content, like a heading.
    if (block.kind === "text" || block.kind === "heading") {
      if (block.kind === "text" && hasText) {
        nodes.push({ stack: head, unbreakable: true });
        head = [];
      }
      hasText = block.kind === "text";
      head.push(first);
      continue;
    }
    if (head.length > 0) nodes.push(...keptTogether(head, first), ...rest);
    else nodes.push(...written);
    head = [];
    hasText = false;
  }
  if (head.length > 0) nodes.push({ stack: head, unbreakable: true });
  return nodes;
}

function keptTogether(head: readonly Node[], following: Node): readonly Node[] {
  const margin = (following.margin as readonly number[] | undefined) ?? [0, 0, 0, 0];
  const [left = 0, top = 0, right = 0, bottom = 0] = margin;
  return [
    {
      stack: [...head, { text: "", fontSize: 1, lineHeight: 1, margin: [0, WITH_HEADING, 0, 0] }],
      unbreakable: true,
    },
    { ...following, margin: [left, top - WITH_HEADING - 1.4, right, bottom] },
  ];
}

function headerNode(
  page: number,
  { brandName, title, subject }: PageEdges,
  { style, runs }: BlockParts,
  width: number,
): Node {
  const { brand, tones } = style;
  if (page === 1) {
    return {
      stack: [
        { canvas: [{ type: "rect", x: 0, y: 0, w: width, h: BAND_HEIGHT, color: brand.fill }] },
        {
          text: runs(brandName ?? "Deliverability"),
          color: brand.onFill,
          bold: true,
          fontSize: 10.5,
          margin: [SIDE, -BAND_HEIGHT + 10, SIDE, 0],
        },
      ],
    };
  }
  return {
    stack: [
      { canvas: [{ type: "rect", x: 0, y: 0, w: width, h: 4, color: brand.fill }] },
      {
        columns: [
          { text: runs(brandName ?? title), bold: true, width: "auto", noWrap: true },
          { text: runs(subject), alignment: "right", color: tones.muted, width: "*" },
        ],
        columnGap: 20,
        fontSize: 8,
        margin: [SIDE, 22, SIDE, 0],
      },
    ],
  };
}

function footerNode(page: number, pages: number, { mark }: PageEdges, { style, runs }: BlockParts): Node {
  return {
    columns: [
      { text: runs(mark), width: "*" },
      { text: `Page ${page} of ${pages}`, alignment: "right", width: "auto" },
    ],
    fontSize: 7.5,
    color: style.tones.muted,
    margin: [SIDE, 18, SIDE, 0],
  };
}
