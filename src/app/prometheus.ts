import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Meter, measures, type Reading } from '../ground/meter.ts';

/** A meter whose readings can be had as the text that Prometheus reads. */
export type Prometheus = Meter & { contentType: string; text(): Promise<string> };

/** So many combinations of labels are kept apart for a measure; what comes later counts as `other`. */
const mostSeries = 300;

/**
 * Keeps what is measured for Prometheus, beside what Node tells of its process (memory, processor, delay of the event
 * loop, garbage collection).
 * @param faulty is told of what could not be measured: nothing else comes of it
 */
export function prometheus(faulty: (error: unknown) => void): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  const gauges = new Map<string, Gauge>();
  for (const [key, { type, name, help, labels, ...rest }] of Object.entries(measures)) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    if (type === 'counter') counters.set(key, new Counter(options));
    else if (type === 'gauge') gauges.set(key, new Gauge(options));
    else if ('buckets' in rest) histograms.set(key, new Histogram({ ...options, buckets: [...rest.buckets] }));
  }
  const bounded = bounds();
  const safely = (measure: () => void) => {
    try {
      measure();
    } catch (error) {
      faulty(error);
    }
  };
  const readers: (() => Promise<void>)[] = [];
  return {
    contentType: registry.contentType,
    count(measure, labels) {
      safely(() => counters.get(measure)?.inc(bounded(measure, labels)));
    },
    took(measure, labels, milliseconds) {
      safely(() => histograms.get(measure)?.observe(bounded(measure, labels), milliseconds / 1_000));
    },
    reads(measure, read) {
      readers.push(async () => {
        // What cannot be read is not shown: an old value would pass for the present one.
        const readings: readonly Reading<typeof measure>[] = await read().catch(error => {
          faulty(error);
          return [];
        });
        const gauge = gauges.get(measure);
        gauge?.reset();
        for (const { labels, value } of readings) gauge?.set({ ...labels }, value);
      });
    },
    async text() {
      await Promise.all(readers.map(read => read()));
      return registry.metrics();
    },
  };
}

/** Labels as they are, up to {@link mostSeries} different ones of a measure. */
function bounds(): (measure: string, labels: Readonly<Record<string, string>>) => Record<string, string> {
  const known = new Map<string, Set<string>>();
  return (measure, labels) => {
    const series = known.get(measure) ?? new Set();
    known.set(measure, series);
    const values = Object.values(labels).join('\n');
    if (series.has(values)) return { ...labels };
    if (series.size >= mostSeries) return Object.fromEntries(Object.keys(labels).map(label => [label, 'other']));
    series.add(values);
    return { ...labels };
  };
}
