import './style/page.css';
import { render } from 'preact';
import { App } from './components/app.tsx';
import { rememberedTheme, rememberTheme } from './memory.ts';

rememberTheme(rememberedTheme());
const root = document.getElementById('page');
if (root) render(<App />, root);
