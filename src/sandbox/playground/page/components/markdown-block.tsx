import { useMemo } from 'preact/hooks';
import { type MarkdownBlock as Piece, parseMarkdown } from '../markdown.ts';
import { Nodes } from './mrkdwn-text.tsx';

/** A `markdown` block: standard Markdown, as far as {@link parseMarkdown} reads it. */
export function MarkdownBlock({ text }: { text: string }) {
  const pieces = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div class="markdown">
      {pieces.map((piece, at) => (
        <PieceView key={at} piece={piece} />
      ))}
    </div>
  );
}

function PieceView({ piece }: { piece: Piece }) {
  switch (piece.type) {
    case 'paragraph':
      return (
        <p>
          <Nodes nodes={piece.children} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <Nodes nodes={piece.children} />
        </blockquote>
      );
    case 'heading':
      return (
        <h4 data-level={piece.level}>
          <Nodes nodes={piece.children} />
        </h4>
      );
    case 'list': {
      const items = piece.items.map((nodes, at) => (
        <li key={at}>
          <Nodes nodes={nodes} />
        </li>
      ));
      return piece.ordered ? <ol start={piece.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'pre':
      return <pre>{piece.text}</pre>;
    case 'rule':
      return <hr />;
  }
}
