const PATHS = {
  menu: 'M3 5h14M3 10h14M3 15h14',
  close: 'M5 5l10 10M15 5L5 15',
  back: 'M12 4l-6 6 6 6',
  send: 'M4 4l13 6-13 6 2-6zM6 10h5',
  hash: 'M8 3L6 17M14 3l-2 14M3 7.5h14M3 12.5h14',
  lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  chat: 'M4 4h12v9H9l-4 3v-3H4z',
  home: 'M3 10l7-6 7 6M5 9v7h10V9',
  pulse: 'M2 10h4l2-5 4 10 2-5h4',
  warning: 'M10 3l8 14H2zM10 8v4M10 14.5v.2',
  eye: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  more: 'M4.5 10h.1M10 10h.1M15.5 10h.1',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM13 13l4 4',
  sun: 'M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10 2v2M10 16v2M2 10h2M16 10h2M4.5 4.5l1.3 1.3M14.2 14.2l1.3 1.3M4.5 15.5l1.3-1.3M14.2 5.8l1.3-1.3',
  moon: 'M16 12.5A7 7 0 1 1 8 3.5a5.5 5.5 0 0 0 8 9z',
  screen: 'M3 4h14v9H3zM7 17h6M10 13v4',
  down: 'M5 8l5 5 5-5',
  right: 'M8 5l5 5-5 5',
  reply: 'M8 5l-5 5 5 5M3 10h8a5 5 0 0 1 5 5v1',
  file: 'M5 2.5h6.5L15.5 7v10.5H5zM11.5 2.5V7h4M7.5 11h5M7.5 14h5',
  download: 'M10 3v9M6 8.5l4 4 4-4M4 16.5h12',
  bolt: 'M11 2L4 11h5l-1 7 7-9h-5z',
  flow: 'M3 3h5v5H3zM12 12h5v5h-5zM8 5.5h6.5V12',
  plus: 'M10 4v12M4 10h12',
  outside: 'M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7',
} as const;

/** A sign drawn with strokes in the colour of the text; decoration only, so hidden from assistive technology. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
