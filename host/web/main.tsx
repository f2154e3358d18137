// Starts the page.

import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './shell/theme.ts';

applyTheme();
const app = document.getElementById('app') as HTMLElement;
app.replaceChildren();
render(<App />, app);
