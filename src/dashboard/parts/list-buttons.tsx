import { Button } from "@mantine/core";
import { t } from "../texts/texts.ts";

interface ListButtonsProps {
  /** Name of the item, for screen readers. */
  readonly name: string;
  readonly at: number;
  readonly count: number;
  readonly onMove: (by: number) => void;
  readonly onRemove: () => void;
}

/** Buttons of an item of an ordered list in a form. */
export function ListButtons({ name, at, count, onMove, onRemove }: ListButtonsProps) {
  return (
    <div className="row">
      {at > 0 && (
        <Button variant="default" size="xs" aria-label={t.common.moveUp(name)} onClick={() => onMove(-1)}>
          {t.common.up}
        </Button>
      )}
      {at < count - 1 && (
        <Button variant="default" size="xs" aria-label={t.common.moveDown(name)} onClick={() => onMove(1)}>
          {t.common.down}
        </Button>
      )}
      <Button variant="default" size="xs" aria-label={t.common.removePart(name)} onClick={onRemove}>
        {t.common.remove}
      </Button>
    </div>
  );
}
