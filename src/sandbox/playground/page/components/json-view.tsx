import { isJson } from '../blocks.ts';

/** The depth down to which a value is shown opened at first. */
const OPEN_DEPTH = 2;

/** JSON, pretty and foldable. Text that is no JSON is shown as it is. */
export function JsonView({ value }: { value: unknown }) {
  if (value === undefined || value === null || value === '') return <div class="json json-empty">empty</div>;
  if (typeof value === 'string') return <pre class="json">{value}</pre>;
  return (
    <div class="json">
      <Value value={value} depth={0} />
    </div>
  );
}

function Value({ name, value, depth }: { name?: string; value: unknown; depth: number }) {
  const entries = Array.isArray(value)
    ? value.map((item, at): [string, unknown] => [String(at), item])
    : isJson(value)
      ? Object.entries(value)
      : undefined;
  const label = name === undefined ? null : <span class="json-key">{name}: </span>;
  if (!entries) {
    return (
      <div>
        {label}
        <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0) {
    return (
      <div>
        {label}
        {Array.isArray(value) ? '[]' : '{}'}
      </div>
    );
  }
  return (
    <details open={depth < OPEN_DEPTH}>
      <summary>
        {label}
        <span class="json-size">{size}</span>
      </summary>
      {entries.map(([key, item]) => (
        <Value key={key} name={key} value={item} depth={depth + 1} />
      ))}
    </details>
  );
}
