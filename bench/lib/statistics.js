/**
 * @typedef {object} Spread
 * @property {number} min
 * @property {number} median
 * @property {number} max
 */

/**
 * @param {readonly number[]} values
 * @returns {Spread}
 */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { min: sorted.at(0) ?? Number.NaN, median: median(sorted), max: sorted.at(-1) ?? Number.NaN };
}

/** @param {readonly number[]} sorted */
function median(sorted) {
  const middle = sorted.length / 2;
  if (!Number.isInteger(middle)) return sorted[Math.floor(middle)] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/**
 * The value below which the share `p` of all lies (nearest rank).
 * @param {Float64Array} sorted
 * @param {number} p 0 to 1
 */
export function percentile(sorted, p) {
  return sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)] ?? Number.NaN;
}

/**
 * Slope of the straight line through the points (least squares).
 * @param {readonly { x: number, y: number }[]} points
 */
export function slope(points) {
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const above = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  return above / points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
}
