import { readUint48, UINT48_BYTES, writeUint48 } from "./uint48.ts";

/**
 * Compact posting lists. Messages of a run are numbered from its newest, 0, on. A chunk contains terms in order, each
 * with 6 bytes (the term), the length of the following data (varint), and the numbers of its messages: the first as
 * it is, the others as differences (varints).
 */

/** The messages of one term, ascending. */
export interface Posting {
  readonly term: number;
  readonly numbers: readonly number[];
}

/** @param postings ordered by term; none is empty */
export function encodePostings(postings: Iterable<Posting>): Buffer {
  const writer = createWriter();
  for (const { term, numbers } of postings) {
    let length = 0;
    let former = 0;
    for (const number of numbers) {
      length += varintLength(number - former);
      former = number;
    }
    writer.term(term);
    writer.varint(length);
    former = 0;
    for (const number of numbers) {
      writer.varint(number - former);
      former = number;
    }
  }
  return writer.take();
}

/** The messages of a term; empty: the chunk contains none. */
export function findPosting(chunk: Buffer, term: number): readonly number[] {
  for (const entry of entriesOf(chunk)) {
    if (entry.term === term) return entry.numbers();
    if (entry.term > term) break;
  }
  return [];
}

/** All postings of a chunk, ordered by term. */
export function* decodePostings(chunk: Buffer): Generator<Posting, void> {
  for (const { term, numbers } of entriesOf(chunk)) yield { term, numbers: numbers() };
}

/** The numbers in all lists, ascending. */
export function intersection(lists: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = lists.toSorted((a, b) => a.length - b.length);
  return others.reduce((common, list) => {
    let at = 0;
    return common.filter((number) => {
      while (at < list.length && (list[at] as number) < number) at++;
      return list[at] === number;
    });
  }, first);
}

function* entriesOf(chunk: Buffer) {
  const reader = { at: 0 };
  while (reader.at < chunk.length) {
    const term = readUint48(chunk, reader.at);
    reader.at += UINT48_BYTES;
    const length = readVarint(chunk, reader);
    const start = reader.at;
    const end = start + length;
    yield { term, numbers: () => readNumbers(chunk, start, end) };
    reader.at = end;
  }
}

function readNumbers(chunk: Buffer, start: number, end: number): number[] {
  const numbers: number[] = [];
  const reader = { at: start };
  let number = 0;
  while (reader.at < end) {
    number += readVarint(chunk, reader);
    numbers.push(number);
  }
  return numbers;
}

function readVarint(bytes: Buffer, reader: { at: number }): number {
  let value = 0;
  let scale = 1;
  for (;;) {
    const byte = bytes[reader.at++] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 128;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

function createWriter() {
  let bytes = Buffer.allocUnsafe(16 * 1024);
  let at = 0;
  const capacity = (count: number) => {
    if (at + count <= bytes.length) return;
    const larger = Buffer.allocUnsafe(bytes.length * 2);
    bytes.copy(larger, 0, 0, at);
    bytes = larger;
  };
  return {
    term: (term: number): void => {
      capacity(UINT48_BYTES);
      at = writeUint48(term, bytes, at);
    },
    varint: (value: number): void => {
      capacity(8);
      let rest = value;
      for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 0x80;
      bytes[at++] = rest;
    },
    take: (): Buffer => Buffer.from(bytes.subarray(0, at)),
  };
}

/** The numbers in any of the lists, ascending, without duplicates. */
export function union(lists: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = lists;
  return others.reduce((all, list) => (list.length === 0 ? all : merged(all, list)), first);
}

/** In one pass: with a free word, two lists may each contain most messages of a day. */
function merged(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length === 0) return b;
  const all: number[] = [];
  let [atA, atB] = [0, 0];
  while (atA < a.length || atB < b.length) {
    const [nextA = Number.POSITIVE_INFINITY, nextB = Number.POSITIVE_INFINITY] = [a[atA], b[atB]];
    if (nextA <= nextB) atA++;
    if (nextB <= nextA) atB++;
    all.push(Math.min(nextA, nextB));
  }
  return all;
}
