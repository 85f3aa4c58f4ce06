import { Component, type ComponentChildren } from 'preact';
import { child, list, plainOf, readText, string } from '../blocks.ts';
import { Alert } from './alert-block.tsx';
import { Card } from './card-block.tsx';
import { ChartBlock } from './chart-block.tsx';
import { Container } from './container-block.tsx';
import { DataTable } from './data-table.tsx';
import { ElementView } from './element.tsx';
import { InputBlock } from './input-block.tsx';
import { MarkdownBlock } from './markdown-block.tsx';
import { Plain, Text } from './mrkdwn-text.tsx';
import { Plan, TaskCard } from './plan-block.tsx';
import { RichText } from './rich-text.tsx';
import { TableBlock } from './table-block.tsx';
import { Unknown } from './unknown.tsx';

/** Block Kit blocks, one under the other. */
export function Blocks({ blocks }: { blocks: unknown[] }) {
  return (
    <div class="blocks">
      {blocks.map((block, at) => (
        <div
          key={string(block, 'block_id') || at}
          class={`block block-${string(block, 'type')}`}
          data-block-id={string(block, 'block_id') || undefined}
        >
          <Fence block={block}>
            <BlockView block={block} />
          </Fence>
        </div>
      ))}
    </div>
  );
}

function BlockView({ block }: { block: unknown }) {
  switch (string(block, 'type')) {
    case 'section':
      return <Section block={block} />;
    case 'header':
      return (
        <h2 class="header-block">
          <Plain text={plainOf(child(block, 'text'))} />
        </h2>
      );
    case 'context':
      return <Context elements={list(block, 'elements')} />;
    case 'divider':
      return <hr />;
    case 'actions':
      return (
        <div class="actions">
          {list(block, 'elements').map((element, at) => (
            <ElementView key={string(element, 'action_id') || at} block={block} element={element} />
          ))}
        </div>
      );
    case 'input':
      return <InputBlock block={block} />;
    case 'rich_text':
      return <RichText elements={list(block, 'elements')} />;
    case 'markdown':
      return <MarkdownBlock text={string(block, 'text')} />;
    case 'table':
      return <TableBlock block={block} />;
    case 'data_table':
      return <DataTable block={block} />;
    case 'data_visualization':
      return <ChartBlock block={block} />;
    case 'container':
      return (
        <Container block={block}>
          <Blocks blocks={list(block, 'child_blocks')} />
        </Container>
      );
    case 'alert':
      return <Alert block={block} />;
    case 'card':
      return <Card block={block} />;
    case 'plan':
      return <Plan block={block} />;
    case 'task_card':
      return <TaskCard task={block} />;
    default:
      return <Unknown what="block" json={block} />;
  }
}

/** Keeps a block that breaks while it is drawn from taking the whole page with it. */
class Fence extends Component<{ block: unknown; children: ComponentChildren }, { broken: boolean }> {
  override state = { broken: false };

  static override getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Unknown what="block" json={this.props.block} /> : this.props.children;
  }
}

function Section({ block }: { block: unknown }) {
  const fields = list(block, 'fields');
  const accessory = child(block, 'accessory');
  return (
    <div class="section">
      <div class="section-text">
        <Text text={readText(child(block, 'text'))} />
        {fields.length > 0 && (
          <div class="fields">
            {fields.map((field, at) => (
              <div key={at}>
                <Text text={readText(field)} />
              </div>
            ))}
          </div>
        )}
      </div>
      {string(accessory, 'type') && (
        <div class="accessory">
          <ElementView block={block} element={accessory} />
        </div>
      )}
    </div>
  );
}

function Context({ elements }: { elements: unknown[] }) {
  return (
    <div class="context">
      {elements.map((element, at) =>
        readText(element) ? (
          <Text key={at} text={readText(element)} />
        ) : (
          <Unknown key={at} what="element" json={element} />
        ),
      )}
    </div>
  );
}
