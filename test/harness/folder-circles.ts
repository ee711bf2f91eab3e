import { areaOf, importsOf, type Sources } from "./source-rules.ts";

/** Files of one area that import files of another: the first import found, as `file -> target`. */
type Edges = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Finds folders of `src` that import each other, directly or through others; imports of types count. A file at the top of `src`
 * counts as a folder of its own.
 * @returns a sentence for each group of such folders, with the shortest circle in it; empty when there is none
 */
export function folderCircles(sources: Sources): string[] {
  const edges = edgesOf(sources);
  const reached = new Map([...edges.keys()].map((folder) => [folder, reachableFrom(edges, folder)]));
  const reaches = (from: string, to: string) => reached.get(from)?.has(to) ?? false;
  const groups = new Set(
    [...edges.keys()]
      .filter((folder) => reaches(folder, folder))
      .map((folder) => [...edges.keys()].filter((other) => reaches(folder, other) && reaches(other, folder)))
      .map((group) => group.sort().join(", ")),
  );
  return [...groups].sort().map((group) => {
    const circles = group.split(", ").map((folder) => shortestCircle(edges, folder));
    const [shortest = []] = circles.sort((one, other) => one.length - other.length);
    return `${group} import each other: ${shortest.join(", ")}`;
  });
}

function edgesOf(sources: Sources): Edges {
  const edges = new Map<string, Map<string, string>>();
  for (const [file, text] of sources) {
    const from = folderOf(file);
    for (const target of importsOf(file, text)) {
      const to = folderOf(target);
      if (to === from || !/^src\b/.test(from) || !/^src\//.test(target)) continue;
      const targets = edges.get(from) ?? new Map<string, string>();
      if (!targets.has(to)) targets.set(to, `${file} -> ${target}`);
      edges.set(from, targets);
    }
  }
  return edges;
}

function folderOf(file: string): string {
  const area = areaOf(file);
  return area === "src" ? file : area;
}

/** Folders that a folder imports, directly or indirectly. Includes the folder itself only if it is part of a circle. */
function reachableFrom(edges: Edges, start: string): ReadonlySet<string> {
  const found = new Set<string>();
  const follow = (folder: string): void => {
    for (const target of edges.get(folder)?.keys() ?? []) {
      if (found.has(target)) continue;
      found.add(target);
      follow(target);
    }
  };
  follow(start);
  return found;
}

/** The imports of the shortest circle from a folder back to itself. */
function shortestCircle(edges: Edges, start: string): readonly string[] {
  const seen = new Set<string>();
  let trails: { readonly folder: string; readonly steps: readonly string[] }[] = [
    { folder: start, steps: [] },
  ];
  while (trails.length > 0) {
    const next = trails.flatMap(({ folder, steps }) =>
      [...(edges.get(folder) ?? [])].map(([target, step]) => ({ folder: target, steps: [...steps, step] })),
    );
    const closed = next.find(({ folder }) => folder === start);
    if (closed) return closed.steps;
    trails = next.filter(({ folder }) => !seen.has(folder) && seen.add(folder));
  }
  return [];
}
