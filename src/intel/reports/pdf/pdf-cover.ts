import type { Cover, ReportDocument } from "../document/report-document.ts";
import type { BlockParts, Node, PdfBlocks } from "./pdf-blocks.ts";

const SCORE_WIDTH = 158;
const GAP = 16;
/** Maximum width and height of the logo. */
const LOGO_SIZE = { maxWidth: 170, maxHeight: 48 } as const;

/** The first page: score, trend, figures, and the top fixes. */
export function pdfCover(
  { title, subject, cover, logo }: ReportDocument,
  blocks: PdfBlocks,
  parts: BlockParts,
): readonly Node[] {
  const { runs, style, width } = parts;
  const facts = cover.facts.map(({ name, value }) => [
    { text: name, color: style.tones.muted },
    { text: runs(value) },
  ]);
  // Two facts in a row, the second half beside the first.
  const half = Math.ceil(facts.length / 2);
  const factRows = facts.slice(0, half).map((fact, index) => [...fact, ...(facts[half + index] ?? ["", ""])]);
  const trendWidth = width - SCORE_WIDTH - GAP;
  const trend = cover.trend
    ? blocks.plotNode(cover.trend, trendWidth)
    : { text: runs(cover.trendNote ?? ""), color: style.tones.muted };
  return [
    ...logoNodes(logo),
    { text: runs(title), bold: true, fontSize: 21, margin: [0, 0, 0, 1] },
    { text: runs(subject), fontSize: 13, color: style.brand.onLight, margin: [0, 0, 0, 8] },
    {
      table: { widths: [46, width * 0.52 - 46, 58, width * 0.48 - 58], body: factRows },
      layout: factsLayout,
      fontSize: 8.5,
      margin: [0, 0, 0, 10],
    },
    {
      columns: [
        { width: SCORE_WIDTH, ...scoreNode(cover.score, parts) },
        {
          width: trendWidth,
          stack: [
            { text: "Trend", bold: true, fontSize: 8.5, color: style.tones.muted, margin: [0, 0, 0, 2] },
            trend,
          ],
        },
      ],
      columnGap: GAP,
      margin: [0, 0, 0, 10],
    },
    figuresNode(cover, parts),
    { text: "Top fixes", bold: true, fontSize: 13, margin: [0, 8, 0, 5] },
    ...(cover.fixes.length === 0
      ? [blocks.paragraph(cover.noFixes)]
      : cover.fixes.map((fix, index) => blocks.fixNode(fix, index + 1))),
  ];
}

function logoNodes(logo: ReportDocument["logo"]): readonly Node[] {
  if (!logo) return [];
  const image = `data:image/png;base64,${Buffer.from(logo.png).toString("base64")}`;
  return [{ image, ...LOGO_SIZE, margin: [0, 0, 0, 10] }];
}

const factsLayout = {
  hLineWidth: () => 0,
  vLineWidth: () => 0,
  paddingLeft: () => 0,
  paddingRight: () => 0,
  paddingTop: () => 0,
  paddingBottom: () => 1,
};

function scoreNode({ value, of, grade, tone, notes }: Cover["score"], { style, runs }: BlockParts): Node {
  const { tones, soft, brand } = style;
  const stack = [
    { text: "Score", bold: true, fontSize: 8.5, color: tones.muted },
    {
      text: [
        ...runs(value).map((run) => ({ ...run, fontSize: 36, bold: true, color: tones[tone] })),
        ...runs(`  ${of}`).map((run) => ({ ...run, fontSize: 9, color: tones.muted })),
        ...(grade === null
          ? []
          : runs(`   ${grade}`).map((run) => ({ ...run, fontSize: 22, bold: true, color: tones[tone] }))),
      ],
      lineHeight: 1,
    },
    ...notes.map((note) => ({ text: runs(note), fontSize: 8, color: tones.muted, margin: [0, 1, 0, 0] })),
  ];
  return {
    table: { widths: [SCORE_WIDTH - 21], heights: [106], body: [[{ stack, fillColor: soft }]] },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (index: number) => (index === 0 ? 3 : 0),
      vLineColor: () => brand.onLight,
      paddingLeft: () => 10,
      paddingRight: () => 8,
      paddingTop: () => 8,
      paddingBottom: () => 6,
    },
  };
}

function figuresNode({ figures }: Cover, { style, runs, width }: BlockParts): Node {
  const { tones, line } = style;
  const padding = 6;
  const each = (width - 0.5) / figures.length - padding * 2 - 0.5;
  return {
    table: {
      widths: figures.map(() => each),
      body: [
        figures.map(({ name, value, tone }) => ({
          stack: [
            { text: runs(value), fontSize: 15, bold: true, color: tones[tone], lineHeight: 1 },
            { text: name, fontSize: 7.5, color: tones.muted, lineHeight: 1.05 },
          ],
        })),
      ],
    },
    layout: {
      hLineWidth: () => 0.5,
      vLineWidth: () => 0.5,
      hLineColor: () => line,
      vLineColor: () => line,
      paddingLeft: () => padding,
      paddingRight: () => padding,
      paddingTop: () => 4,
      paddingBottom: () => 4,
    },
  };
}
