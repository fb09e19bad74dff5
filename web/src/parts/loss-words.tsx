/** Explains a privacy loss in words and pictures to someone who is no privacy researcher. */
import { formatCount, formatNumber, plural } from "../format.ts";
import {
  type BudgetBlocks,
  budgetBlocks,
  RIGHT_BY_GUESSING,
  releasesThatFit,
  rightInHundred,
  STRENGTHS,
  strengthOf,
} from "./loss-in-words.ts";

export interface LossWordsProps {
  readonly loss: number;
  /** Whose loss it is; everything published if absent. */
  readonly of?: "this release" | "everything published" | undefined;
  /** Of the dataset, with what is left of it; without them, nothing is said about further releases. */
  readonly budget?: number | undefined;
  readonly left?: number | undefined;
}

export function LossWords({ loss, of = "everything published", budget, left }: LossWordsProps) {
  const spent = budget === undefined || left === undefined ? 0 : Math.max(0, budget - left);
  const right = rightInHundred(loss);
  const { name } = strengthOf(loss);
  return (
    <div class="loss-words">
      <p>
        {loss > 0 ? (
          <>
            Someone who tries to find out one thing about one person, and who would be right 1 time in 2 by guessing, is
            right at most <b>{right} times in 100</b> after seeing {of}.
          </>
        ) : (
          <>
            Nothing can be learnt about anyone: someone who guesses is right <b>1 time in 2</b>, before and after.
          </>
        )}
      </p>
      {spent > 0 && loss > 0 ? (
        <p>
          Together with what is out already (up to {formatNumber(spent)}):{" "}
          <b>at most {rightInHundred(spent + loss)} times in 100</b>.
        </p>
      ) : null}
      <AttackerDots right={right} />
      <StrengthScale loss={loss} />
      {budget === undefined || left === undefined ? null : <MoreReleases loss={loss} budget={budget} left={left} />}
      <details class="note">
        <summary>What “{name} protection” means here</summary>
        <p>
          The guarantee holds for everyone in the data, whatever else is known about them. The loss, λ, is{" "}
          {formatNumber(loss)}: no answer becomes more than e<sup>λ</sup> = {formatNumber(Math.exp(loss))} times as
          likely because of all that one person contributed. The names are ours, a rule of thumb, not a theorem:{" "}
          {STRENGTHS.map(({ name, upTo }) => (Number.isFinite(upTo) ? `${name} up to ${upTo}` : `${name} above`)).join(
            ", ",
          )}
          .
        </p>
      </details>
    </div>
  );
}

const COLUMNS = 20;
const STEP = 14;

/** 100 attackers: right by guessing, right because of what is published, still wrong. Told apart by shape as well. */
function AttackerDots({ right }: { right: number }) {
  const more = right - RIGHT_BY_GUESSING;
  const wrong = 100 - right;
  return (
    <figure class="attackers">
      <svg
        viewBox={`0 0 ${COLUMNS * STEP} ${(100 / COLUMNS) * STEP}`}
        role="img"
        aria-label={`Of 100 who guess, 50 are right anyway, ${more} more at most because of what is published, ${wrong} at least are wrong`}
      >
        {Array.from({ length: 100 }, (_, index) => {
          // Column by column, so that each kind is one block.
          const x = Math.floor(index / 5) * STEP + STEP / 2;
          const y = (index % 5) * STEP + STEP / 2;
          if (index < RIGHT_BY_GUESSING) return <circle key={index} class="guessed" cx={x} cy={y} r={4.6} />;
          if (index < right)
            return <path key={index} class="learnt" d={`M${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}L${x - 6} ${y}Z`} />;
          return <circle key={index} class="wrong" cx={x} cy={y} r={4} />;
        })}
      </svg>
      <figcaption>
        <span class="guessed">50 right by guessing</span>
        <span class="learnt">{more} more, at most, by what is published</span>
        <span class="wrong">{wrong} still wrong</span>
      </figcaption>
    </figure>
  );
}

function StrengthScale({ loss }: { loss: number }) {
  const { name } = strengthOf(loss);
  return (
    <p class="strengths">
      <span class="for-readers">Protection, in our words: {name}.</span>
      <span aria-hidden="true">
        {STRENGTHS.map((each) => (
          <span key={each.name} class={each.name === name ? "is" : undefined}>
            {each.name}
          </span>
        ))}
      </span>
    </p>
  );
}

/** So many blocks can still be told apart. */
const MOST_BLOCKS = 40;

function MoreReleases({ loss, budget, left }: { loss: number; budget: number; left: number }) {
  const blocks = budgetBlocks({ loss, budget, left });
  return (
    <div class="more-releases">
      <Blocks blocks={blocks} />
      <p>{moreWords({ loss, budget, left })}</p>
    </div>
  );
}

function Blocks({ blocks: { spent, now, more, fits, rest } }: { blocks: BudgetBlocks }) {
  const width = (share: number): string => `width:${(100 * share).toFixed(3)}%`;
  return (
    <div class="blocks" aria-hidden="true">
      {spent > 0 ? <i class="spent" style={width(spent)} title="spent before" /> : null}
      {now > 0 ? <i class={fits ? "now" : "now over"} style={width(now)} title="this release" /> : null}
      {more > MOST_BLOCKS ? (
        <i class="many" style={width(now * more)} title="still possible" />
      ) : (
        Array.from({ length: more }, (_, index) => <i key={index} style={width(now)} title="still possible" />)
      )}
      {rest > 0 ? <i class="rest" style={width(rest)} title="what is left over" /> : null}
    </div>
  );
}

function moreWords({ loss, budget, left }: { loss: number; budget: number; left: number }): string {
  const spent = budget - left > 0 ? `${formatNumber(budget - left)} of ${formatNumber(budget)} is spent. ` : "";
  if (!(loss > 0)) return `${spent}It costs nothing: the budget is as large after it.`;
  const count = releasesThatFit({ loss, left });
  if (loss > budget) return `${spent}It does not fit: it needs ${formatNumber(loss)}, more than the whole budget.`;
  // Whoever loses most by it need not be whoever has lost most before.
  if (count === 0)
    return `${spent}It is not sure to fit: it needs ${formatNumber(loss)}, and whoever has lost most has ${formatNumber(Math.max(0, left))} left.`;
  if (count === 1) return `${spent}It fits, and no other like it after it.`;
  const more = count > 1_000_000 ? "over a million" : formatCount(count - 1);
  return `${spent}It fits, and at least ${more === "1" ? plural(1, "more") : `${more} more`} like it after it.`;
}
