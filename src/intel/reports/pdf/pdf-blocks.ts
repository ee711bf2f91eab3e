import type { Block, Cell, FixCard, Plot, Table } from "../document/report-document.ts";
import { drawPlot } from "../plots/draw-plot.ts";
import { type PdfStyle, plotTheme } from "./pdf-style.ts";
import type { FontName, ReportFonts } from "./report-fonts.ts";
import type { WriteRuns } from "./text-runs.ts";

/** A node of pdfmake. */
export type Node = Readonly<Record<string, unknown>>;

export interface BlockParts {
  readonly style: PdfStyle;
  readonly runs: WriteRuns;
  readonly fonts: Pick<ReportFonts, "fontOf">;
  /** Width between the margins, in points. */
  readonly width: number;
}

const CELL_PADDING = 4;
const CODE_SIZE = 7.5;
/** Width of each letter of the font. */
const CODE_WIDTH = CODE_SIZE * 0.6021;
const PLOT_SCALE = 1.35;
/** Longer values may not fit on one page and are allowed to break. */
const MOST_UNBROKEN = 1_200;

/** Writes blocks as nodes of pdfmake. */
export function createPdfBlocks({ style, runs, fonts, width }: BlockParts) {
  const { tones, line, soft } = style;

  const paragraph = (text: string): Node => ({ text: runs(text), margin: [0, 0, 0, 6] });

  function blockNode(block: Block): Node | readonly Node[] {
    switch (block.kind) {
      case "text":
        return paragraph(block.text);
      case "heading":
        return {
          text: runs(block.text),
          bold: true,
          fontSize: 10.5,
          margin: [0, 10, 0, 4],
          headlineLevel: 2,
        };
      case "table":
        return tableNodes(block.table);
      case "plot":
        return plotNode(block.plot, width, [0, 2, 0, 10]);
      case "fixes":
        return block.fixes.map((fix, index) => fixNode(fix, index + 1));
    }
  }

  function tableNodes({ columns, rows, note }: Table): readonly Node[] {
    const total = columns.reduce((sum, column) => sum + column.width, 0);
    const available = width - columns.length * CELL_PADDING * 2 + CELL_PADDING * 2;
    const alignments = columns.map(({ isNumber }) => (isNumber ? "right" : "left"));
    const heads = columns.map(({ title }, index) => ({
      text: runs(title),
      bold: true,
      color: tones.muted,
      alignment: alignments[index],
    }));
    const body = rows.map((row) => row.map((cell, index) => cellNode(cell, alignments[index] ?? "left")));
    const table = {
      table: {
        headerRows: 1,
        keepWithHeaderRows: 1,
        dontBreakRows: true,
        widths: columns.map((column) => (available * column.width) / total),
        body: [heads, ...body],
      },
      fontSize: 8,
      lineHeight: 1.15,
      margin: [0, 0, 0, 6],
      layout: {
        hLineWidth: (index: number) => (index === 0 ? 0 : index === 1 ? 0.8 : 0.5),
        hLineColor: (index: number) => (index === 1 ? tones.plain : line),
        vLineWidth: () => 0,
        paddingLeft: (index: number) => (index === 0 ? 0 : CELL_PADDING),
        paddingRight: (index: number) => (index === columns.length - 1 ? 0 : CELL_PADDING),
        paddingTop: () => 3.5,
        paddingBottom: () => 3,
      },
    };
    return note === null
      ? [table]
      : [table, { text: runs(note), fontSize: 8, color: tones.muted, margin: [0, 0, 0, 6] }];
  }

  function cellNode({ text, note, tone, isCode, href }: Cell, alignment: string): Node {
    const font: FontName = isCode ? "mono" : "sans";
    const color = tone ? tones[tone] : href === undefined ? tones.plain : style.brand.onLight;
    const isBold = tone !== undefined && tone !== "muted" && tone !== "plain";
    const main = runs(text, font).map((run) => ({
      ...run,
      color,
      ...(isBold && { bold: true }),
      ...(isCode && { fontSize: CODE_SIZE }),
      ...(href !== undefined && /^https?:\/\//.test(href) && { link: href }),
    }));
    const small =
      note === undefined ? [] : runs(`\n${note}`).map((run) => ({ ...run, color: tones.muted, fontSize: 7 }));
    return { text: [...main, ...small], alignment };
  }

  /** The plot is drawn larger and scaled down, because its letters have integer sizes. */
  function plotNode(plot: Plot, plotWidth: number, margin: readonly number[] = [0, 0, 0, 0]): Node {
    const font = fontOfPlot(plot);
    const svg = drawPlot(plot, plotTheme(style, font), Math.round(plotWidth * PLOT_SCALE));
    return { svg, width: plotWidth, font, margin };
  }

  /** A label is one piece of text in a plot, so one font has to contain all its letters. */
  function fontOfPlot(plot: Plot): FontName {
    const labels =
      plot.kind === "score"
        ? plot.points.map(({ label }) => label)
        : plot.kind === "volume"
          ? plot.bars.flatMap(({ label, total }) => [label, total])
          : [...plot.bars.map(({ label }) => label), ...plot.ticks.map(({ label }) => label)];
    const codes = [...new Set(labels.join(""))].map((letter) => letter.codePointAt(0) ?? 0);
    const candidates: readonly FontName[] = ["sans", "symbols", "han", "hangul"];
    return candidates.find((name) => codes.every((code) => fonts.fontOf(code, name) === name)) ?? "sans";
  }

  function fixNode(
    { title, domain, severity, tone, gain, responsible, text, record }: FixCard,
    number: number,
  ): Node {
    const meta = [
      ...runs(domain).map((run) => ({ ...run, bold: true })),
      ...runs(`   ${severity}`).map((run) => ({ ...run, color: tones[tone], bold: true })),
      ...runs(`   ${gain}   ${responsible}`).map((run) => ({ ...run, color: tones.muted })),
    ];
    const stack = [
      { text: runs(`${number}. ${title}`), bold: true, fontSize: 10 },
      { text: meta, fontSize: 8, margin: [0, 0, 0, 2] },
      { text: runs(text), margin: [0, 0, 0, record ? 4 : 0] },
      ...(record ? [recordNode(record)] : []),
    ];
    const isShort = text.length + (record?.value.length ?? 0) < MOST_UNBROKEN;
    return {
      table: { widths: [width - 18], body: [[{ stack }]], ...(isShort && { dontBreakRows: true }) },
      margin: [0, 0, 0, 7],
      layout: {
        hLineWidth: () => 0.5,
        hLineColor: () => line,
        vLineWidth: (index: number) => (index === 0 ? 3 : 0.5),
        vLineColor: (index: number) => (index === 0 ? tones[tone] : line),
        paddingLeft: () => 8,
        paddingRight: () => 6,
        paddingTop: () => 4,
        paddingBottom: () => 4,
      },
    };
  }

  function recordNode({ name, type, value }: NonNullable<FixCard["record"]>): Node {
    const valueWidth = width - 18 - 34 - 24;
    const row = (title: string, text: string) => [
      { text: title, color: tones.muted, fontSize: 7.5, lineHeight: 1.1 },
      {
        text: runs(brokenCode(text, Math.floor(valueWidth / CODE_WIDTH)), "mono"),
        fontSize: CODE_SIZE,
        lineHeight: 1.1,
      },
    ];
    return {
      table: {
        widths: [34, valueWidth],
        body: [row("Name", name), row("Type", type), row("Value", value)],
      },
      layout: {
        hLineWidth: (index: number, { table }: { readonly table: { readonly body: readonly unknown[] } }) =>
          index === 0 || index === table.body.length ? 0.5 : 0,
        vLineWidth: (index: number) => (index === 0 || index === 2 ? 0.5 : 0),
        hLineColor: () => line,
        vLineColor: () => line,
        fillColor: () => soft,
        paddingLeft: () => 6,
        paddingRight: () => 6,
        paddingTop: (index: number) => (index === 0 ? 3 : 0.5),
        paddingBottom: (index: number) => (index === 2 ? 2.5 : 0.5),
      },
    };
  }

  return { blockNode, fixNode, plotNode, paragraph };
}

export type PdfBlocks = ReturnType<typeof createPdfBlocks>;

/** Breaks words at the line length. pdfmake would split them by halves in quadratic time. */
function brokenCode(text: string, columns: number): string {
  return text.replaceAll(new RegExp(`\\S{${columns}}(?=\\S)`, "gu"), "$&\n");
}
