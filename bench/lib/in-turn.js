/**
 * The order in which subjects are measured in a round: every other one goes the other way, for what comes first in a
 * round fares worse, by some percent.
 * @template T
 * @param {readonly T[]} subjects
 * @param {number} round from 1
 * @returns {readonly T[]}
 */
export function inTurn(subjects, round) {
  return round % 2 === 1 ? subjects : [...subjects].reverse();
}
