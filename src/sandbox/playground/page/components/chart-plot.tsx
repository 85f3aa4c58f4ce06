import { type Chart, shownNumber, ticks } from '../charts.ts';

/** Max width of a chart, in pixels; its height, and the room of its axes. */
const widest = 640;
const height = 200;
const room = { top: 8, right: 8, level: 22, slanted: 84 } as const;
/** Room of a letter, for labels that must not touch. */
const letter = 7;

/** Where things stand: `x` of a category's middle, `y` of a value, both in pixels. */
type Scale = { left: number; step: number; bottom: number; x(column: number): number; y(value: number): number };

/** The bars, lines or areas of a chart between its axes, `width` pixels wide. */
export function PlotView({ chart, width, words }: { chart: Chart; width: number; words: string }) {
  const whole = Math.min(width, widest);
  const marks = ticks(chart.series.flatMap(({ values }) => values));
  const scale = scaleOf(chart, whole, marks);
  const longest = Math.max(...chart.labels.map(label => label.length));
  const isSlanted = longest * letter > scale.step - 4;
  return (
    <svg
      width={whole}
      height={height + (isSlanted ? room.slanted : room.level)}
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
        <Label key={at} text={label} x={scale.x(at)} isSlanted={isSlanted} />
      ))}
    </svg>
  );
}

function scaleOf({ labels }: Chart, width: number, marks: readonly number[]): Scale {
  const left = Math.max(...marks.map(mark => shownNumber(mark).length)) * letter + 10;
  const step = (width - left - room.right) / Math.max(1, labels.length);
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const bottom = height - 4;
  const y = (value: number) => room.top + ((high - value) / (high - low || 1)) * (bottom - room.top);
  return { left, step, bottom, x: column => left + step * (column + 0.5), y };
}

function Label({ text, x, isSlanted }: { text: string; x: number; isSlanted: boolean }) {
  const y = height + 14;
  return isSlanted ? (
    <text class="tick" text-anchor="end" transform={`translate(${x + 4} ${y - 4}) rotate(-42)`}>
      {text.length > 14 ? `${text.slice(0, 13)}…` : text}
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
