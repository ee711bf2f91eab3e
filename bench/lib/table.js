/**
 * An aligned table in plain text: the first column to the left, figures to the right.
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
export function table(heads, rows) {
  const lines = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const text = (/** @type {readonly string[]} */ line) =>
    widths
      .map((width, column) => {
        const cell = line[column] ?? "";
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd();
  return [text(heads), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(text)].join("\n");
}

/**
 * A table in Markdown.
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
export function markdown(heads, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

/**
 * A figure with three significant digits, at the least its whole part; `-` when there is none.
 * @param {number | undefined} value
 */
export function figure(value) {
  if (value === undefined || !Number.isFinite(value)) return "-";
  if (value === 0) return "0";
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, 4));
}

/** @param {import("./statistics.js").Spread} spread */
export function range({ min, median, max }) {
  return `${figure(min)} / ${figure(median)} / ${figure(max)}`;
}

/** @param {number | undefined} bytes */
export function megabytes(bytes) {
  return bytes === undefined ? "-" : `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}
