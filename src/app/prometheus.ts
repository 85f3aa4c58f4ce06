import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Gauged, type Meter, measures } from '../ground/meter.ts';

/** A meter that gives its readings as text for Prometheus. */
type Prometheus = Meter & { contentType: string; text(): Promise<string> };

/** The maximum number of combinations of labels that are kept apart for a metric. Later ones count as `other`. */
const maxSeries = 300;

/**
 * Keeps Dolly's metrics for Prometheus, beside Node's own metrics of the process (memory, processor, delay of the event
 * loop, garbage collection).
 * @param faulty receives the error of a measurement that fails, which has no other effect
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
        // A gauge that cannot be read shows nothing: an old value would pass for the present one.
        const readings: readonly Gauged<typeof measure>[] = await read().catch(error => {
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

/** Gives labels as they are, up to {@link maxSeries} different ones of a metric. */
function bounds(): (measure: string, labels: Readonly<Record<string, string>>) => Record<string, string> {
  const known = new Map<string, Set<string>>();
  return (measure, labels) => {
    const series = known.get(measure) ?? new Set();
    known.set(measure, series);
    const values = Object.values(labels).join('\n');
    if (series.has(values)) return { ...labels };
    if (series.size >= maxSeries) return Object.fromEntries(Object.keys(labels).map(label => [label, 'other']));
    series.add(values);
    return { ...labels };
  };
}
