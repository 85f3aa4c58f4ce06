import type { SharedFile } from '../../protocol.ts';
import { sizeText } from '../sizes.ts';
import { Icon } from './icon.tsx';

/** A file in a message: what it is called, how large it is, and a link that downloads it. */
export function FileCard({ file: { name, title, size, url } }: { file: SharedFile }) {
  const detail = [title === name ? '' : name, sizeText(size)].filter(Boolean).join(' · ');
  return (
    <a
      class="file-card"
      href={url}
      download={name}
      title={name}
      data-testid="file"
      aria-label={`Download ${name}, ${sizeText(size)}`}
    >
      <span class="file-sign">
        <Icon name="file" />
      </span>
      <span class="file-text">
        <b>{title}</b>
        <span>{detail}</span>
      </span>
      <Icon name="download" />
    </a>
  );
}
