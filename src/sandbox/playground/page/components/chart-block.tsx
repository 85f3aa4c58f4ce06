import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Chart, chartInWords, readChart, shares, shownNumber, slices } from '../charts.ts';
import { PlotView } from './chart-plot.tsx';
import { Unknown } from './unknown.tsx';

/** A chart as SVG, as wide as there is room. Its words say the same to those who do not see it. */
export function ChartBlock({ block }: { block: unknown }) {
  const chart = readChart(block);
  if (!chart) return <Unknown what="chart" json={block} />;
  const words = chartInWords(chart);
  return (
    <figure class="chart">
      <figcaption>{chart.title}</figcaption>
      {chart.type === 'pie' ? <Pie chart={chart} words={words} /> : <Plot chart={chart} words={words} />}
    </figure>
  );
}

function Plot({ chart, words }: { chart: Chart; words: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!frame.current) return undefined;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, []);
  return (
    <>
      {chart.series.length > 1 && <Legend entries={chart.series.map(({ name }) => name)} />}
      {chart.y && <div class="chart-axis">{chart.y}</div>}
      <div ref={frame} class="chart-frame">
        {width > 0 && <PlotView chart={chart} width={width} words={words} />}
      </div>
      {chart.x && <div class="chart-axis chart-x">{chart.x}</div>}
    </>
  );
}

function Pie({ chart, words }: { chart: Chart; words: string }) {
  const values = chart.series[0]?.values ?? [];
  const percent = shares(values);
  const entries = chart.labels.map((label, at) => `${label}: ${shownNumber(values[at] ?? 0)} (${percent[at]} %)`);
  return (
    <div class="pie">
      <svg viewBox="-82 -82 164 164" role="img" aria-label={words}>
        {slices(values, 80).map((outline, at) => (
          <path key={at} class={`slice series-${at + 1}`} d={outline}>
            <title>{entries[at]}</title>
          </path>
        ))}
      </svg>
      <Legend entries={entries} />
    </div>
  );
}

/** The colours and their names. What they stand for is in the chart's words already. */
function Legend({ entries }: { entries: string[] }) {
  return (
    <ul class="legend" aria-hidden="true">
      {entries.map((entry, at) => (
        <li key={at}>
          <span class={`swatch series-${at + 1}`} />
          {entry}
        </li>
      ))}
    </ul>
  );
}
