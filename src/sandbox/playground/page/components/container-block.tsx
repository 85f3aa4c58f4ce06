import type { ComponentChildren } from 'preact';
import { child, flag, plainOf, readText } from '../blocks.ts';
import { Plain, Text } from './mrkdwn-text.tsx';

/** A container block: blocks under a title, which folds them where the bot says so. */
export function Container({ block, children }: { block: unknown; children: ComponentChildren }) {
  const head = (
    <>
      <span class="container-title">
        <Plain text={plainOf(child(block, 'title'))} />
      </span>
      <Text text={readText(child(block, 'subtitle'))} />
    </>
  );
  if (!flag(block, 'is_collapsible'))
    return (
      <div class="container">
        <div class="container-head">{head}</div>
        <div class="container-body">{children}</div>
      </div>
    );
  return (
    <details class="container" open={!flag(block, 'default_collapsed')}>
      <summary class="container-head">{head}</summary>
      <div class="container-body">{children}</div>
    </details>
  );
}
