import { useState } from 'preact/hooks';
import { list, number, string } from '../blocks.ts';
import { cellText, type Order, orderAfter, sortedRows } from '../sorted-rows.ts';
import { Cell } from './table-block.tsx';

const usualPage = 5;

/** A data table: a click on a title sorts it, and its pages are turned below. */
export function DataTable({ block }: { block: unknown }) {
  const [head = [], ...rows] = list(block, 'rows').map(row => (Array.isArray(row) ? row : []));
  const [order, setOrder] = useState<Order>();
  const [turned, setTurned] = useState(0);
  const caption = string(block, 'caption');
  const size = Math.max(1, number(block, 'page_size') ?? usualPage);
  const last = Math.max(0, Math.ceil(rows.length / size) - 1);
  const page = Math.min(turned, last);
  const shown = sortedRows(rows, order).slice(page * size, (page + 1) * size);
  const naming = number(block, 'row_header_column_index') ?? 0;
  return (
    <div class="data-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard, too. */}
      <section class="table-scroll" aria-label={caption} tabIndex={0}>
        <table>
          <caption>
            <span>{caption}</span>
          </caption>
          <thead>
            <tr>
              {head.map((cell, column) => (
                <Title
                  key={column}
                  text={cellText(cell)}
                  order={order?.column === column ? order : undefined}
                  sort={() => {
                    setOrder(orderAfter(order, column));
                    setTurned(0);
                  }}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => {
                  const isNumber = string(cell, 'type') === 'raw_number' ? 'number' : undefined;
                  return column === naming ? (
                    <th key={column} scope="row" class={isNumber}>
                      <Cell cell={cell} />
                    </th>
                  ) : (
                    <td key={column} class={isNumber}>
                      <Cell cell={cell} />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {last > 0 && (
        <nav class="pager" aria-label={`Pages of ${caption}`}>
          <button type="button" class="button" disabled={page === 0} onClick={() => setTurned(page - 1)}>
            Previous
          </button>
          <span role="status">{`${page * size + 1}–${page * size + shown.length} of ${rows.length}`}</span>
          <button type="button" class="button" disabled={page === last} onClick={() => setTurned(page + 1)}>
            Next
          </button>
        </nav>
      )}
    </div>
  );
}

function Title({ text, order, sort }: { text: string; order: Order | undefined; sort(): void }) {
  const direction = order === undefined ? 'none' : order.isDown ? 'descending' : 'ascending';
  const sign = { none: '↕', ascending: '↑', descending: '↓' } as const;
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" class="sort" onClick={sort}>
        {text}
        <span class="sort-sign" aria-hidden="true">
          {sign[direction]}
        </span>
      </button>
    </th>
  );
}
