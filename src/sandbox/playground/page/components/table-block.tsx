import { list, number, string } from '../blocks.ts';
import { RichText } from './rich-text.tsx';
import { Unknown } from './unknown.tsx';

/** A table block; its first row is the head. */
export function TableBlock({ block }: { block: unknown }) {
  const [head, ...rows] = list(block, 'rows').map(row => (Array.isArray(row) ? row : []));
  const settings = list(block, 'column_settings');
  const alignment = (column: number) => {
    const align = string(settings[column], 'align');
    return align === 'right' || align === 'center' ? align : 'left';
  };
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            {(head ?? []).map((cell, column) => (
              <th key={column} scope="col" style={{ textAlign: alignment(column) }}>
                <Cell cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} style={{ textAlign: alignment(column) }}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A cell of a table, as its kind is drawn. */
export function Cell({ cell }: { cell: unknown }) {
  switch (string(cell, 'type')) {
    case 'raw_text':
      return <>{string(cell, 'text')}</>;
    case 'raw_number':
      return <>{string(cell, 'text') || number(cell, 'value')}</>;
    case 'rich_text':
      return <RichText elements={list(cell, 'elements')} />;
    default:
      return <Unknown what="cell" json={cell} />;
  }
}
