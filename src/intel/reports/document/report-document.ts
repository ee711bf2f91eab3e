/** A readable report, before it is formatted as HTML or PDF. Both contain the same texts and numbers. */
export interface ReportDocument {
  readonly title: string;
  /** Owner of the domains in the report. */
  readonly subject: string;
  /** Name of the issuer; null: none. */
  readonly brandName: string | null;
  /** `#rrggbb` */
  readonly brandColor: string;
  readonly logo: Logo | null;
  readonly cover: Cover;
  readonly sections: readonly DocumentSection[];
  /** Identification of the report, below every page. */
  readonly mark: string;
  /** Time of generation. */
  readonly generatedAt: Date;
}

/** Logo of the issuer, as PNG. */
export interface Logo {
  readonly png: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Cover {
  readonly facts: readonly Fact[];
  readonly score: {
    readonly value: string;
    /** Text after the number, such as `of 100`. */
    readonly of: string;
    readonly grade: string | null;
    readonly tone: Tone;
    /** Notes below the number, one sentence each. */
    readonly notes: readonly string[];
  };
  readonly figures: readonly Figure[];
  readonly trend: Plot | null;
  /** Text in place of a missing plot. */
  readonly trendNote: string | null;
  readonly fixes: readonly FixCard[];
  /** Text in place of missing fixes. */
  readonly noFixes: string;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface Figure extends Fact {
  readonly tone: Tone;
}

/** A fix that is ready to apply. */
export interface FixCard {
  readonly title: string;
  readonly domain: string;
  readonly severity: string;
  readonly tone: Tone;
  readonly gain: string;
  readonly responsible: string;
  readonly text: string;
  readonly record: { readonly name: string; readonly type: string; readonly value: string } | null;
}

export interface DocumentSection {
  /** Anchor for links. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "table"; readonly table: Table }
  | { readonly kind: "plot"; readonly plot: Plot }
  | { readonly kind: "fixes"; readonly fixes: readonly FixCard[] };

export interface Table {
  /** Description for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Number of omitted rows as a text; null: none. */
  readonly note: string | null;
}

export interface Column {
  readonly title: string;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** Share of the table's width, relative to the other columns. */
  readonly width: number;
}

export interface Cell {
  readonly text: string;
  /** A smaller line below the text. */
  readonly note?: string;
  readonly tone?: Tone;
  /** The text is to be copied or compared exactly. */
  readonly isCode?: boolean;
  /** HTTPS URL. */
  readonly href?: string;
}

/** Meaning of a color. The text always expresses it, too. */
export type Tone = "plain" | "muted" | "good" | "info" | "warning" | "critical";

/** A plot; `alt` describes its contents. */
export type Plot = { readonly id: string; readonly alt: string } & (
  | {
      readonly kind: "score";
      readonly points: readonly {
        readonly label: string;
        readonly value: number | null;
        readonly model: string;
      }[];
    }
  | {
      readonly kind: "listings";
      /** Times in milliseconds. */
      readonly from: number;
      readonly to: number;
      readonly ticks: readonly { readonly at: number; readonly label: string }[];
      readonly bars: readonly { readonly label: string; readonly from: number; readonly to: number }[];
    }
  | {
      readonly kind: "volume";
      readonly bars: readonly {
        readonly label: string;
        readonly delivered: number;
        readonly bounced: number;
        readonly other: number;
        /** The total, as shown beside the bar. */
        readonly total: string;
      }[];
    }
);
