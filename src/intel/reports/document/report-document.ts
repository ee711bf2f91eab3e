/** A report as people read it, before it is HTML or PDF: every text and number in it is the same in both. */
export interface ReportDocument {
  readonly title: string;
  /** Whose domains it is about. */
  readonly subject: string;
  /** Who hands it out; null: nobody is named. */
  readonly brandName: string | null;
  /** `#rrggbb` */
  readonly brandColor: string;
  readonly cover: Cover;
  readonly sections: readonly DocumentSection[];
  /** Which report it is, below every page. */
  readonly mark: string;
  /** When it was made. */
  readonly generatedAt: Date;
}

export interface Cover {
  readonly facts: readonly Fact[];
  readonly score: {
    readonly value: string;
    /** Behind the number, as `of 100`. */
    readonly of: string;
    readonly grade: string | null;
    readonly tone: Tone;
    /** What stands below it, a sentence each. */
    readonly notes: readonly string[];
  };
  readonly figures: readonly Figure[];
  readonly trend: Plot | null;
  /** Where there is no plot. */
  readonly trendNote: string | null;
  readonly fixes: readonly FixCard[];
  /** Where there is no fix. */
  readonly noFixes: string;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface Figure extends Fact {
  readonly tone: Tone;
}

/** A repair, ready to be carried out. */
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
  /** For links to it. */
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
  /** What it shows, for who hears it read. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** How many rows were left out; null: none. */
  readonly note: string | null;
}

export interface Column {
  readonly title: string;
  /** Numbers stand to the right, one below the other. */
  readonly isNumber?: boolean;
  /** Of the table's width, beside those of the other columns. */
  readonly width: number;
}

export interface Cell {
  readonly text: string;
  /** A smaller line below. */
  readonly note?: string;
  readonly tone?: Tone;
  /** It is to be copied, or compared letter by letter. */
  readonly isCode?: boolean;
  /** HTTPS. */
  readonly href?: string;
}

/** What a colour says; the text always says it, too. */
export type Tone = "plain" | "muted" | "good" | "info" | "warning" | "critical";

/** Something to draw; `alt` says what it shows. */
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
        /** The whole, as it is written beside the bar. */
        readonly total: string;
      }[];
    }
);
