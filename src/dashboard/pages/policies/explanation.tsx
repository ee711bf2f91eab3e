import type { Explanation } from "../../api/policies.ts";
import { Answer } from "../../parts/answer.tsx";
import { compareValues, type Piece } from "../../parts/compare-values.ts";
import { Pieces } from "../../parts/pieces.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { reasonText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";
import { explainedParts, type PartPair, pairsOf, transportTitle } from "./explanation-parts.ts";

type Explained = Omit<Explanation, "attempted">;

/** The first sentences of an answer: the rule that decides, and the first transport. */
function Summary({ title, explained }: { readonly title: string; readonly explained: Explained }) {
  const [first] = explained.transports;
  const { suppressed: isSuppressed } = explained.suppression;
  return (
    <Answer tone={isSuppressed ? "bad" : "info"}>
      <p className="muted">{title}</p>
      <p>
        <b>{isSuppressed || !first ? reasonText(explained.suppression) : transportTitle(first)}</b>
      </p>
      <p className="muted">{reasonText(explained.rule)}</p>
    </Answer>
  );
}

interface OneAnswerProps {
  readonly title: string;
  readonly explained: Explained;
}

/** The answer of one policy. */
export function OneAnswer({ title, explained }: OneAnswerProps) {
  return (
    <>
      <Summary title={title} explained={explained} />
      <section className="card" aria-label={title}>
        <div className="body stack">
          {explainedParts(explained).map(({ id, label, lines }) => (
            <article key={id}>
              <h3>{label}</h3>
              <p className="tight wrapped">{lines.join("\n")}</p>
            </article>
          ))}
        </div>
      </section>
    </>
  );
}

interface TwoAnswersProps {
  readonly stored: Explained;
  readonly unsaved: Explained;
}

/** The answers of the stored and the unsaved policy side by side, with their differences marked. */
export function TwoAnswers({ stored, unsaved }: TwoAnswersProps) {
  const pairs = pairsOf(stored, unsaved);
  const count = pairs.filter(({ differs }) => differs).length;
  return (
    <>
      <div className="pair">
        <Summary title={t.policies.stored} explained={stored} />
        <Summary title={t.policies.unsaved} explained={unsaved} />
      </div>
      <p role="status" className="tight">
        <b>{count === 0 ? t.policies.sameAnswer : t.policies.differences(count)}</b>
      </p>
      <section className="card" aria-label={t.policies.unsaved}>
        <div className="body stack">
          {pairs.map((pair) => (
            <Pair key={pair.id} pair={pair} />
          ))}
        </div>
      </section>
    </>
  );
}

function Pair({ pair: { label, stored, unsaved, differs } }: { readonly pair: PartPair }) {
  const compared =
    differs && stored !== undefined && unsaved !== undefined ? compareValues(unsaved, stored) : undefined;
  return (
    <article aria-label={label}>
      <h3 className="row">
        {label} {differs && <StateBadge tone="warn">{t.policies.differs}</StateBadge>}
      </h3>
      <div className="pair">
        <Side title={t.policies.stored} text={stored} pieces={compared?.found} tone="extra" />
        <Side title={t.policies.unsaved} text={unsaved} pieces={compared?.wanted} tone="lacking" />
      </div>
    </article>
  );
}

interface SideProps {
  readonly title: string;
  readonly text: string | undefined;
  /** The text with its differences marked; missing: nothing is marked. */
  readonly pieces: readonly Piece[] | undefined;
  readonly tone: "extra" | "lacking";
}

function Side({ title, text, pieces, tone }: SideProps) {
  return (
    <div>
      <span className="faint">{title}</span>
      <p className="tight wrapped">
        {pieces ? <Pieces pieces={pieces} tone={tone} /> : (text ?? t.policies.notUsed)}
      </p>
    </div>
  );
}
