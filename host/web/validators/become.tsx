// What it takes to become a validator, with the numbers of this network, and what it may bring in.

import { useState } from 'preact/hooks';
import type { NetworkState, Validator } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Facts } from '../parts/facts.tsx';
import { Money } from '../parts/values.tsx';
import { linkTo } from '../routes.ts';
import { formatMicro, parseTokens } from '../text/amount.ts';
import { formatRatio } from '../text/words.ts';
import { feeShare, voteWeight } from './sums.ts';

/** An applicant's reputation counts from here once it is active (protocol 6.9). */
const BASELINE = 5000n;
const TREND_EVERY_MS = 60_000;

/** Micro-units; 0 for what is no amount. */
const micro = (text: string): bigint => BigInt(parseTokens(text) ?? 0);

function Field(props: { id: string; label: string; value: string; onInput(text: string): void }) {
  const { id, label, value, onInput } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        inputMode="decimal"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

function Calculator({ required, total }: { required: number; total: number }) {
  const day = useRead('fees of the day', () => node.trend({ span: 'day' }), TREND_EVERY_MS);
  const feesNow = (day.data?.samples ?? []).reduce((sum, { fees }) => sum + fees, 0);
  const [stakeText, setStake] = useState<string>();
  const [scoreText, setScore] = useState('50');
  const [standingText, setStanding] = useState('0');
  const [feesText, setFees] = useState<string>();
  const stake = micro(stakeText ?? formatMicro(required));
  const percent = Number(scoreText.replace(',', '.'));
  const score = BigInt(Math.round(100 * Math.min(100, Math.max(0, Number.isFinite(percent) ? percent : 0))));
  const standing = micro(standingText);
  const fees = micro(feesText ?? formatMicro(feesNow));
  const weight = voteWeight({ stake, standing, score, baseline: BASELINE });
  const all = BigInt(total) + weight;
  const isEnough = stake >= BigInt(required);
  const share = all > 0n ? Number((weight * 10_000n) / all) / 10_000 : 0;
  return (
    <>
      <div class="columns">
        <Field
          id="plan-stake"
          label="Your stake, tokens"
          value={stakeText ?? formatMicro(required)}
          onInput={setStake}
        />
        <Field id="plan-score" label="Your reputation, %" value={scoreText} onInput={setScore} />
        <Field id="plan-standing" label="Your standing, tokens" value={standingText} onInput={setStanding} />
        <Field
          id="plan-fees"
          label="Fees of the network a day, tokens"
          value={feesText ?? formatMicro(feesNow)}
          onInput={setFees}
        />
      </div>
      <div role="status">
        <Facts
          of={[
            ['Stake', isEnough ? 'Enough to apply' : `Too little: ${formatMicro(required)} are required`],
            ['Vote weight once active', <Money key="weight" micro={weight} />],
            ['Of all votes, in the long run', formatRatio(share)],
            [
              'Tokens a day, if it votes on everything and with the outcome',
              <Money key="income" micro={isEnough ? feeShare(fees, weight, all) : 0n} />,
            ],
          ]}
        />
      </div>
      <p class="soft">
        An estimate by the rules for fees of transfers: four fifths go to those who voted with the outcome, by
        weight. New weight counts as at most a fifth of a decision at first, and a thirtieth of it becomes
        full weight each day. Verifying assured work brings more, and is drawn by lot.
      </p>
    </>
  );
}

export function Become({ network, list }: { network: NetworkState; list: readonly Validator[] }) {
  const required = list[0]?.required_stake;
  if (required === undefined) return null;
  return (
    <section class="card">
      <h2>Become a validator</h2>
      <ol>
        <li>
          Stake at least {formatMicro(required)} tokens. It cannot leave for ten days after your application
          and your last verdict, and a proven offense takes 30 to 75 % of it.
        </li>
        <li>
          Apply: you are on probation for 30 days. Of what you are drawn for, judge at least 50 events, 70 %
          of them with the outcome.
        </li>
        <li>
          Then validators have 7 days to object. With less than a third of the weight against you, you are
          active.
        </li>
        <li>
          Run a node that judges: <code>vws start</code> with a judge of yours, which answers in time.
        </li>
      </ol>
      <p>
        <a class="button" href={linkTo('wallet')}>
          Stake
        </a>
      </p>
      <Calculator required={required} total={network.total_vote_weight} />
    </section>
  );
}
