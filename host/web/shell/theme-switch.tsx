// The choice between the system's theme, light and dark.

import { useState } from 'preact/hooks';
import { words } from '../text/words.ts';
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme.ts';

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <label class="theme">
      <span>Theme</span>
      <select
        value={theme}
        onChange={(event) => {
          const next = event.currentTarget.value as Theme;
          chooseTheme(next);
          setTheme(next);
        }}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {words(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
