import { type Chart, shownNumber, ticks } from '../charts.ts';

/** Max width of a chart, in pixels; its height, and the room around it. */
const widest = 640;
const height = 200;
const room = { top: 8, right: 8, below: 22 } as const;
/** Room of a letter, for labels that must not touch. */
const letter = 7;
/** Labels without room beside one another slant by this angle, in degrees, and are cut to so many letters. */
const slant = 42;
const slantedLetters = 14;
/** How far such a label reaches to the left, or down, for each letter. */
const slanted = letter * Math.cos((slant * Math.PI) / 180);

/** Where things stand: `x` of a category's middle, `y` of a value, both in pixels. */
type Scale = { left: number; step: number; isSlanted: boolean; x(column: number): number; y(value: number): number };

/** The bars, lines or areas of a chart between its axes, `width` pixels wide. */
export function PlotView({ chart, width, words }: { chart: Chart; width: number; words: string }) {
  const whole = Math.min(width, widest);
  const marks = ticks(chart.series.flatMap(({ values }) => values));
  const scale = scaleOf(chart, whole, marks);
  return (
    <svg
      width={whole}
      height={height + room.below + (scale.isSlanted ? lettersIn(chart) * slanted : 0)}
      role="img"
      aria-label={words}
      class="plot"
    >
      {marks.map(mark => (
        <g key={mark}>
          <line class={mark === 0 ? 'zero' : 'grid'} x1={scale.left} x2={whole} y1={scale.y(mark)} y2={scale.y(mark)} />
          <text class="tick" x={scale.left - 6} y={scale.y(mark) + 4} text-anchor="end">
            {shownNumber(mark)}
          </text>
        </g>
      ))}
      {chart.type === 'bar' ? <Bars chart={chart} scale={scale} /> : <Lines chart={chart} scale={scale} />}
      {chart.labels.map((label, at) => (
        <Label key={at} text={label} x={scale.x(at)} isSlanted={scale.isSlanted} />
      ))}
    </svg>
  );
}

function scaleOf(chart: Chart, width: number, marks: readonly number[]): Scale {
  const { labels } = chart;
  const axis = Math.max(...marks.map(mark => shownNumber(mark).length)) * letter + 10;
  const stepFrom = (left: number) => (width - left - room.right) / Math.max(1, labels.length);
  const isSlanted = Math.max(...labels.map(label => label.length)) * letter > stepFrom(axis) - 4;
  // The first slanted label reaches to the left of its column.
  const reach = isSlanted ? Math.min(slantedLetters, labels[0]?.length ?? 0) * slanted - stepFrom(axis) / 2 : 0;
  const left = Math.max(axis, reach);
  const step = stepFrom(left);
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const y = (value: number) => room.top + ((high - value) / (high - low || 1)) * (height - 4 - room.top);
  return { left, step, isSlanted, x: column => left + step * (column + 0.5), y };
}

/** The letters of the longest label, as far as it is shown. */
function lettersIn({ labels }: Chart): number {
  return Math.min(slantedLetters, Math.max(...labels.map(label => label.length)));
}

function Label({ text, x, isSlanted }: { text: string; x: number; isSlanted: boolean }) {
  const y = height + 14;
  return isSlanted ? (
    <text class="tick" text-anchor="end" transform={`translate(${x + 4} ${y - 4}) rotate(${-slant})`}>
      {text.length > slantedLetters ? `${text.slice(0, slantedLetters - 1)}…` : text}
    </text>
  ) : (
    <text class="tick" x={x} y={y} text-anchor="middle">
      {text}
    </text>
  );
}

function Bars({ chart: { labels, series }, scale }: { chart: Chart; scale: Scale }) {
  const wide = Math.min(36, (scale.step * 0.72) / series.length);
  return (
    <>
      {series.flatMap(({ name, values }, row) =>
        values.map((value, column) => (
          <rect
            key={`${row} ${column}`}
            class={`series-${row + 1}`}
            x={scale.x(column) + (row - series.length / 2) * wide}
            y={Math.min(scale.y(value), scale.y(0))}
            width={Math.max(1, wide - 1)}
            height={Math.max(1, Math.abs(scale.y(value) - scale.y(0)))}
          >
            <title>{`${labels[column]}: ${name} ${shownNumber(value)}`}</title>
          </rect>
        )),
      )}
    </>
  );
}

function Lines({ chart: { type, labels, series }, scale }: { chart: Chart; scale: Scale }) {
  return (
    <>
      {series.map(({ name, values }, row) => {
        const points = values.map((value, column) => `${scale.x(column).toFixed(1)} ${scale.y(value).toFixed(1)}`);
        const zero = scale.y(0);
        const outline = `M ${scale.x(0)} ${zero} L ${points.join(' L ')} L ${scale.x(values.length - 1)} ${zero} Z`;
        return (
          <g key={row} class={`series-${row + 1}`}>
            {type === 'area' && <path class="area" d={outline} />}
            <path class="line" d={`M ${points.join(' L ')}`} />
            {values.map((value, column) => (
              <circle key={column} cx={scale.x(column)} cy={scale.y(value)} r={3}>
                <title>{`${labels[column]}: ${name} ${shownNumber(value)}`}</title>
              </circle>
            ))}
          </g>
        );
      })}
    </>
  );
}
